"""MatrixGain: a signal multiplied by a matrix."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np

from ..contract.block import Block
from ..contract.errors import SizeError
from ..contract.icon import Icon
from ..contract.marks import digits
from ..contract.parameter import Array, Real, option, parameter
from ..contract.port import Like, Port, Size
from ..matrices.product_kernels import product
from .unit_option import check_unit


class MatrixGain(Block):
    """Matrix product with a constant.

        y = K u

    K (m x n) maps a vector of n to a vector of m, and a matrix n x p to a matrix m x p. A row of numbers K
    (n) maps a vector of n to a scalar, as in the state feedback u = -K x. Without `unit` K counts as plain
    numbers, and y has the unit that all elements of u have.

    Example:
        {type: MatrixGain, K: [[0.0, 1.0], [-1.0, 0.0]]}
    """

    icon = "matrix gain"
    inputs: ClassVar = (Port("u", size_rule="n, columns of K, or n x k"),)

    K: Real = parameter(unit="[y]/[u]", doc="matrix, or one row", dimensions=(1, 2))
    unit: str = option(default="", doc="unit of y; default: the unit of u")

    def symbol(self) -> Icon:
        rows = np.atleast_2d(self.K)  # type: ignore[arg-type]
        if rows.size > 6 or len(rows) > 3:
            return Icon("K", shape="triangle")
        return Icon(matrix=tuple(tuple(digits(float(x)) for x in row) for row in rows))

    def check(self) -> None:
        check_unit("MatrixGain", self.unit)

    def output_ports(self) -> tuple[Port, ...]:
        return (
            Port("y", unit=self.unit, like=Like(("u",), exact=False), size_rule="m, rows of K, or m x k"),
        )

    def sizes(self, inputs: Mapping[str, Size | None]) -> Mapping[str, Size | None]:
        u, rows = inputs["u"], np.shape(self.K)[:-1]  # type: ignore[arg-type]
        columns = np.shape(self.K)[-1]  # type: ignore[arg-type]
        if u is None:
            return {"y": Size(rows) if not rows else None}
        if u.shape[:1] != (columns,) or (not rows and len(u.shape) > 1):
            hint = "; for a scalar input use Gain" if not u.shape else ""
            expected = f"vector {columns}" + (f" or matrix {columns}xp" if rows else "")
            raise SizeError(str(u), f"{expected}, to multiply K of size {Size((*rows, columns))}{hint}", "u")
        return {"y": Size((*rows, *u.shape[1:]))}

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        return {"output": row_times if np.ndim(self.K) == 1 else matrix_times}  # type: ignore[arg-type]


def row_times(u: Array, K: Array) -> float:
    total = 0.0
    for i in range(u.size):
        total += K[i] * u[i]
    return total


def matrix_times(u: Array, K: Array, y: Array) -> None:
    product(K, u, y)
