"""Gust: a gust in the shape of a cosine."""

from __future__ import annotations

from math import cos, pi
from typing import ClassVar

from ...solvers.events.timer import Timer
from ..contract.block import Block
from ..contract.parameter import Real, parameter
from ..contract.port import Port


class Gust(Block):
    """A gust of wind, 1-cosine: it rises and falls as one period of a cosine.

        y = amplitude (1 - cos(2 pi (t - start) / duration)) / 2   for start <= t <= start + duration, else 0

    `amplitude` is the velocity of the air in the middle of the gust, a number or a vector in the world frame.
    A gust with the gradient distance H, encountered at the airspeed V, lasts 2 H / V. Its beginning and end
    are time events.
    Source: EASA CS-25, CS 25.341(a), discrete gust design criteria.

    Example:
        {type: Gust, amplitude: [3.0, 0.0, 0.0], start: 2.0, duration: 1.5}
    """

    icon = "gust"
    inputs: ClassVar = ()
    outputs: ClassVar = (Port("y", unit="m/s", doc="velocity of the air"),)
    elementwise: ClassVar = True

    amplitude: Real = parameter(default=[1.0, 0.0, 0.0], unit="m/s", doc="velocity in the gust's middle")
    start: Real = parameter(default=1.0, unit="s", doc="start of the gust", dimensions=(0,))
    duration: Real = parameter(default=1.0, unit="s", doc="duration of the gust", above=0, dimensions=(0,))

    def timers(self) -> Timer:
        start, duration = float(self.start), float(self.duration)  # type: ignore[arg-type]
        return Timer.at([start, start + duration])

    @staticmethod
    def output(t: float, mode: int, amplitude: float, start: float, duration: float) -> float:
        if mode != 1:
            return 0.0
        return 0.5 * amplitude * (1.0 - cos(2.0 * pi * (t - start) / duration))
