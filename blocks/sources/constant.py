"""Constant: a value that never changes."""

from __future__ import annotations

from typing import ClassVar

from ..contract.icon import Icon
from ..contract.marks import label
from ..contract.parameter import Real, option, parameter
from .source import Source


class Constant(Source):
    """A number, vector or matrix.

        y = value

    Example:
        {type: Constant, value: [1.0, 2.0]}
    """

    elementwise: ClassVar = True

    value: Real = parameter(default=1.0, unit="[y]", doc="the value")
    unit: str = option(default="", doc="unit of y")

    def symbol(self) -> Icon:
        return Icon(label(self.value, "c"))

    @staticmethod
    def output(value: float) -> float:
        return value
