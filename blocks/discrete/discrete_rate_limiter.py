"""DiscreteRateLimiter: a sampled signal followed no faster than given rates."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ..contract.block import Block
from ..contract.curves import limited_rate
from ..contract.errors import ParameterError
from ..contract.icon import Icon
from ..contract.parameter import Real, parameter
from ..contract.port import Like, Port, State


class DiscreteRateLimiter(Block):
    """Limited change from sample to sample, element by element.

        y_k = y_{k-1} + min(max(u_k - y_{k-1}, falling T), rising T),  T = sample_time,  y_{-1} = initial

    Before the first tick y is `initial`. u feeds through to y directly. Raises ParameterError for a `falling`
    above 0.

    Example:
        {type: DiscreteRateLimiter, sample_time: 0.01, rising: 2.0, falling: -2.0}
    """

    icon = "rate limiter"
    inputs: ClassVar = (Port("u"),)
    outputs: ClassVar = (Port("y", like=Like(("u",))),)
    states: ClassVar = (State("last", "initial", like="y"),)
    elementwise: ClassVar = True
    sampled: ClassVar = True
    held_initial: ClassVar = "initial"

    sample_time: Real = parameter(unit="s", doc="period", above=0, dimensions=(0,))
    offset: Real = parameter(default=0.0, unit="s", doc="first tick", minimum=0, dimensions=(0,))
    rising: Real = parameter(default=1.0, unit="1/s", doc="highest rate", minimum=0, infinite=True)
    falling: Real = parameter(default=-1.0, unit="1/s", doc="lowest rate, negative", infinite=True)
    initial: Real = parameter(default=0.0, unit="[u]", doc="y before the first tick")

    def symbol(self) -> Icon:
        return limited_rate(self.rising, self.falling)

    def check(self) -> None:
        if np.any(np.greater(self.falling, 0.0)):  # type: ignore[arg-type]
            raise ParameterError("DiscreteRateLimiter", "falling", self.falling, "zero or less")

    @staticmethod
    def output(u: float, last: float, rising: float, falling: float, sample_time: float) -> float:
        return last + min(max(u - last, falling * sample_time), rising * sample_time)

    @staticmethod
    def update(y: float) -> float:
        return y
