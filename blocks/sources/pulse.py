"""Pulse: a signal that is high for a given time, once, a few times or forever."""

from __future__ import annotations

from typing import ClassVar

from ...solvers.events.timer import Timer, fraction
from ..contract.errors import ParameterError
from ..contract.icon import Icon
from ..contract.marks import first, graph, stairs
from ..contract.parameter import Real, option, parameter
from .source import Source


class Pulse(Source):
    """Pulses of a given width.

        y = bias + amplitude  for  delay + k period <= t < delay + k period + width,  k = 0, 1, ..., count - 1
            bias              otherwise

    Without `count` the pulses never end. The edges are time events, computed by exact multiplication of
    fractions, so that they do not drift. In Square the width is a fraction of the period, and the signal
    swings about its bias. Raises ParameterError unless the width is less than the period.

    Example:
        {type: Pulse, period: 1.0, width: 0.1, delay: 0.5, amplitude: 12.0}
    """

    icon = "pulse"
    elementwise: ClassVar = True

    amplitude: Real = parameter(default=1.0, unit="[y]", doc="height above the bias")
    period: Real = parameter(
        default=1.0, unit="s", doc="time from one pulse to the next", above=0, dimensions=(0,)
    )
    width: Real = parameter(default=0.5, unit="s", doc="length of a pulse", above=0, dimensions=(0,))
    delay: Real = parameter(default=0.0, unit="s", doc="start of the first pulse", dimensions=(0,))
    bias: Real = parameter(default=0.0, unit="[y]", doc="value between pulses")
    count: int | None = option(default=None, doc="number of pulses; default: no end")
    unit: str = option(default="", doc="unit of y")

    def symbol(self) -> Icon:
        period, width, height = first(self.period), first(self.width), first(self.amplitude)
        times = [-0.2 * period, 0.0, width, period, period + width, 2 * period]
        return graph(stairs(times, [0, height, 0, height, 0, 0]))

    def check(self) -> None:
        if not self.width < self.period:  # type: ignore[operator]
            raise ParameterError("Pulse", "width", self.width, f"less than the period, {self.period}")
        if self.count is not None and not 1 <= self.count <= 100_000:
            raise ParameterError("Pulse", "count", self.count, "a whole number from 1 to 100000")

    def timers(self) -> Timer:
        period, width, delay = fraction(self.period), fraction(self.width), fraction(self.delay)  # type: ignore[arg-type]
        if self.count is None:
            return Timer(period, self.delay, (fraction(0.0), width))  # type: ignore[arg-type]
        begins = [delay + k * period for k in range(self.count)]
        return Timer.at([float(edge) for begin in begins for edge in (begin, begin + width)])

    @staticmethod
    def output(mode: int, amplitude: float, bias: float) -> float:
        return bias + amplitude if mode % 2 == 1 else bias  # the mode counts edges
