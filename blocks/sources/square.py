"""Square: a square wave whose edges are exact."""

from __future__ import annotations

from typing import ClassVar

from ...solvers.events.timer import Timer, fraction
from ..contract.errors import ParameterError
from ..contract.icon import Icon
from ..contract.marks import first, graph, stairs
from ..contract.parameter import Real, option, parameter
from .source import Source


class Square(Source):
    """Square wave.

        y = bias + amplitude  for  offset + k period <= t < offset + (k + duty) period,  k = 0, 1, ...
            bias - amplitude  otherwise, also before `offset`

    With a negative offset the run starts in the middle of the wave. The edges are time events: edge k is
    computed by exact multiplication of fractions, so that it does not drift. Raises ParameterError unless 0 <
    duty < 1.

    Example:
        {type: Square, period: 0.2, duty: 0.25}
    """

    icon = "square"
    elementwise: ClassVar = True

    amplitude: Real = parameter(default=1.0, unit="[y]", doc="height above and below the bias")
    period: Real = parameter(
        default=1.0, unit="s", doc="time from one rising edge to the next", above=0, dimensions=(0,)
    )
    duty: Real = parameter(
        default=0.5, unit="1", doc="fraction of the period spent high", above=0, dimensions=(0,)
    )
    offset: Real = parameter(default=0.0, unit="s", doc="time of the first rising edge", dimensions=(0,))
    bias: Real = parameter(default=0.0, unit="[y]", doc="mean of high and low")
    unit: str = option(default="", doc="unit of y")

    def symbol(self) -> Icon:
        duty, height = first(self.duty), first(self.amplitude)
        return graph(stairs([0, duty, 1, 1 + duty, 2], [height, -height, height, -height, -height]))

    def check(self) -> None:
        if not self.duty < 1:  # type: ignore[operator]
            raise ParameterError("Square", "duty", self.duty, "between 0 and 1, both excluded")

    def timers(self) -> Timer:
        period, duty = fraction(self.period), fraction(self.duty)  # type: ignore[arg-type]
        # Multiplied as fractions: with floats 0.1 * 0.2 would miss the tick of a block sampled at 0.02 s.
        return Timer(period, self.offset, (fraction(0.0), duty * period))  # type: ignore[arg-type]

    @staticmethod
    def output(mode: int, amplitude: float, bias: float) -> float:
        # The mode counts edges: odd from a rising edge to the falling one.
        return bias + amplitude if mode % 2 == 1 else bias - amplitude
