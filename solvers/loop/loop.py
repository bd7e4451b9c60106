"""The loop: step, look for events, write, accept; it can be left and entered again between any two steps."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from .. import layout
from ..backend import Backend, Change, Code, Phase, PhaseAt, Settle
from ..events.chatter import CROWD, chatters
from ..events.crossing import make_detect
from ..events.dip import BEFORE
from ..events.margin import margin
from ..events.stop import note_begin, shorten_step
from ..events.timer import next_tick, next_time
from ..layout import Memory, Work
from ..methods.method import Family, runge_kutta
from ..steps.control import LOG_LEAST, make_first_step
from ..steps.switching import exchange
from ..steps.wild import make_wild
from ..variation.attempt import make_followed
from ..variation.follow import make_alone, make_follow, make_slopes
from ..variation.parts import make_once
from .delays import make_delays, make_overlaps
from .instant import make_settle
from .record import row
from .within import MARGIN, make_at, make_writer

SHORTER = 0.25  # of a step that was too long for a zero crossing


def make_begin(backend: Backend, settle: Settle, grid_here: Change) -> Phase:
    jit = backend.jit
    first_step = make_first_step(jit, backend.derivative)

    @jit
    def begin(code: Code, m: Memory, s: Work) -> int:
        """The instant of the start, and the first step's size."""
        s.stale = 1
        s.at_hand = 0
        s.h = s.h_max
        status = settle(code, m, s, 1)
        grid_here(m, s)
        s.log_error = LOG_LEAST
        s.t_event = -np.inf
        if status == 0 and s.adaptive == 1:
            s.h = s.h_first if s.h_first > 0.0 else first_step(code, m, s)
        for q in range(m.g.size):
            m.g[q] = s.G[0, q]
        s.phase = layout.STEPPING
        return int(status)

    return begin


def make_settled(state_at: PhaseAt, exact: bool, backend: Backend) -> Any:
    """`settle` with what blocks with a history are told at the instant."""
    _, here, _ = make_delays(backend, state_at)
    return make_settle(backend, here, exact)


