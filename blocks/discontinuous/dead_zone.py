"""DeadZone: a signal that is zero between two limits."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ..contract.block import Block
from ..contract.errors import ParameterError
from ..contract.icon import Icon
from ..contract.marks import first, graph
from ..contract.parameter import Real, parameter
from ..contract.port import Crossing, Like, Port


class DeadZone(Block):
    """Zero between two limits, the excess beyond them, element by element.

        y = u - upper for u > upper,  u - lower for u < lower,  0 between

    The branch is a mode (1, -1, 0): it changes at the located instant when u passes a limit. u feeds through
    to y directly. Raises ParameterError unless lower <= upper; for equal limits y = u - upper.

    Example:
        {type: DeadZone, lower: -0.1, upper: 0.1}
    """

    icon = "dead zone"
    inputs: ClassVar = (Port("u"),)
    outputs: ClassVar = (Port("y", like=Like(("u",))),)
    crossings: ClassVar = (Crossing("upper"), Crossing("lower"))
    elementwise: ClassVar = True

    lower: Real = parameter(default=-0.5, unit="[u]", doc="lower limit")
    upper: Real = parameter(default=0.5, unit="[u]", doc="upper limit")

    def symbol(self) -> Icon:
        low, high = first(self.lower), first(self.upper)
        side = high - low or 1.0
        return graph([(low - side, -side), (low, 0), (high, 0), (high + side, side)])

    def check(self) -> None:
        if not np.all(np.less_equal(self.lower, self.upper)):  # type: ignore[arg-type]
            raise ParameterError("DeadZone", "lower", self.lower, f"at most upper, {self.upper}")

    @staticmethod
    def crossing(u: float, lower: float, upper: float) -> tuple[float, float]:
        return u - upper, u - lower

    @staticmethod
    def mode(u: float, lower: float, upper: float) -> int:
        return 1 if u > upper else (-1 if u < lower else 0)

    @staticmethod
    def output(mode: int, u: float, lower: float, upper: float) -> float:
        return u - upper if mode > 0 else (u - lower if mode < 0 else 0.0)
