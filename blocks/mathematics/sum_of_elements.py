"""SumOfElements: the elements of a vector or matrix added up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ..contract.block import Block
from ..contract.errors import SizeError
from ..contract.parameter import Array
from ..contract.port import Like, Port, Size


class SumOfElements(Block):
    """Sum over all elements.

        y = sum_i u_i

    Sum adds signals element by element; CumulativeSum gives the partial sums. u feeds through to y directly.
    Raises SizeError for a scalar.

    Example:
        {type: SumOfElements}
    """

    icon = "Σ"
    inputs: ClassVar = (Port("u", size_rule="n, or m x n"),)
    outputs: ClassVar = (Port("y", 1, like=Like(("u",))),)

    def sizes(self, inputs: Mapping[str, Size | None]) -> Mapping[str, Size | None]:
        u = inputs["u"]
        if u is not None and not u.shape:
            raise SizeError("scalar", "a vector or a matrix", "u")
        return super().sizes(inputs)

    @staticmethod
    def output(u: Array) -> float:
        total = 0.0
        for i in range(u.size):
            total += u.flat[i]
        return total
