"""Trace: the sum of a matrix's diagonal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ..contract.block import Block
from ..contract.errors import SizeError
from ..contract.parameter import Array
from ..contract.port import Like, Port, Size


class Trace(Block):
    """The trace of a square matrix.

        y = sum_i u_ii

    u feeds through to y directly. Raises SizeError unless u is square.

    Example:
        {type: Trace}
    """

    icon = "tr A"
    inputs: ClassVar = (Port("u", size_rule="n x n"),)
    outputs: ClassVar = (Port("y", 1, like=Like(("u",))),)

    def sizes(self, inputs: Mapping[str, Size | None]) -> Mapping[str, Size | None]:
        u = inputs["u"]
        if u is not None and (len(u.shape) != 2 or u.shape[0] != u.shape[1]):
            raise SizeError(str(u), "a square matrix", "u")
        return super().sizes(inputs)

    @staticmethod
    def output(u: Array) -> float:
        total = 0.0
        for i in range(u.shape[0]):
            total += u[i, i]
        return total
