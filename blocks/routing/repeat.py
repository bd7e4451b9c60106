"""Repeat: a vector of one signal several times."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ..contract.errors import ParameterError, SizeError
from ..contract.parameter import option
from ..contract.port import Port, Size
from ..contract.wiring import Element, Wiring


class Repeat(Wiring):
    """A scalar or vector repeated several times in a row.

        y = [u, u, ..., u],  or with `each`  y = [u_0, u_0, ..., u_1, u_1, ...]

    Raises SizeError for a matrix.

    Example:
        {type: Repeat, count: 3}
    """

    icon = "repeat"
    inputs: ClassVar = (Port("u"),)
    outputs: ClassVar = (Port("y", size_rule="count times u"),)

    count: int = option(default=2, doc="number of repetitions, 1 to 10000")
    each: bool = option(default=False, doc="repeat each element before the next one")

    def check(self) -> None:
        if not 1 <= self.count <= 10_000:
            raise ParameterError("Repeat", "count", self.count, "a whole number from 1 to 10000")

    def sizes(self, inputs: Mapping[str, Size | None]) -> Mapping[str, Size | None]:
        u = inputs["u"]
        if u is not None and len(u.shape) > 1:
            raise SizeError(str(u), "a scalar or a vector", "u")
        return {"y": None if u is None else Size((self.count * u.count,))}

    def gather(self, inputs: Mapping[str, Size]) -> Mapping[str, list[Element]]:
        length = inputs["u"].count
        places = range(length * self.count)
        return {"y": [("u", i // self.count if self.each else i % length) for i in places]}
