"""The loop: step, look for events, write, accept; it can be left and entered again between any two steps."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import layout
from ..backend import Backend
from ..events.chatter import make_chatters
from ..events.crossing import make_detect, make_margin
from ..events.dip import BEFORE
from ..events.timer import make_next
from ..methods.method import Family
from ..steps.control import LOG_LEAST, make_first_step
from ..steps.wild import make_wild
from .instant import make_settle
from .record import make_record

CROWD = 100  # state events in a row within the Zeno gap that end a run


def make_writer(backend: Backend, prepare: Any, interpolate: Any) -> Any:
    jit, evaluate, own = backend.jit, backend.evaluate, backend.quarters
    row, _ = make_record(jit)

    @jit
    def at(code: Any, m: Any, s: Any, time: float, flag: int) -> int:
        """A row at a time within the step just taken."""
        if time == s.F[layout.T_NEW]:
            for i in range(m.x.size):
                s.x_trial[i] = s.x_new[i]
        else:
            failed = prepare(code, m, s)
            if failed != 0:
                s.I[layout.DETAIL] = failed
                return layout.KERNEL_FAILED
            interpolate(m, s, (time - s.F[layout.T]) / s.F[layout.H_TAKEN], s.x_trial)
        failed = evaluate(code, time, s.x_trial, s.scratch, m)
        s.I[layout.EVALUATIONS] += 1
        s.I[layout.STALE] = 1
        if failed < 0:
            s.I[layout.DETAIL] = failed
            return layout.KERNEL_FAILED
        if failed > 0:
            s.F[layout.T_BAD] = time
            return layout.NONFINITE
        row(m, s, time, s.x_trial, flag)
        return 0

    @jit
    def write(code: Any, m: Any, s: Any, event: bool) -> int:
        """The rows that lie within the step: of the grid, or of the refinement."""
        t_new = s.F[layout.T_NEW]
        room = s.log.shape[0] - 8
        if s.I[layout.GRID] == 1:
            while s.I[layout.GRID_NEXT] < s.grid.size:
                time = s.grid[s.I[layout.GRID_NEXT]]
                if time > t_new or (event and time == t_new):
                    break
                if s.I[layout.ROWS] >= room:
                    return layout.FULL
                failed = at(code, m, s, time, layout.AT_GRID)
                if failed != 0:
                    return int(failed)
                s.I[layout.GRID_NEXT] += 1
            return 0
        parts = s.I[layout.REFINE]
        k = s.I[layout.ROWS]
        whole = s.F[layout.T_BAD] == np.inf and s.I[layout.REFINE_NEXT] == 1  # no event cuts the step
        if parts == 4 and whole and s.I[layout.WRITTEN_OUT] == 2:
            if k >= room:
                return layout.FULL
            failed = own(code, s.F[layout.T], t_new, s.F[layout.H_TAKEN], m.x, s.K, s.log[k], s.G, m)
            if failed < 0:
                s.I[layout.DETAIL] = failed
                return layout.KERNEL_FAILED
            if failed > 0:
                s.F[layout.T_BAD] = t_new
                return layout.NONFINITE
            s.I[layout.ROWS] = k + 3
            s.I[layout.REFINE_NEXT] = 4
            return 0
        while s.I[layout.REFINE_NEXT] < parts:
            if s.I[layout.ROWS] >= room:
                return layout.FULL
            time = s.F[layout.T] + (t_new - s.F[layout.T]) * s.I[layout.REFINE_NEXT] / parts
            failed = at(code, m, s, time, layout.AT_STEP)
            if failed != 0:
                return int(failed)
            s.I[layout.REFINE_NEXT] += 1
        return 0

    @jit
    def grid_here(m: Any, s: Any) -> None:
        """The row of a grid time that meets an instant: its right limit."""
        if s.I[layout.GRID] == 1:
            while s.I[layout.GRID_NEXT] < s.grid.size and s.grid[s.I[layout.GRID_NEXT]] <= s.F[layout.T]:
                row(m, s, s.F[layout.T], m.x, layout.AT_GRID)
                s.I[layout.GRID_NEXT] += 1

    return write, grid_here


def make_begin(backend: Backend, settle: Any, grid_here: Any) -> Any:
    jit = backend.jit
    first_step = make_first_step(jit, backend.derivative)

    @jit
    def begin(code: Any, m: Any, s: Any) -> int:
        """The instant of the start, and the first step's size."""
        s.I[layout.STALE] = 1
        s.I[layout.BACK] = 0
        s.F[layout.H] = s.F[layout.H_MAX]
        status = settle(code, m, s, 1)
        grid_here(m, s)
        s.F[layout.LOG_ERROR] = LOG_LEAST
        s.F[layout.T_EVENT] = -np.inf
        if status == 0 and s.I[layout.ADAPTIVE] == 1:
            s.F[layout.H] = s.F[layout.H_FIRST] if s.F[layout.H_FIRST] > 0.0 else first_step(code, m, s)
        for q in range(m.g.size):
            m.g[q] = s.G[0, q]
        s.I[layout.PHASE] = layout.STEPPING
        return int(status)

    return begin


