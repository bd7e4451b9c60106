"""Instant of a touch: numbers of a run changed where it stands, settled by the loop like a time event."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...solvers import layout
from ...solvers.events.dip import BEFORE
from ...solvers.loop.entry import Calls
from ...solvers.loop.run import Run

LATEST = (layout.RIGHT, layout.INITIAL)  # flags of rows that a touch at their instant comes between


def touch(run: Run, calls: Calls, change: Callable[[], None], evaluate: Callable[[], int]) -> int:
    """Change numbers of the run at its time: rows show both limits, modes and crossings settle.

    The run stands between two steps, and the rows of this instant are still in its log; its last timer is
    that of touches (`Program.problem`). `evaluate` makes its signals those of its time and state. The solver
    goes on as after any event: slopes are computed anew, the size of the next step is kept. Returns a status
    of `layout`: PAUSED, FULL or DONE where all is well.
    """
    s, m = run.work, run.memory
    if s.stale == 1:
        failed = evaluate()
        if failed != 0:
            s.detail, s.t_bad = failed, s.t
            return layout.KERNEL_FAILED if failed < 0 else layout.NONFINITE
        s.stale = 0
    shown = _take_back(run)
    change()
    before = s.samples[BEFORE].copy()
    timer = len(s.timers) - 1
    m.modes[s.timers[timer, layout.MODE]] = 0
    s.timer_floats[s.timers[timer, layout.DATA]] = s.t
    s.x_new[:] = m.x
    s.K[s.stages - 1] = s.K[0]
    s.t_new = s.t_row = s.t
    s.t_bad, s.refine_next = np.inf, s.refine
    s.phase, s.budget = layout.WRITING, 0
    first = s.rows
    status = calls[1]()
    s.samples[BEFORE] = before
    s.steps -= 1
    if shown is not None and s.rows > first:
        s.log[first : s.rows - 1] = s.log[first + 1 : s.rows]
        s.rows -= 1
        s.log[s.rows - 1, 1] = shown if shown == layout.INITIAL else s.log[s.rows - 1, 1]
    return status


def _take_back(run: Run) -> int | None:
    """Take back the last row of this instant, which the loop writes again.

    Returns its flag where it is a limit from the right, after which there is to be no other from the left.
    """
    s = run.work
    k = s.rows - 1
    if k < 0 or s.log[k, 0] != s.t:
        return None
    flag = int(s.log[k, 1])
    if flag in (layout.AT_STEP, layout.AT_GRID, *LATEST):
        s.rows = k
    if flag == layout.AT_GRID:
        s.grid_next -= 1
    return flag if flag in LATEST else None
