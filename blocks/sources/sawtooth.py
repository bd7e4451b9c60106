"""Sawtooth: straight lines up and down, repeated; a triangle wave if both take the same time."""

from __future__ import annotations

from typing import ClassVar

from ...solvers.events.timer import Timer, fraction
from ..contract.errors import ParameterError
from ..contract.icon import Icon
from ..contract.marks import first, graph
from ..contract.parameter import Real, option, parameter
from .source import Source


class Sawtooth(Source):
    """Sawtooth wave, and with `rise: 0.5` a triangle.

        y = bias + amplitude (2 s / rise - 1)               while s < rise
            bias + amplitude (1 - 2 (s - rise) / (1 - rise))  while s >= rise,
        s = ((t - offset) / period) modulo 1

    It rises from bias - amplitude to bias + amplitude in the fraction `rise` of each period, and falls in the
    remainder; with `rise: 1` it jumps down, with `rise: 0` it jumps up. Before `offset` y is the first value
    of a period. Corners and jumps are time events, computed by multiplication, so that they do not drift.
    Raises ParameterError unless 0 <= rise <= 1.

    Example:
        {type: Sawtooth, period: 0.2, rise: 0.5}
    """

    icon = "sawtooth"
    elementwise: ClassVar = True

    amplitude: Real = parameter(default=1.0, unit="[y]", doc="height above and below the bias")
    period: Real = parameter(default=1.0, unit="s", doc="length of a tooth", above=0, dimensions=(0,))
    rise: Real = parameter(
        default=1.0, unit="1", doc="fraction of the period spent rising", minimum=0, dimensions=(0,)
    )
    offset: Real = parameter(default=0.0, unit="s", doc="start of the first tooth", dimensions=(0,))
    bias: Real = parameter(default=0.0, unit="[y]", doc="mean value")
    unit: str = option(default="", doc="unit of y")

    def symbol(self) -> Icon:
        rise = first(self.rise)
        teeth = [(k + x, y) for k in (0, 1) for x, y in ((0, -1), (rise, 1), (1, -1))]
        return graph(teeth)

    def check(self) -> None:
        if not self.rise <= 1:  # type: ignore[operator]
            raise ParameterError("Sawtooth", "rise", self.rise, "from 0 to 1")

    def timers(self) -> Timer:
        period, rise = fraction(self.period), fraction(self.rise)  # type: ignore[arg-type]
        corners = (fraction(0.0), rise * period) if 0 < rise < 1 else (fraction(0.0),)
        return Timer(period, self.offset, corners)  # type: ignore[arg-type]

    @staticmethod
    def output(
        t: float, mode: int, amplitude: float, period: float, rise: float, offset: float, bias: float
    ) -> float:
        corners = 2 if 0.0 < rise < 1.0 else 1
        since = (t - (offset + period * ((mode - 1) // corners))) / period if mode > 0 else 0.0
        if rise > 0.0 and (corners == 1 or mode % 2 == 1 or mode == 0):
            return bias + amplitude * (2.0 * since / rise - 1.0)
        return bias + amplitude * (1.0 - 2.0 * (since - rise) / (1.0 - rise))