def build(backend: Backend, family: Family) -> tuple[Any, Any]:
    """`begin(code, m, s)` and `advance(code, m, s)`: both return a status of solvers.layout.

    `family` makes the steps: that of a Method.
    """
    jit = backend.jit
    margin, turn = make_margin(jit)
    take, prepare, interpolate, adjustable = family(backend, margin)
    detect, look = make_detect(backend, margin, turn, prepare, interpolate)
    calm, wild = make_wild(backend, prepare, look)
    chatters = make_chatters(backend)
    settle = make_settle(backend, margin)
    write, grid_here = make_writer(backend, prepare, interpolate)
    begin = make_begin(backend, settle, grid_here)
    row, _ = make_record(backend.hot)
    next_time = make_next(backend.hot)

    @backend.hot
    def accept(code: Any, m: Any, s: Any, event: bool, due: bool) -> int:
        """Move to the step's end; handle the instant when it is one."""
        t_new = s.F[layout.T_NEW]
        last = s.I[layout.STAGES] - 1
        if s.I[layout.MULTISTEP] > 0:
            for j in range(s.I[layout.MULTISTEP] - 1, 0, -1):
                for i in range(m.x.size):
                    s.back[j, i] = s.back[j - 1, i]
            for i in range(m.x.size):
                s.back[0, i] = s.K[0, i]
            s.I[layout.BACK] += 1
        if s.I[layout.ADAPTIVE] == 0:
            for q in range(m.g.size):
                s.samples[BEFORE, q] = s.G[0, q]
        x, x_new, K = m.x, s.x_new, s.K
        for i in range(x.size):
            x[i] = x_new[i]
            K[0, i] = K[last, i]
        s.F[layout.T] = t_new
        s.I[layout.STEPS] += 1
        s.I[layout.REFINE_NEXT] = 1
        if not (event or due):
            for q in range(m.g.size):
                s.G[0, q] = s.G[last, q]
            if s.I[layout.GRID] == 0 and (s.I[layout.REFINE] > 0 or t_new >= s.F[layout.T_END]):
                if s.I[layout.STALE] == 1:
                    backend_evaluate(code, t_new, m.x, s.scratch, m)
                    s.I[layout.STALE] = 0
                row(m, s, t_new, m.x, layout.AT_STEP)
            return 0
        gap = np.inf
        if event:
            s.I[layout.STATE_EVENTS] += 1
            gap = t_new - s.F[layout.T_EVENT]
            s.F[layout.T_EVENT] = t_new
            s.I[layout.CROWDED] = s.I[layout.CROWDED] + 1 if gap <= s.F[layout.ZENO_GAP] else 0
        status = settle(code, m, s, 0)
        grid_here(m, s)
        if status == 0 and event:
            if s.I[layout.CROWDED] > CROWD:
                return layout.CROWDED_EVENTS
            if chatters(m, s, gap):
                return layout.CHATTERING
        return int(status)

    backend_evaluate = backend.evaluate

    @jit
    def advance(code: Any, m: Any, s: Any) -> int:
        """Run on until the end, a full log, an empty budget or a failure."""
        room = s.log.shape[0] - 8
        event_room = s.events.shape[0] - 2 * (m.g.size + s.timers.shape[0]) - 8
        while True:
            upcoming = next_time(s, m)
            target = min(s.F[layout.T_END], upcoming)
            if s.I[layout.PHASE] == layout.STEPPING:
                if s.F[layout.T] >= s.F[layout.T_END]:
                    return layout.DONE
                if s.I[layout.ROWS] >= room or s.I[layout.EVENT_ROWS] >= event_room:
                    return layout.FULL
                if s.I[layout.STEPS] >= s.I[layout.MOST_STEPS]:
                    return layout.TOO_MANY
                if s.I[layout.BUDGET] <= 0:
                    return layout.PAUSED
                s.I[layout.BUDGET] -= 1
                s.I[layout.STALE] = 0
                before = s.F[layout.H]
                status = take(code, m, s, target)
                if status != 0:
                    return int(status)
                s.F[layout.T_BAD] = np.inf
                if m.g.size > 0:
                    if adjustable and not calm(s) and wild(code, m, s):
                        s.F[layout.H] = 0.25 * s.F[layout.H_TAKEN]
                        s.I[layout.REJECTED] += 1
                        s.I[layout.REJECTED_LAST] = 1
                        continue
                    s.F[layout.H] = min(s.F[layout.H], max(before, 2.0 * s.F[layout.H_TAKEN]))
                    s.F[layout.T_BAD] = detect(code, m, s)
                s.I[layout.PHASE] = layout.WRITING
            event = s.F[layout.T_BAD] < np.inf
            due = upcoming <= s.F[layout.T_NEW]
            if s.I[layout.GRID] == 1 or s.I[layout.REFINE] > 1:
                status = write(code, m, s, event or due)
                if status != 0:
                    return int(status)
            s.I[layout.PHASE] = layout.STEPPING
            status = accept(code, m, s, event, due)
            if status != 0:
                return int(status)

    return begin, advance
