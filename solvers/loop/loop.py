"""The loop steps, looks for events, writes and accepts; it can be left and entered between any two steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...native.pieces import mark_inline
from .. import layout, program
from ..backend import Backend, Code, Phase, PhaseAt, Program, Settle
from ..events.chatter import CROWD, chatters
from ..events.crossing import detect
from ..events.dip import BEFORE
from ..events.margin import margin
from ..events.stop import note_begin, shorten_step
from ..events.timer import next_tick, next_time
from ..fields import Floats
from ..layout import Memory, Work
from ..methods.method import Family, Steps
from ..program import evaluate
from ..steps.control import LOG_LEAST, first_step
from ..steps.switching import exchange
from ..steps.wild import calm, wild
from ..variation.follow import SensitivityFunctions, carry_nothing, link
from ..variation.parts import make_followed
from .delays import along, arrivals, overlaps
from .instant import settle
from .record import row
from .within import MARGIN, grid_here, state_at, write

AGAIN, GOES_ON = -1, -2  # no status of solvers.layout: the step is taken again; nothing ends the run
SHORTER = 0.25  # of a step that was too long for a zero crossing


Accept = Callable[[Code, Memory, Work, bool, bool], int]


def make_begin(backend: Backend, settle: Settle) -> Phase:
    @backend.jit
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


def move_to_end(m: Memory, s: Work) -> None:
    """The state, its slope and the slopes before it, where the step ends."""
    last = s.stages - 1
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
    s.t = s.t_new
    s.steps += 1
    s.implicit_steps += s.implicit
    s.refine_next = 1


def make_accept(backend: Backend, carry: Phase, settle: Settle) -> Accept:
    @backend.hot
    def accept(code: Code, m: Memory, s: Work, event: bool, due: bool) -> int:
        """Move to the step's end; handle the instant when it is one."""
        failed = carry(code, m, s)
        if failed != 0:
            return failed
        move_to_end(m, s)
        t = s.t
        if not (event or due):
            last = s.stages - 1
            for q in range(m.g.size):
                s.G[0, q] = s.G[last, q]
            if s.gridded == 0 and (s.refine > 0 or t >= s.t_end) and s.t_row != t:
                if s.stale == 1:
                    evaluate(code, t, m.x, s.scratch, m)
                    s.stale = 0
                row(m, s, t, m.x, layout.AT_STEP)
            return 0
        gap = np.inf
        if event:
            s.state_events += 1
            gap = t - s.t_event
            s.t_event = t
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
        return status

    return accept


def make_next_step(backend: Backend, steps: Steps) -> PhaseAt:
    """`next_step(code, m, s, target)`: an accepted step, its event in t_bad; 0, or the reason of failure."""
    take, explicit = steps.take, steps.explicit

    @backend.hot
    def is_too_long(code: Code, m: Memory, s: Work) -> bool:
        """True if delays or zero crossings change too fast for the step just taken."""
        if s.delays.shape[0] > 0 and overlaps(code, m, s):
            return True
        return m.g.size > 0 and not calm(s) and wild(code, m, s)

    @backend.hot
    def next_step(code: Code, m: Memory, s: Work, target: float) -> int:
        if s.delays.shape[0] > 0:
            arrivals(code, m, s)
        before = s.h
        status = take(code, m, s, target)
        if status != 0:
            return status
        s.t_bad = np.inf
        s.t_row = s.t
        if is_too_long(code, m, s):
            s.h = SHORTER * s.h_taken
            s.rejected += 1
            s.rejected_last = 1
            return AGAIN
        if m.g.size > 0:
            s.h = min(s.h, max(before, 2.0 * s.h_taken))
            explicitly = explicit and s.implicit == 0
            if explicitly:
                note_begin(m, s)
            s.t_bad = detect(code, m, s, target)
            if explicitly and s.t_bad < np.inf and shorten_step(m, s):
                return AGAIN
            s.h, s.h_resumed = max(s.h, s.h_resumed), 0.0
        return 0

    return next_step


