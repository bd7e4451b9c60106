"""Solve: linear equations."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..contract.block import Block
from ..contract.errors import ParameterError, Refusal
from ..contract.parameter import Array, option
from ..contract.port import Port, Size
from .elimination import substitute_back, triangular


class Solve(Block):
    """The solution of n linear equations.

        A y = b

    by Gaussian elimination with row pivoting: faster and more accurate than MatrixInverse and a product. b is
    a vector of n, or with `columns` a matrix n x columns, with one system per column. A matrix that is
    singular to working precision ends the run with BlockFailed; PseudoInverse, with some damping, continues.
    A and b feed through to y directly.
    Source: Golub, Van Loan, Matrix Computations (4th ed., 2013), section 3.4.

    Example:
        {type: Solve, n: 3}
    """

    icon = "A^-1 b"

    n: int = option(default=2, doc="number of equations, 1 to 100")
    columns: int | None = option(default=None, doc="columns of b; default: b is a vector")

    def check(self) -> None:
        for name, value in (("n", self.n), ("columns", 1 if self.columns is None else self.columns)):
            if not 1 <= value <= 100:
                raise ParameterError("Solve", name, value, "a whole number from 1 to 100")

    @property
    def _right(self) -> Size:
        return Size((self.n,) if self.columns is None else (self.n, self.columns))

    def input_ports(self) -> tuple[Port, ...]:
        return Port("A", Size((self.n, self.n)), size_rule="n x n"), Port(
            "b", self._right, size_rule="n, or n x columns"
        )

    def output_ports(self) -> tuple[Port, ...]:
        return (Port("y", self._right, size_rule="n, or n x columns"),)

    def scratch(self) -> Mapping[str, tuple[int, ...]]:
        return {"work": (self.n, self.n + (self.columns or 1))}

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        return {"output": vector if self.columns is None else matrix}


SINGULAR_TEXT = (
    "the matrix A is singular: its equations have no unique solution; PseudoInverse gives the nearest"
)


def vector(A: Array, b: Array, work: Array, y: Array) -> None:
    n = A.shape[0]
    for i in range(n):
        work[i, n] = b[i]
    _, largest = triangular(A, work)
    if not substitute_back(work, n, largest, 0):
        raise Refusal(SINGULAR_TEXT)
    for i in range(n):
        y[i] = work[i, n]


def matrix(A: Array, b: Array, work: Array, y: Array) -> None:
    n, count = b.shape
    for i in range(n):
        for j in range(count):
            work[i, n + j] = b[i, j]
    _, largest = triangular(A, work)
    for j in range(count):
        if not substitute_back(work, n, largest, j):
            raise Refusal(SINGULAR_TEXT)
        for i in range(n):
            y[i, j] = work[i, n + j]
