"""Diagonal: the diagonal of a matrix, or a matrix with a given diagonal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from ..contract.block import Block
from ..contract.errors import SizeError
from ..contract.parameter import Array, option
from ..contract.port import Like, Port, Size


class Diagonal(Block):
    """The diagonal of a matrix as a vector, or a vector as the diagonal of a matrix.

        y_i = u_ii                                     make: vector
        y_ii = u_i,  y_ij = 0 for i not equal to j     make: matrix

    u feeds through to y directly. Raises SizeError unless u is a matrix, or for `make: matrix` a vector.

    Example:
        {type: Diagonal, make: vector}
    """

    icon = "diag"
    inputs: ClassVar = (Port("u", size_rule="n, or n x n"),)
    outputs: ClassVar = (Port("y", like=Like(("u",), exact=False), size_rule="n x n, or n"),)

    make: str = option(
        default="vector", doc="whether y is a vector or a matrix", choices=("vector", "matrix")
    )

    def sizes(self, inputs: Mapping[str, Size | None]) -> Mapping[str, Size | None]:
        u, dimensions = inputs["u"], 2 if self.make == "vector" else 1
        if u is None:
            return {"y": None}
        if len(u.shape) != dimensions:
            raise SizeError(
                str(u), f"a {'matrix' if dimensions == 2 else 'vector'}, to make a {self.make}", "u"
            )
        return {"y": Size((min(u.shape),) if dimensions == 2 else (u.count, u.count))}

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        return {"output": take_diagonal if self.make == "vector" else place_diagonal}


def take_diagonal(u: Array, y: Array) -> None:
    for i in range(y.size):
        y[i] = u[i, i]


def place_diagonal(u: Array, y: Array) -> None:
    for i in range(u.size):
        for j in range(u.size):
            y[i, j] = u[i] if i == j else 0.0
