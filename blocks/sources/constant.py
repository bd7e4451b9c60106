"""Constant: a value that never changes."""

from __future__ import annotations

from typing import ClassVar

from ..block import Block
from ..parameter import Real, parameter


class Constant(Block):
    """A number, vector or matrix.

        y = value

    Example:
        {type: Constant, value: [1.0, 2.0]}
    """

    elementwise: ClassVar = True

    value: Real = parameter(default=1.0, doc="the value")

    @staticmethod
    def output(value: float) -> float:
        return value
