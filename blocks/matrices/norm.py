"""Norm: the length of a vector."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from typing import ClassVar

from ..contract.block import Block
from ..contract.errors import SizeError
from ..contract.parameter import Array
from ..contract.port import Like, Port, Size


class Norm(Block):
    """Euclidean norm of a vector, Frobenius norm of a matrix.

        y = sqrt(sum_i u_i^2)

    At u = 0 y has a corner, which is not an event: y touches zero and does not cross it. u feeds through to
    y directly.
    Raises SizeError for a scalar.

    Example:
        {type: Norm}
    """

    icon = "‖u‖"
    inputs: ClassVar = (Port("u", size_rule="n, or m x n"),)
    outputs: ClassVar = (Port("y", 1, like=Like(("u",))),)

    def sizes(self, inputs: Mapping[str, Size | None]) -> Mapping[str, Size | None]:
        u = inputs["u"]
        if u is not None and not u.shape:
            raise SizeError("scalar", "a vector or a matrix (for a scalar use Abs)", "u")
        return super().sizes(inputs)

    @staticmethod
    def output(u: Array) -> float:
        # Divided by the largest element first: 1e200 squared would overflow, 1e-200 squared vanish.
        largest = 0.0
        for i in range(u.size):
            largest = max(largest, abs(u.flat[i]))
        if largest == 0.0:
            return 0.0
        total = 0.0
        for i in range(u.size):
            total += (u.flat[i] / largest) * (u.flat[i] / largest)
        return largest * sqrt(total)
