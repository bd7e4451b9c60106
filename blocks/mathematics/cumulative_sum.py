"""CumulativeSum: sums of the elements so far."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from ..contract.block import Block
from ..contract.errors import SizeError
from ..contract.parameter import Array, option
from ..contract.port import Like, Port, Size


class CumulativeSum(Block):
    """Sums over the elements of a vector, or down the rows or along the columns of a matrix.

        y_i = u_0 + u_1 + ... + u_i

    For sums over time, see DiscreteIntegrator. u feeds through to y directly. Raises SizeError for a scalar,
    and for a matrix unless `along` gives the direction.

    Example:
        {type: CumulativeSum}
    """

    icon = "Σ"
    inputs: ClassVar = (Port("u", size_rule="n"),)
    outputs: ClassVar = (Port("y", like=Like(("u",)), size_rule="n"),)

    along: str = option(
        default="elements",
        doc="direction of the sum: elements of a vector, or rows or columns of a matrix",
        choices=("elements", "rows", "columns"),
    )

    def sizes(self, inputs: Mapping[str, Size | None]) -> Mapping[str, Size | None]:
        u, expected = inputs["u"], 1 if self.along == "elements" else 2
        if u is not None and len(u.shape) != expected:
            hint = "a vector (for a matrix set `along: rows` or `columns`)" if expected == 1 else "a matrix"
            raise SizeError(str(u), hint, "u")
        return {"y": None if u is None else Size(u.shape)}

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        return {"output": {"elements": elements, "rows": rows, "columns": columns}[self.along]}


def elements(u: Array, y: Array) -> None:
    total = 0.0
    for i in range(u.size):
        total += u[i]
        y[i] = total


def rows(u: Array, y: Array) -> None:
    for j in range(u.shape[1]):
        total = 0.0
        for i in range(u.shape[0]):
            total += u[i, j]
            y[i, j] = total


def columns(u: Array, y: Array) -> None:
    for i in range(u.shape[0]):
        total = 0.0
        for j in range(u.shape[1]):
            total += u[i, j]
            y[i, j] = total
