"""Scenarios that need Python: methods whose steps it takes, and blocks that it runs; one at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...diagrams.runs.limited import Limited
from ...diagrams.runs.simulate import calls
from ...solvers import layout
from ...solvers.layout import Floats, Integers
from ...solvers.loop.run import Run
from ..measures.compiled import Compiled
from ..measures.native import Absorber
from ..place.base import Base
from ..store.part import SUCCESSES, Part
from .lane import Cancelled, ended

SLICE = 200  # steps between two looks at whether somebody wants to stop


def run_in_python(base: Base, measures: Compiled, part: Part, cancelled: Integers) -> None:
    """Run the base as it is, and write what it came to into the part's only row. Raises Cancelled."""
    absorber = Absorber(measures)
    run, status, failure = _run(base, absorber.take, cancelled)
    part.end[0], part.steps[0] = run.time, run.count(layout.STEPS)
    part.measures[0] = absorber.concluded(run.time)
    if status != layout.DONE:
        part.outcome[0], part.reason[0] = ended(base, run, status, failure)
        if part.outcome[0] >= SUCCESSES:
            part.measures[0] = float("nan")


def keep_in_python(base: Base, times: int, cancelled: Integers) -> Floats:
    """Run the base as it is for its rows on the grid: (times, elements), NaN behind an early end."""
    kept = np.full((times, len(base.elements)), np.nan)
    written = 0

    def take(rows: Floats, _events: Floats) -> None:
        nonlocal written
        found = rows[rows[:, 1] == layout.AT_GRID, 2:]
        kept[written : written + len(found)] = found
        written += len(found)

    _run(base, take, cancelled)
    return kept


def _run(base: Base, take: Callable[[Floats, Floats], None], cancelled: Integers) -> tuple[Run, int, Any]:
    """Advance to the end, and hand on rows and events; the run, its status, what a block raised."""
    program, run = base.program, base.run(base.settings, base.problem, base.template.memory)
    begin, advance = calls(program, run, base.request)
    limited = None
    if base.request.max_time is not None:
        limited = Limited(run, (begin, advance), program, base.request.max_time)
        begin, advance = limited.begin, limited.advance
    program.callbacks.failure()
    program.callbacks.costs()
    try:
        status = begin()
        while status in (0, layout.FULL, layout.PAUSED):
            take(*run.empty_log())
            if cancelled[0]:
                raise Cancelled
            run.work.I[layout.BUDGET] = SLICE
            status = advance()
            if status == layout.DONE:
                break
    finally:
        if limited is not None:
            limited.end()
    take(*run.empty_log())
    failure = program.callbacks.failure()
    if run.judge is not None and run.judge.failure is not None:
        failure = run.judge.failure
    if failure is not None and isinstance(failure[1], (KeyboardInterrupt, Cancelled)):
        raise failure[1]
    return run, status, failure
