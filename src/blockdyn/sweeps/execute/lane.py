"""A lane runs scenarios of one base, one after another; each thread has its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from ...base.errors import BlockdynError
from ...diagrams.compiler.program import Program
from ...diagrams.model.errors import (
    AssertionFailed,
    Chattering,
    NotFinite,
    StepCollapse,
    TimeLimit,
    TooManySteps,
    Unsettled,
    Zeno,
)
from ...diagrams.model.run_errors import InstanceFailed
from ...diagrams.runs.diagnose import explain, out_of_time, stopped_by
from ...diagrams.runs.logged import make_columns
from ...diagrams.runs.simulate import STUCK, TIME_UP
from ...solvers import layout
from ...solvers.layout import Floats, Integers
from ...solvers.loop.run import Run
from ..place.base import Base, reason_of
from ..place.placement import Overlay
from ..store.part import OUTCOMES, Part


@dataclass(frozen=True)
class SignalGrid:
    """Paths of the saved signals, and the spacing of their times, s."""

    signals: tuple[str, ...] = ()
    every: float = 0.0

    def times(self, start: float, stop: float) -> Floats:
        """start, start + every, ... up to stop, s."""
        count = int(np.floor((stop - start) / self.every * (1.0 + 1e-12))) + 1
        times: Floats = np.minimum(start + self.every * np.arange(count), stop)
        return times

    def shapes(self, program: Program, times: int) -> dict[str, tuple[int, ...]]:
        """The shape of every kept signal for one scenario: times first."""
        return {c.name: (times, *c.size.shape) for c in make_columns(program).signals}

    def units(self, program: Program) -> dict[str, str]:
        """The unit of every kept signal that has one."""
        units = {c.name: c.heading.unit for c in make_columns(program).signals}
        return {name: unit for name, unit in units.items() if unit}

    def distribute(self, program: Program, trajectories: Floats, part: Part, rows: Integers) -> None:
        """Write the trajectories of scenarios (n, times, elements) into these rows of the part, by signal.

        A signal stays NaN if its size here differs from its size in the diagram as declared.
        """
        for column in make_columns(program).signals:
            into = part.signals.get(column.name)
            if into is not None and into.shape[2:] == column.size.shape:
                values = trajectories[:, :, column.start : column.start + column.size.count]
                into[rows] = values.reshape(len(rows), *into.shape[1:])


_OUTCOMES: dict[type[BlockdynError], str] = {
    NotFinite: "not finite", StepCollapse: "step collapse", Zeno: "zeno", Chattering: "chattering",
    Unsettled: "unsettled", AssertionFailed: "assert", TooManySteps: "too many steps",
    TimeLimit: "time limit",
}  # fmt: skip


class Cancelled(Exception):
    """The run was cancelled; unfinished results are discarded."""


def outcome_of(error: BlockdynError) -> int:
    """The index in OUTCOMES of the error that ended a run."""
    return OUTCOMES.index(
        next((name for kind, name in _OUTCOMES.items() if isinstance(error, kind)), "failed")
    )


class Lane(Protocol):
    """Runs scenarios: in machine code (`NativeLane`) or in Python (`PythonLane`).

    cancelled   cancelled[0] is not 0 after cancellation: a running scenario then raises Cancelled
    trying      trying[0] is the number, from 1 on, of the scenario that runs
    lost        a scenario did not return: the lane is no longer usable
    """

    cancelled: Integers
    trying: Integers
    lost: bool

    def measure(self, overlay: Overlay, rows: Integers, part: Part) -> int:
        """Run the scenarios of these rows of the overlay, and write their results into the same rows.

        Returns how many are done: all of them, unless the last of these took longer than the limit and did
        not return; then this lane is lost.
        """
        ...

    def keep(self, overlay: Overlay, rows: Integers, start: int) -> tuple[Floats, int]:
        """Run scenarios again for the rows on the grid: (rows, times, elements), NaN after an early end; and
        how many are done, as in `measure`. The first row of the overlay is scenario `start`.
        """
        ...


def not_begun(part: Part, row: int, error: InstanceFailed) -> None:
    """Record a scenario with a block that could not be given its own objects."""
    part.outcome[row], part.reason[row] = outcome_of(error), reason_of(error)
    part.measures[row] = np.nan


def ended(base: Base, run: Run, status: int, failure: Any = None) -> tuple[int, str]:
    """The outcome of a run that did not reach its stop time, and the reason in words."""
    if status == layout.STOPPED:
        path, failed = stopped_by(base.program, run)
        if failed is None:
            return OUTCOMES.index("stopped"), f"{path} ended the run at t = {run.time!r} s"
        return OUTCOMES.index("assert"), reason_of(failed)
    error = (
        explain(base.program, run, status, failure)
        if status not in (TIME_UP, STUCK)
        else out_of_time(base.program, run, base.request.max_time or 0.0, failure, stuck=status == STUCK)
    )
    return outcome_of(error), reason_of(error)
