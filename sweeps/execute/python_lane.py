"""Python lane: scenarios that need Python, for the steps of their method or for a block."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
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
from ..place.placement import Overlay
from ..store.part import SUCCESSES, Part
from .lane import Cancelled, ended

SLICE = 200  # steps between two looks at whether somebody wants to stop


@dataclass
class PythonLane:
    """Each scenario in arrays of its own, with the steps taken from Python. See `Lane`."""

    base: Base
    measures: Compiled
    cancelled: Integers
    trying: Integers = field(default_factory=lambda: np.zeros(1, np.int64))
    lost: bool = False

    def measure(self, overlay: Overlay, rows: Integers, part: Part) -> int:
        for k in rows.tolist():
            self.trying[0] = part.start + k + 1
            absorber = Absorber(self.measures)
            run, status, failure = self._run(overlay, k, absorber.take)
            part.end[k], part.steps[k] = run.time, run.work.steps
            part.measures[k] = absorber.concluded(run.time)
            if status != layout.DONE:
                part.outcome[k], part.reason[k] = ended(self.base, run, status, failure)
                if part.outcome[k] >= SUCCESSES:
                    part.measures[k] = np.nan
        return len(rows)

    def keep(self, overlay: Overlay, rows: Integers, start: int) -> tuple[Floats, int]:
        times = self.base.settings.times
        assert times is not None
        kept = np.full((len(rows), times.size, len(self.base.elements)), np.nan)
        for grid, k in zip(kept, rows.tolist(), strict=True):
            self.trying[0] = start + k + 1
            self._run(overlay, k, partial(_copy, grid, iter(range(times.size))))
        return kept, len(rows)

    def _run(
        self, overlay: Overlay, row: int, take: Callable[[Floats, Floats], None]
    ) -> tuple[Run, int, Any]:
        """Advance to the end, and hand on rows and events; the run, its status, what a block raised."""
        base = self.base
        program, run = base.program, base.run(base.settings, base.problem, base.template.memory)
        run.floats[overlay.float_at] = overlay.floats[row]
        run.words[overlay.integer_at] = overlay.integers[row]
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
                if self.cancelled[0]:
                    raise Cancelled
                run.work.budget = SLICE
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


def _copy(grid: Floats, places: Iterator[int], rows: Floats, _events: Floats) -> None:
    """The rows on the grid, into the next places."""
    for row in rows[rows[:, 1] == layout.AT_GRID, 2:]:
        grid[next(places)] = row
