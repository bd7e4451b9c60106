"""RateLimitedLag: a first-order lag whose rate is limited."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ..contract.block import Block
from ..contract.curves import limited_rate
from ..contract.errors import ParameterError
from ..contract.icon import Icon
from ..contract.parameter import Real, parameter
from ..contract.port import Crossing, Like, Port, State


class RateLimitedLag(Block):
    """A first-order lag whose rate is limited, element by element.

        dy/dt = (u - y) / time_constant, limited to falling ... rising

    Far from u, y moves at the limit; near u it lags by time_constant du/dt, as a drive lags its set point.
    The limits are reached and left at located instants. u does not feed through to y directly, so it can be
    used in a loop. RateLimiter does not lag; DiscreteRateLimiter is for sampled signals.
    Raises ParameterError unless falling <= 0 and falling < rising.

    Example:
        {type: RateLimitedLag, rising: 2.0, falling: -2.0, time_constant: 0.001}
    """

    icon = "rate limiter"
    inputs: ClassVar = (Port("u"),)
    outputs: ClassVar = (Port("y", like=Like(("u",))),)
    states: ClassVar = (State("x", "initial", like="y"),)
    crossings: ClassVar = (Crossing("rising"), Crossing("falling"))
    elementwise: ClassVar = True

    rising: Real = parameter(default=1.0, unit="1/s", doc="highest rate", minimum=0, infinite=True)
    falling: Real = parameter(default=-1.0, unit="1/s", doc="lowest rate, negative", infinite=True)
    time_constant: Real = parameter(default=0.01, unit="s", doc="lag within the limits", above=0)
    initial: Real = parameter(default=0.0, unit="[u]", doc="y at the start")

    def symbol(self) -> Icon:
        return limited_rate(self.rising, self.falling)

    def check(self) -> None:
        if not np.all(np.less(self.falling, self.rising)) or np.any(np.greater(self.falling, 0.0)):  # type: ignore[arg-type]
            expected = f"zero or less, and less than rising, {self.rising}"
            raise ParameterError("RateLimitedLag", "falling", self.falling, expected)

    @staticmethod
    def crossing(
        u: float, x: float, rising: float, falling: float, time_constant: float
    ) -> tuple[float, float]:
        # The rate minus its limit, times the time constant: distances of the magnitude of the signal.
        return u - x - rising * time_constant, u - x - falling * time_constant

    @staticmethod
    def mode(u: float, x: float, rising: float, falling: float, time_constant: float) -> int:
        return 1 if u - x > rising * time_constant else (-1 if u - x < falling * time_constant else 0)

    @staticmethod
    def derivative(
        mode: int, u: float, x: float, rising: float, falling: float, time_constant: float
    ) -> float:
        return rising if mode > 0 else (falling if mode < 0 else (u - x) / time_constant)

    @staticmethod
    def output(x: float) -> float:
        return x
