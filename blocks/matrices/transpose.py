"""Transpose: rows become columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ..contract.errors import SizeError
from ..contract.port import Port, Size
from ..contract.wiring import Element, Wiring


class Transpose(Wiring):
    """The transpose of a matrix.

        y[j, i] = u[i, j]

    Example:
        {type: Transpose}
    """

    icon = "A^T"
    inputs: ClassVar = (Port("u", size_rule="m x n"),)
    outputs: ClassVar = (Port("y", size_rule="n x m"),)

    def sizes(self, inputs: Mapping[str, Size | None]) -> Mapping[str, Size | None]:
        u = inputs["u"]
        if u is not None and len(u.shape) != 2:
            hint = "; Reshape makes a row or a column of a vector" if u.shape else ""
            raise SizeError(str(u), f"a matrix{hint}", "u")
        return {"y": None if u is None else Size(u.shape[::-1])}

    def gather(self, inputs: Mapping[str, Size]) -> Mapping[str, list[Element]]:
        rows, columns = inputs["u"].shape
        return {"y": [("u", i * columns + j) for j in range(columns) for i in range(rows)]}
