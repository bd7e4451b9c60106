"""Ramp: a signal that begins to rise at a given time."""

from __future__ import annotations

from typing import ClassVar

from ...solvers.events.timer import Timer
from ..contract.icon import Icon
from ..contract.marks import first, graph
from ..contract.parameter import Real, option, parameter
from .source import Source


class Ramp(Source):
    """A constant that becomes a straight line.

        y = initial for t < start,  initial + slope (t - start) for t >= start

    The kink is a time event: the solver stops at it exactly, and no step straddles it.

    Example:
        {type: Ramp, slope: 0.5, start: 1.0}
    """

    icon = "ramp"
    elementwise: ClassVar = True

    slope: Real = parameter(default=1.0, unit="1/s", doc="rise per second")
    start: Real = parameter(default=0.0, unit="s", doc="start of the slope", dimensions=(0,))
    initial: Real = parameter(default=0.0, unit="[y]", doc="value before the start")
    unit: str = option(default="", doc="unit of y")

    def symbol(self) -> Icon:
        return graph([(0, 0), (1, 0), (3, 2.0 if first(self.slope) >= 0 else -2.0)])

    def timers(self) -> Timer:
        return Timer.at([self.start])  # type: ignore[list-item]

    @staticmethod
    def output(t: float, mode: int, slope: float, start: float, initial: float) -> float:
        return initial + slope * (t - start) if mode > 0 else initial
