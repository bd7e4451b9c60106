"""MatrixInverse: the inverse of a square matrix signal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ..contract.block import Block
from ..contract.errors import ParameterError, Refusal
from ..contract.parameter import Array, option
from ..contract.port import Port, Size
from .inverse_kernels import invert_matrix


class MatrixInverse(Block):
    """The inverse of an n x n signal.

        y = u^-1

    by Gauss-Jordan elimination with row pivoting. A matrix that is singular to working precision ends the run
    with BlockFailed; PseudoInverse, with some damping, continues through singularities. For poses,
    PoseInverse is cheaper and needs no division. u feeds through to y directly.
    Source: Golub, Van Loan, Matrix Computations (4th ed., 2013), section 3.4.

    Example:
        {type: MatrixInverse, n: 6}
    """

    icon = "A^-1"
    outputs: ClassVar = (Port("y", size_rule="n x n"),)

    n: int = option(default=6, doc="number of rows and columns")

    def check(self) -> None:
        if type(self.n) is not int or not 1 <= self.n <= 100:
            raise ParameterError("MatrixInverse", "n", self.n, "a whole number from 1 to 100")

    def input_ports(self) -> tuple[Port, ...]:
        return (Port("u", Size((self.n, self.n)), size_rule="n x n"),)

    def output_ports(self) -> tuple[Port, ...]:
        return (Port("y", Size((self.n, self.n)), size_rule="n x n"),)

    def scratch(self) -> Mapping[str, tuple[int, ...]]:
        return {"work": (self.n, self.n)}

    @staticmethod
    def output(u: Array, work: Array, y: Array) -> None:
        if not invert_matrix(u, work, y):
            raise Refusal("the matrix is singular and cannot be inverted; use a PseudoInverse")
