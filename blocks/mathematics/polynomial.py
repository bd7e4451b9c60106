"""Polynomial: a polynomial of a signal."""

from __future__ import annotations

from typing import ClassVar

from ..contract.block import Block
from ..contract.marks import polynomial
from ..contract.parameter import Array, Real, parameter
from ..contract.port import Port


class Polynomial(Block):
    """A polynomial with constant coefficients, element by element.

        y = c_0 u^n + c_1 u^(n - 1) + ... + c_n

    `coefficients` are c_0 ... c_n, the highest power first, as in numpy.polyval. They are evaluated by
    Horner's rule. u feeds through to y directly.

    Example:
        {type: Polynomial, coefficients: [0.5, -1.0, 2.0]}
    """

    icon = "p(u)"
    inputs: ClassVar = (Port("u"),)
    elementwise: ClassVar = True
    tables: ClassVar = ("coefficients",)

    coefficients: Real = parameter(
        unit="[y]/[u]^i", doc="coefficients of u^i, highest power first", dimensions=(1,)
    )

    def symbol(self) -> str:
        return polynomial(self.coefficients, "u")

    @staticmethod
    def output(u: float, coefficients: Array) -> float:
        y = 0.0
        for i in range(coefficients.size):
            y = y * u + coefficients[i]
        return y
