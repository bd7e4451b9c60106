"""Gain: a signal multiplied by a number, element by element."""

from __future__ import annotations

from typing import ClassVar

from ..block import Block
from ..parameter import Real, parameter
from ..port import Port


class Gain(Block):
    """Product with a constant, element by element.

        y = k u

    u and k are scalars, vectors or matrices; NumPy's broadcasting gives y its size.

    Example:
        {type: Gain, k: 2.5}
    """

    inputs: ClassVar = (Port("u"),)
    elementwise: ClassVar = True

    k: Real = parameter(default=1.0, doc="factor")

    @staticmethod
    def output(u: float, k: float) -> float:
        return k * u
