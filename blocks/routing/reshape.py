"""Reshape: the same elements in another shape."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import ClassVar

from ..contract.errors import ParameterError, SizeError
from ..contract.parameter import option
from ..contract.port import Port, Size
from ..contract.wiring import Element, Wiring


class Reshape(Wiring):
    """The input's elements, row by row, in a given shape; a bus becomes a vector.

    Raises SizeError if the shape has a different number of elements.

        y = u in the shape of `shape`:  [] a scalar, [n] a vector, [m, n] a matrix

    Example:
        {type: Reshape, shape: [4, 4]}
    """

    icon = "reshape"
    inputs: ClassVar = (Port("u", buses=True),)
    outputs: ClassVar = (Port("y", size_rule="by `shape`"),)

    shape: Sequence[int] = option(doc="number of elements (rows, columns)")

    def check(self) -> None:
        shape = self.shape
        well_formed = isinstance(shape, tuple) and all(type(n) is int and 1 <= n <= 10_000 for n in shape)
        if not well_formed or len(shape) > 2:
            raise ParameterError("Reshape", "shape", shape, "a list of at most two numbers from 1 to 10000")

    def sizes(self, inputs: Mapping[str, Size | None]) -> Mapping[str, Size]:
        u, y = inputs["u"], Size(tuple(self.shape))
        if u is not None and u.count != prod(self.shape):
            raise SizeError(f"{u}, {u.count} elements", f"{y.count} elements, to fill a {y}", "u")
        return {"y": y}

    def gather(self, inputs: Mapping[str, Size]) -> Mapping[str, list[Element]]:
        return {"y": [("u", i) for i in range(inputs["u"].count)]}
