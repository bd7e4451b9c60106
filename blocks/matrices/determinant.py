"""Determinant: the determinant of a square matrix signal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ..contract.block import Block
from ..contract.errors import ParameterError
from ..contract.parameter import Array, option
from ..contract.port import Port, Size
from .elimination import triangular


class Determinant(Block):
    """The determinant of an n x n signal.

        y = det u

    by Gaussian elimination with row pivoting. u feeds through to y directly.
    Source: Golub, Van Loan, Matrix Computations (4th ed., 2013), section 3.2.

    Example:
        {type: Determinant, n: 3}
    """

    icon = "det A"
    outputs: ClassVar = (Port("y", 1),)

    n: int = option(default=2, doc="number of rows and columns, 1 to 100")

    def check(self) -> None:
        if not 1 <= self.n <= 100:
            raise ParameterError("Determinant", "n", self.n, "a whole number from 1 to 100")

    def input_ports(self) -> tuple[Port, ...]:
        return (Port("u", Size((self.n, self.n)), size_rule="n x n"),)

    def scratch(self) -> Mapping[str, tuple[int, ...]]:
        return {"work": (self.n, self.n)}

    @staticmethod
    def output(u: Array, work: Array) -> float:
        determinant, _ = triangular(u, work)
        return determinant