def build(backend: Backend, family: Family) -> tuple[Any, Any]:
    """`begin(code, m, s)` and `advance(code, m, s)`: both return a status of solvers.layout.

    `family` makes the steps: that of a Method. A backend with a `variation` has the derivatives of a run
    carried along.
    """
    jit = backend.jit
    if backend.varied:
        slopes = make_slopes(backend)
        once = make_once(backend, slopes)
        backend = backend._replace(attempting=partial(make_followed, backend, once))
    take, prepare, interpolate, adjustable = family(backend, margin)
    explicit = family is runge_kutta
    detect, look = make_detect(backend, prepare, interpolate)
    calm, wild = make_wild(backend, prepare, look)
    state_at, at = make_at(backend, prepare, interpolate)
    along, here, arrivals = make_delays(backend, state_at)
    overlaps = make_overlaps(backend, state_at)
    carry, settle = make_alone(backend), make_settle(backend, here, adjustable)
    if backend.varied:
        carry, along, settle = make_follow(
            backend,
            slopes,
            once,
            state_at,
            partial(make_settled, state_at, adjustable),
            explicit=explicit,
        )
    write, grid_here = make_writer(backend, state_at, at)
    begin = make_begin(backend, settle, grid_here)

    @backend.hot
    def accept(code: Code, m: Memory, s: Work, event: bool, due: bool) -> int:
        """Move to the step's end; handle the instant when it is one."""
        t_new = s.t_new
        last = s.stages - 1
        failed = carry(code, m, s)
        if failed != 0:
            return int(failed)
        if s.multistep > 0:
            for j in range(s.multistep - 1, 0, -1):
                for i in range(m.x.size):
                    s.back[j, i] = s.back[j - 1, i]
            for i in range(m.x.size):
                s.back[0, i] = s.K[0, i]
            s.at_hand += 1
        if s.adaptive == 0:
            for q in range(m.g.size):
                s.samples[BEFORE, q] = s.G[0, q]
        x, x_new, K = m.x, s.x_new, s.K
        for i in range(x.size):
            x[i] = x_new[i]
            K[0, i] = K[last, i]
        s.t = t_new
        s.steps += 1
        s.implicit_steps += s.implicit
        s.refine_next = 1
        if not (event or due):
            for q in range(m.g.size):
                s.G[0, q] = s.G[last, q]
            if s.gridded == 0 and (s.refine > 0 or t_new >= s.t_end) and s.t_row != t_new:
                if s.stale == 1:
                    backend_evaluate(code, t_new, m.x, s.scratch, m)
                    s.stale = 0
                row(m, s, t_new, m.x, layout.AT_STEP)
            return 0
        gap = np.inf
        if event:
            s.state_events += 1
            gap = t_new - s.t_event
            s.t_event = t_new
            s.crowded = s.crowded + 1 if gap <= s.zeno_gap else 0
        status = settle(code, m, s, 0)
        grid_here(m, s)
        if status == 0 and s.creeping >= 0:
            return layout.CROWDED_EVENTS
        if status == 0 and event:
            if s.crowded > CROWD:
                return layout.CROWDED_EVENTS
            if chatters(m, s, gap):
                return layout.CHATTERING
        return int(status)

    backend_evaluate = backend.evaluate

    @jit
    def advance(code: Code, m: Memory, s: Work) -> int:
        """Run on until the end, a full log, an empty budget, a failure, or a step of the other method."""
        room = s.log.shape[0] - MARGIN
        event_room = s.events.shape[0] - 2 * (m.g.size + s.timers.shape[0]) - MARGIN
        while True:
            upcoming = next_time(s, m)
            target = min(s.t_end, upcoming)
            if s.phase == layout.STEPPING:
                if s.t >= s.t_end:
                    return layout.DONE
                if s.rows >= room or s.event_rows >= event_room:
                    return layout.FULL
                if s.steps >= s.most_steps:
                    return layout.TOO_MANY
                if s.leave == 1:
                    exchange(s)
                    return layout.SWITCHED
                if s.budget <= 0:
                    return layout.PAUSED
                s.budget -= 1
                s.stale = 0
                if s.delays.shape[0] > 0:
                    arrivals(code, m, s)
                before = s.h
                status = take(code, m, s, target)
                if status != 0:
                    return int(status)
                s.t_bad = np.inf
                s.t_row = s.t
                if s.delays.shape[0] > 0 and adjustable and overlaps(code, m, s):
                    s.h = SHORTER * s.h_taken
                    s.rejected += 1
                    s.rejected_last = 1
                    continue
                if m.g.size > 0:
                    if adjustable and not calm(s) and wild(code, m, s):
                        s.h = SHORTER * s.h_taken
                        s.rejected += 1
                        s.rejected_last = 1
                        continue
                    s.h = min(s.h, max(before, 2.0 * s.h_taken))
                    if explicit:
                        note_begin(m, s)
                    s.t_bad = detect(code, m, s, target)
                    if explicit and s.t_bad < np.inf and shorten_step(m, s):
                        continue
                    s.h, s.h_resumed = max(s.h, s.h_resumed), 0.0
                s.phase = layout.WRITING
                if s.delays.shape[0] > 0:
                    status = along(code, m, s)
                    if status != 0:
                        return int(status)
                    upcoming = next_time(s, m)
            event = s.t_bad < np.inf
            due = upcoming <= s.t_new
            if s.gridded == 1 or s.refine > 1 or (s.reading == 1 and next_tick(s, m) <= s.t_new):
                status = write(code, m, s, event or due)
                if status != 0:
                    return int(status)
            s.phase = layout.STEPPING
            status = accept(code, m, s, event, due)
            if status != 0:
                return int(status)

    return begin, advance
