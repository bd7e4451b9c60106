"""Saturation: a signal held between two limits."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ..contract.block import Block
from ..contract.curves import clip_icon
from ..contract.errors import ParameterError
from ..contract.icon import Icon
from ..contract.parameter import Real, parameter
from ..contract.port import Crossing, Like, Port


class Saturation(Block):
    """A signal held between two limits, element by element.

        y = upper for u > upper,  lower for u < lower,  u between

    The branch is a mode (1, -1, 0): it changes at the located instant when u passes a limit. u feeds through
    to y directly. Raises ParameterError unless lower < upper.

    Example:
        {type: Saturation, lower: -2.0, upper: 2.0}
    """

    icon = "saturation"
    inputs: ClassVar = (Port("u"),)
    outputs: ClassVar = (Port("y", like=Like(("u",))),)
    crossings: ClassVar = (Crossing("upper"), Crossing("lower"))
    elementwise: ClassVar = True

    lower: Real = parameter(default=-1.0, unit="[u]", doc="lower limit", infinite=True)
    upper: Real = parameter(default=1.0, unit="[u]", doc="upper limit", infinite=True)

    def symbol(self) -> Icon:
        return clip_icon(self.lower, self.upper)

    def check(self) -> None:
        if not np.all(np.less(self.lower, self.upper)):  # type: ignore[arg-type]
            raise ParameterError("Saturation", "lower", self.lower, f"less than upper, {self.upper}")

    @staticmethod
    def crossing(u: float, lower: float, upper: float) -> tuple[float, float]:
        return u - upper, u - lower

    @staticmethod
    def mode(u: float, lower: float, upper: float) -> int:
        # Strict comparisons: events are handled where u is beyond the limit, and at the limit both branches
        # give the same y.
        return 1 if u > upper else (-1 if u < lower else 0)

    @staticmethod
    def output(mode: int, u: float, lower: float, upper: float) -> float:
        # y follows the frozen mode, and u is not compared: a step that overshoots the limit sees one smooth
        # branch.
        return upper if mode > 0 else (lower if mode < 0 else u)
