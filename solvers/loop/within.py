"""Write the rows within an accepted step, and serve the ticks that only read."""

from __future__ import annotations

import numpy as np

from ...native.pieces import mark_cold
from .. import layout
from ..backend import Code
from ..events.timer import instant, next_tick
from ..layout import Memory, Work
from ..program import evaluate, interpolate, observe, prepare, quarters
from .record import row

MARGIN = 8  # rows that one event time may add to the rows of a step


def write(code: Code, m: Memory, s: Work, cut: bool) -> int:
    """The rows within the step, and the ticks that only read, in their order; where the step's end is
    `cut`, that instant is left to `settle`.
    """
    while True:
        time = next_tick(s, m) if s.reading == 1 else s.t_new
        reads = s.reading == 1 and (time < s.t_new or (time == s.t_new and not cut))
        failed = rows_until(code, m, s, time if reads else s.t_new, cut or reads)
        if failed != 0 or not reads:
            return int(failed)
        if s.rows >= s.log.shape[0] - MARGIN:
            return layout.FULL
        failed = tick(code, m, s, time)
        if failed != 0:
            return int(failed)


def grid_here(m: Memory, s: Work) -> None:
    """The row of a grid time that meets an instant: its right limit."""
    if s.gridded == 1:
        while s.grid_next < s.grid.size and s.grid[s.grid_next] <= s.t:
            row(m, s, s.t, m.x, layout.AT_GRID)
            s.grid_next += 1


def state_at(code: Code, m: Memory, s: Work, time: float) -> int:
    """The state at a time within the step just taken, into x_trial."""
    if time == s.t_new:
        for i in range(m.x.size):
            s.x_trial[i] = s.x_new[i]
    else:
        failed = prepare(code, m, s)
        if failed != 0:
            s.detail = failed
            return layout.KERNEL_FAILED
        interpolate(code, m, s, (time - s.t) / s.h_taken, s.x_trial)
    return 0


def at(code: Code, m: Memory, s: Work, time: float, flag: int) -> int:
    """A row at a time within the step just taken."""
    failed = state_at(code, m, s, time)
    if failed != 0:
        return int(failed)
    failed = evaluate(code, time, s.x_trial, s.scratch, m)
    s.evaluations += 1
    s.stale = 1
    if failed < 0:
        s.detail = failed
        return layout.KERNEL_FAILED
    if failed > 0:
        s.t_bad = time
        return layout.NONFINITE
    row(m, s, time, s.x_trial, flag)
    return 0


def rows_until(code: Code, m: Memory, s: Work, end: float, apart: bool) -> int:
    """The rows of the grid, or of the refinement, up to `end`; the end itself is not one when `apart`.

    Where rows are written at ticks, what lies between two of them is refined like a step.
    """
    room = s.log.shape[0] - MARGIN
    if s.gridded == 1:
        while s.grid_next < s.grid.size:
            time = s.grid[s.grid_next]
            if time > end or (apart and time == end):
                break
            if s.rows >= room:
                return layout.FULL
            failed = at(code, m, s, time, layout.AT_GRID)
            if failed != 0:
                return int(failed)
            s.grid_next += 1
        return 0
    parts = s.refine
    start = s.t_row
    if s.heard != layout.EVERYTHING:
        start, end = s.t, s.t_new
    k = s.rows
    whole = start == s.t and end == s.t_new and s.t_bad == np.inf and s.refine_next == 1
    if parts == 4 and whole and s.written_out == 2:
        if k >= room:
            return layout.FULL
        failed = quarters(code, s.t, s.t_new, s.h_taken, m.x, s.K, s.log[k], s.G, m)
        if failed < 0:
            s.detail = failed
            return layout.KERNEL_FAILED
        if failed > 0:
            s.t_bad = s.t_new
            return layout.NONFINITE
        s.rows = k + 3
        s.refine_next = 4
        return 0
    while s.refine_next < parts and start < end:
        if s.rows >= room:
            return layout.FULL
        time = start + (end - start) * s.refine_next / parts
        failed = at(code, m, s, time, layout.AT_STEP)
        if failed != 0:
            return int(failed)
        s.refine_next += 1
    return 0


def ring(m: Memory, s: Work, time: float) -> None:
    """Count the timers that only read and are due; their clocks' ticks are marked."""
    for i in range(s.timers.shape[0]):
        slot = s.timers[i, layout.MODE]
        while (
            s.timers[i, layout.READS] == 1
            and instant(s.timers, s.timer_integers, s.timer_floats, i, m.modes[slot]) <= time
        ):
            m.modes[slot] += 1
            m.hit[s.timers[i, layout.HIT]] = 1


@mark_cold
def tick(code: Code, m: Memory, s: Work, time: float) -> int:
    """All ticks that only read at one instant of the step: rows show it from both sides, where a signal
    that flows hears them, or what is held alone.
    """
    both = s.gridded == 0 and s.heard == layout.EVERYTHING
    if both:
        failed = at(code, m, s, time, layout.WITHIN if time < s.t_new else layout.LEFT)
        if failed != 0:
            return int(failed)
    failed = state_at(code, m, s, time)
    if failed != 0:
        return int(failed)
    ring(m, s, time)
    failed = observe(code, time, s.x_trial, s.scratch, m)
    s.evaluations += 1
    if failed != 0:
        s.t_bad = time
        s.detail = failed
        return layout.KERNEL_FAILED if failed < 0 else layout.NONFINITE
    for c in range(m.hit.size):
        m.hit[c] = 0
    if both:
        s.t_row = time
        s.refine_next = 1
        return int(at(code, m, s, time, layout.RIGHT))
    if s.gridded == 0 and s.heard == layout.HELD_SIGNALS:
        row(m, s, time, s.x_trial, layout.HELD_ONLY)
    return 0
