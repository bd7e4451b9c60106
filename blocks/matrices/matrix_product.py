"""MatrixProduct: a matrix signal times a matrix or vector signal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from ..contract.block import Block
from ..contract.errors import SizeError
from ..contract.parameter import Array, option
from ..contract.port import Port, Size
from .product_kernels import product, transposed_product


class MatrixProduct(Block):
    """Product of two signals; the first is a matrix.

        y = A u,  or with `transposed`  y = A^T u

    A (m x n) maps a vector of n to a vector of m, and a matrix n x p to a matrix m x p. A constant matrix is
    cheaper in MatrixGain. A^T u gives joint torques from a Jacobian and a wrench. Both inputs feed through to
    y directly. Raises SizeError if A is not a matrix, or u does not fit it.

    Example:
        {type: MatrixProduct, transposed: true}
    """

    icon = "A B"
    inputs: ClassVar = (Port("A", size_rule="m x n"), Port("u", size_rule="n, or n x k"))
    outputs: ClassVar = (Port("y", size_rule="m, or m x k"),)

    transposed: bool = option(default=False, doc="multiply with the transpose of A")

    def sizes(self, inputs: Mapping[str, Size | None]) -> Mapping[str, Size | None]:
        A, u = inputs["A"], inputs["u"]
        if A is not None and len(A.shape) != 2:
            raise SizeError(str(A), "a matrix", "A")
        if A is None or u is None:
            return {"y": None}
        rows, columns = A.shape[::-1] if self.transposed else A.shape
        if u.shape[:1] != (columns,):
            turned = " transposed" if self.transposed else ""
            expected = f"vector {columns} or matrix {columns}xp, to multiply the {A}{turned}"
            raise SizeError(str(u), expected, "u")
        return {"y": Size((rows, *u.shape[1:]))}

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        return {"output": transposed_times if self.transposed else times}


def times(A: Array, u: Array, y: Array) -> None:
    product(A, u, y)


def transposed_times(A: Array, u: Array, y: Array) -> None:
    transposed_product(A, u, y)