@mark_inline
def reason_to_return(m: Memory, s: Work) -> int:
    """Why the loop returns before the next step, or GOES_ON."""
    if s.t >= s.t_end:
        return layout.DONE
    event_room = s.events.shape[0] - 2 * (m.g.size + s.timers.shape[0]) - MARGIN
    if s.rows >= s.log.shape[0] - MARGIN or s.event_rows >= event_room:
        return layout.FULL
    if s.steps >= s.most_steps:
        return layout.TOO_MANY
    if s.leave == 1:
        exchange(s)
        return layout.SWITCHED
    return layout.PAUSED if s.budget <= 0 else GOES_ON


def make_advance(backend: Backend, next_step: PhaseAt, along: Phase, accept: Accept) -> Phase:
    @backend.jit
    def advance(code: Code, m: Memory, s: Work) -> int:
        """Run on until the end, a full log, an empty budget, a failure, or a step of the other method."""
        while True:
            upcoming = next_time(s, m)
            if s.phase == layout.STEPPING:
                status = reason_to_return(m, s)
                if status != GOES_ON:
                    return status
                s.budget -= 1
                s.stale = 0
                status = next_step(code, m, s, min(s.t_end, upcoming))
                if status == AGAIN:
                    continue
                if status != 0:
                    return status
                s.phase = layout.WRITING
                if s.delays.shape[0] > 0:
                    status = along(code, m, s)
                    if status != 0:
                        return status
                    upcoming = next_time(s, m)
            event = s.t_bad < np.inf
            due = upcoming <= s.t_new
            if s.gridded == 1 or s.refine > 1 or (s.reading == 1 and next_tick(s, m) <= s.t_new):
                status = write(code, m, s, event or due)
                if status != 0:
                    return status
            s.phase = layout.STEPPING
            status = accept(code, m, s, event, due)
            if status != 0:
                return status

    return advance


def names_of(backend: Backend, steps: Steps) -> dict[Any, Any]:
    """The functions of this program and these steps, by the names in `program`."""
    inner = steps.interpolate

    @mark_inline
    def interpolate(code: Code, m: Memory, s: Work, theta: float, out: Floats) -> None:
        inner(m, s, theta, out)

    return {
        program.derivative: backend.derivative, program.evaluate: backend.evaluate,
        program.observe: backend.observe, program.remember: backend.remember,
        program.quarters: backend.quarters, program.tangent: backend.tangent,
        program.evaluate_instant: backend.evaluate,
        program.react: backend.react, program.update: backend.update,
        program.remember_instant: backend.remember, program.prepare: steps.prepare,
        program.interpolate: interpolate,
    }  # fmt: skip


def with_functions(backend: Backend, steps: Steps, function: Phase) -> Phase:
    """The function with the program's functions, for a loop that runs in Python."""
    functions = Program(
        backend.derivative, backend.evaluate, backend.update, backend.react, backend.observe,
        backend.remember, backend.quarters, steps.prepare, steps.interpolate,
    )  # fmt: skip
    return lambda code, m, s: function(functions, m, s)


def build(backend: Backend, family: Family) -> tuple[Phase, Phase]:
    """`begin(code, m, s)` and `advance(code, m, s)`: both return a status of solvers.layout.

    `family` is the family of a Method, which makes the steps. A backend with a `variation` carries the
    derivatives of a run along.
    """
    if backend.varied:
        backend = backend._replace(attempting=make_followed)
    steps = family(backend, margin)
    if backend.names is not None:
        backend.names.update(names_of(backend, steps))
    followed = SensitivityFunctions(carry_nothing, along, settle)
    if backend.varied:
        followed = link(backend, state_at, settle, explicit=steps.explicit)
    begin = make_begin(backend, followed.settle)
    accept = make_accept(backend, followed.carry, followed.settle)
    advance = make_advance(backend, make_next_step(backend, steps), followed.along, accept)
    if backend.names is not None:
        return begin, advance
    return with_functions(backend, steps, begin), with_functions(backend, steps, advance)
