"""Dot: the scalar product of two vectors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ..contract.block import Block
from ..contract.errors import SizeError
from ..contract.parameter import Array
from ..contract.port import Port, Size


class Dot(Block):
    """Scalar product.

        y = u0 . u1 = sum_i u0_i u1_i

    With a constant vector see MatrixGain. Both inputs feed through to y directly. Raises SizeError unless
    both are vectors of the same length.

    Example:
        {type: Dot}
    """

    icon = "a · b"
    inputs: ClassVar = (Port("u0", size_rule="n"), Port("u1", size_rule="n"))
    outputs: ClassVar = (Port("y", 1),)

    def sizes(self, inputs: Mapping[str, Size | None]) -> Mapping[str, Size | None]:
        for name, u in inputs.items():
            if u is not None and len(u.shape) != 1:
                hint = " (Product multiplies scalars)" if not u.shape else ""
                raise SizeError(str(u), "a vector" + hint, name)
        first, second = inputs["u0"], inputs["u1"]
        if first is not None and second is not None and first.count != second.count:
            raise SizeError(str(second), f"vector {first.count}, as u0 is", "u1")
        return super().sizes(inputs)

    @staticmethod
    def output(u0: Array, u1: Array) -> float:
        total = 0.0
        for i in range(u0.size):
            total += u0[i] * u1[i]
        return total
