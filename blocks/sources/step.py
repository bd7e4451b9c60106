"""Step: one jump at a given time."""

from __future__ import annotations

from typing import ClassVar

from ...solvers.events.timer import Timer
from ..contract.icon import Icon
from ..contract.marks import first, graph
from ..contract.parameter import Real, option, parameter
from .source import Source


class Step(Source):
    """A signal that jumps once.

        y = initial for t < time,  final for t >= time

    The jump is a time event: the solver stops at it exactly, and no step straddles it.

    Example:
        {type: Step, time: 1.0, final: 10.0}
    """

    icon = "step"
    elementwise: ClassVar = True

    time: Real = parameter(default=1.0, unit="s", doc="time of the jump", dimensions=(0,))
    initial: Real = parameter(default=0.0, unit="[y]", doc="value before the jump")
    final: Real = parameter(default=1.0, unit="[y]", doc="value after the jump")
    unit: str = option(default="", doc="unit of y")

    def symbol(self) -> Icon:
        before, after = first(self.initial), first(self.final)
        return graph([(0, before), (1, before), (1, after), (2, after)])

    def timers(self) -> Timer:
        return Timer.at([self.time])  # type: ignore[list-item]

    @staticmethod
    def output(mode: int, initial: float, final: float) -> float:
        return final if mode > 0 else initial
