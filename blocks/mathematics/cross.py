"""Cross: the vector product."""

from __future__ import annotations

from typing import ClassVar

from ..contract.block import Block
from ..contract.parameter import Array
from ..contract.port import Port


class Cross(Block):
    """Vector product of two vectors of three.

        y = u0 x u1

    Both inputs feed through to y directly.

    Example:
        {type: Cross}
    """

    icon = "a × b"
    inputs: ClassVar = (Port("u0", 3), Port("u1", 3))
    outputs: ClassVar = (Port("y", 3),)

    @staticmethod
    def output(u0: Array, u1: Array, y: Array) -> None:
        y[0] = u0[1] * u1[2] - u0[2] * u1[1]
        y[1] = u0[2] * u1[0] - u0[0] * u1[2]
        y[2] = u0[0] * u1[1] - u0[1] * u1[0]
