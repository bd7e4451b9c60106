"""Lend the idle lanes of one task to threads.

Measures that are derivatives of other measures are computed after the runs.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.door import body
from ...base.errors import BlockdynError
from ...solvers.layout import Integers
from ..measures.prepared import KernelData
from ..place.base import Base, reason_of
from ..store.part import SUCCESSES, Part
from .lane import Cancelled, Lane
from .native_lane import NativeLane
from .python_lane import PythonLane

if TYPE_CHECKING:
    from .task import Task


def make_lane(base: Base, measures: KernelData, cancelled: Integers) -> Lane:
    """A lane over a base: machine code if its scenarios need no Python."""
    return (NativeLane if base.native else PythonLane)(base, measures, cancelled)


class Lanes:
    """Lanes over one base."""

    def __init__(self, base: Base, measures: KernelData) -> None:
        self._base, self._measures = base, measures
        self._most = 1 if base.program.plan.one_each else None  # scenarios in one go
        self._idle: deque[Lane] = deque()

    def ready(self, cancelled: Integers) -> None:
        """Make the first one."""
        self._idle.append(self._lane(cancelled))

    def do(
        self, rows: Integers, cancelled: Integers, trying: Integers, work: Callable[[Lane, Integers], int]
    ) -> None:
        """Run `work` on rows with a lane; it returns how many are done. If a row makes the lane unusable,
        another lane continues.
        """
        while rows.size:
            lane = self._lane(cancelled)
            lane.cancelled, lane.trying = cancelled, trying
            rows = rows[work(lane, rows[: self._most]) :]
            if not lane.lost:
                self._idle.append(lane)

    def _lane(self, cancelled: Integers) -> Lane:
        try:
            return self._idle.pop()
        except IndexError:
            return make_lane(self._base, self._measures, cancelled)


class Gradients:
    """The gradients of one task; a thread borrows its workspace from here."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._idle: list[Any] = []

    def ready(self) -> None:
        """Make the first one. Raises NotDifferentiable, GradientError."""
        self._idle.append(self._swept())

    def take(self, part: Part, cancelled: Integers) -> None:
        """Write them into the rows of successful scenarios: NaN, with the reason, if there are none.

        Raises Cancelled.
        """
        try:
            swept = self._idle.pop()
        except IndexError:
            swept = self._swept()
        for row in np.flatnonzero(part.outcome < SUCCESSES).tolist():
            if cancelled[0]:
                raise Cancelled
            try:
                part.measures[row, swept.columns], reason = swept.at(part.start + row)
            except BlockdynError as error:
                part.measures[row, swept.columns], reason = np.nan, reason_of(error)
            part.reason[row] = part.reason[row] or reason
        self._idle.append(swept)

    def _swept(self) -> Any:
        """The derivatives of one thread, a `gradients.sweep_derivatives.SweepDerivatives`."""
        return body("gradients.sweep_derivatives:SweepDerivatives")(self._task)
