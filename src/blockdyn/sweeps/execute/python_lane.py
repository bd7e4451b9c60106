"""A Python lane runs scenarios that need Python, for the steps of their method or for a block."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from ...diagrams.model.run_errors import InstanceFailed
from ...diagrams.runs.limited import TimeLimitedRun
from ...diagrams.runs.owned import RunInstances, make_owned_objects
from ...diagrams.runs.prepared import calls
from ...diagrams.runs.waiting import Compiler
from ...solvers import layout
from ...solvers.layout import Floats, Integers
from ...solvers.loop.run import Run
from ..measures.kernel import Absorber
from ..measures.prepared import KernelData
from ..place.base import Base
from ..place.placement import Overlay
from ..store.part import SUCCESSES, Part
from .lane import Cancelled, ended, not_begun

SLICE = 200  # steps between two checks for cancellation


@dataclass
class PythonLane:
    """Runs each scenario in its own arrays, with steps taken from Python. See `Lane`."""

    base: Base
    measures: KernelData
    cancelled: Integers
    trying: Integers = field(default_factory=lambda: np.zeros(1, np.int64))
    lost: bool = False

    def measure(self, overlay: Overlay, rows: Integers, part: Part) -> int:
        for k in rows.tolist():
            self.trying[0] = part.start + k + 1
            try:
                self._measure(overlay, k, part)
            except InstanceFailed as error:
                not_begun(part, k, error)
        return len(rows)

    def keep(self, overlay: Overlay, rows: Integers, start: int) -> tuple[Floats, int]:
        times = self.base.settings.times
        assert times is not None
        trajectories = np.full((len(rows), times.size, len(self.base.elements)), np.nan)
        for grid, k in zip(trajectories, rows.tolist(), strict=True):
            self.trying[0] = start + k + 1
            take = partial(_copy, grid, iter(range(times.size)))
            with suppress(InstanceFailed), self._run(overlay, k, take):
                pass
        return trajectories, len(rows)

    def _measure(self, overlay: Overlay, k: int, part: Part) -> None:
        absorber = Absorber(self.measures)
        with self._run(overlay, k, absorber.take) as (run, status, failure):
            part.end[k], part.steps[k] = run.time, run.work.steps
            part.measures[k] = absorber.concluded(run.time)
            if status != layout.DONE:
                part.outcome[k], part.reason[k] = ended(self.base, run, status, failure)
                if part.outcome[k] >= SUCCESSES:
                    part.measures[k] = np.nan

    @contextmanager
    def _run(
        self, overlay: Overlay, row: int, take: Callable[[Floats, Floats], None]
    ) -> Iterator[tuple[Run, int, Any]]:
        """A finished run, whose rows and events were delivered; its status, and the error of a block."""
        base = self.base
        program, run = base.program, base.run(base.settings, base.problem, base.template.memory)
        run.floats[overlay.float_at] = overlay.floats[row]
        run.words[overlay.integer_at] = overlay.integers[row]
        with make_owned_objects(program, run.memory.p) as owned:
            status = self._advanced(run, take, owned)
            failure = program.active_callbacks.failure()
            if run.judge is not None and run.judge.failure is not None:
                failure = run.judge.failure
            if failure is not None and isinstance(failure[1], (KeyboardInterrupt, Cancelled)):
                raise failure[1]
            yield run, status, failure

    def _advanced(self, run: Run, take: Callable[[Floats, Floats], None], owned: RunInstances) -> int:
        program, request = self.base.program, self.base.request
        begin, advance = calls(program, run, request)
        limited = None
        if request.max_time is not None:
            run.taking_over = compiler = Compiler(False)
            limited = TimeLimitedRun(run, (begin, advance), program, request.max_time, compiler)
            begin, advance = limited.begin, limited.advance
        program.active_callbacks.failure()
        program.active_callbacks.costs()
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
                if limited.abandoned:
                    owned.leave()
        take(*run.empty_log())
        return status


def _copy(grid: Floats, places: Iterator[int], rows: Floats, _events: Floats) -> None:
    """Copy the rows on the grid to the next places."""
    for row in rows[rows[:, 1] == layout.AT_GRID, 2:]:
        grid[next(places)] = row
