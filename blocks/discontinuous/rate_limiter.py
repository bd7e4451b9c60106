"""RateLimiter: a signal followed exactly while it changes no faster than given rates."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import ClassVar

import numpy as np

from ..contract.block import Block
from ..contract.curves import limited_rate
from ..contract.errors import ParameterError
from ..contract.icon import Icon
from ..contract.parameter import Real, parameter
from ..contract.port import Crossing, Like, Port, State

SAME = 1e-12  # relative to two signals: a smaller jump is rounding
EDGE, TIME = 2.0**-50, 2.0**-52  # relative to two signals, 1 s and the time: rounding where a ramp begins
INSTANT = 2.0**-50  # relative to 1 s and to the time: the accuracy of the instant at which a ramp ends


class RateLimiter(Block):
    """Limited rate of change, element by element, without a lag.

        y = u  while falling <= du/dt <= rising;  otherwise dy/dt = rising (falling) until y = u again

    y leaves u at the instant when the rate of u passes a limit, or u jumps, and meets it again at the instant
    when they are equal; both are located. An infinite rate does not limit. At the start y is `initial`. u
    feeds through to y directly; in a loop, use RateLimitedLag, which has a lag. For sampled signals, see
    DiscreteRateLimiter.
    Raises ParameterError unless falling <= 0 <= rising and falling < rising.

    Example:
        {type: RateLimiter, rising: 2.0, falling: -2.0}
    """

    icon = "rate limiter"
    inputs: ClassVar = (Port("u"),)
    outputs: ClassVar = (Port("y", like=Like(("u",))),)
    states: ClassVar = (
        State("x", "initial", like="y"),
        State("side", "follows", held=True),
        State("last", "initial", held=True, like="y", before="y"),
    )
    crossings: ClassVar = (
        Crossing("meets", +1),
        Crossing("fast", +1, turns=True),
        Crossing("slow", -1, turns=True),
    )
    elementwise: ClassVar = True

    rising: Real = parameter(default=1.0, unit="1/s", doc="highest rate", minimum=0, infinite=True)
    falling: Real = parameter(default=-1.0, unit="1/s", doc="lowest rate, negative", infinite=True)
    initial: Real = parameter(default=0.0, unit="[u]", doc="y at the start")

    def symbol(self) -> Icon:
        return limited_rate(self.rising, self.falling)

    def check(self) -> None:
        if not np.all(np.less(self.falling, self.rising)) or np.any(np.greater(self.falling, 0.0)):  # type: ignore[arg-type]
            expected = f"zero or less, and less than rising, {self.rising}"
            raise ParameterError("RateLimiter", "falling", self.falling, expected)

    def constants(self) -> Mapping[str, float]:
        return {"follows": 0.0}

    @staticmethod
    def crossing(
        mode: int, t: float, u: float, x: float, rising: float, falling: float
    ) -> tuple[float, float, float]:
        # u changes faster than `rising` from the instant at which u - rising t begins to rise. Just after
        # that instant x and u differ only by rounding, so a ramp ends when x is beyond u by more than
        # rounding.
        if mode != 0:
            edge = EDGE * (abs(x) + abs(u)) + TIME * (1.0 + abs(t)) * (rising if mode > 0 else -falling)
            return mode * (x - u) - edge, 0.0, 0.0
        fast = u - rising * t if rising < inf else 0.0
        return -1.0, fast, u - falling * t if falling > -inf else 0.0

    @staticmethod
    def mode(
        mode: int, t: float, u: float, x: float, side: float, last: float, rising: float, falling: float,
        crossed_meets: int, crossed_fast: int, crossed_slow: int,
    ) -> int:  # fmt: skip
        """0: y = u; 1: y follows u at the rate `rising`, -1: at the rate `falling`."""
        y = x if side != 0.0 else last
        gap = u - y
        if mode * gap > 0.0 and crossed_meets == 0:
            return mode
        steepness = (rising if rising < inf else 0.0) - (falling if falling > -inf else 0.0)
        if abs(gap) <= SAME * (abs(u) + abs(y)) + INSTANT * (1.0 + abs(t)) * steepness:
            if crossed_meets == 0 and mode != 0:
                return mode  # y has just left u
            return 1 if crossed_fast == 1 else (-1 if crossed_slow == 1 else 0)
        if gap > 0.0:
            return 1 if rising < inf else 0
        return -1 if falling > -inf else 0

    @staticmethod
    def jump(mode: int, x: float, side: float, last: float) -> tuple[float, float, float]:
        return (last if side == 0.0 and mode != 0 else x), float(mode), last

    @staticmethod
    def derivative(mode: int, rising: float, falling: float) -> float:
        return rising if mode > 0 else (falling if mode < 0 else 0.0)

    @staticmethod
    def output(mode: int, u: float, x: float) -> float:
        return u if mode == 0 else x
