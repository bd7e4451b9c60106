"""Measures that are derivatives of other measures are computed after the runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.door import body
from ...base.errors import BlockdynError
from ...solvers.layout import Integers
from ..place.base import reason_of
from ..store.part import SUCCESSES, Part
from .lane import Cancelled

if TYPE_CHECKING:
    from .task import Task


class Gradients:
    """The gradients of one task; a thread takes its workspace from here and puts it back."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._idle: list[Any] = []

    def ready(self) -> None:
        """Make the first one. Raises NotDifferentiable, GradientError."""
        self._idle.append(self._swept())

    def take(self, part: Part, cancelled: Integers) -> None:
        """Write them into the rows of scenarios that ended well: NaN, with the reason, where there are none.

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
