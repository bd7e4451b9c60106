"""Slice: a range of elements of a vector, with a step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ..contract.errors import ParameterError, SizeError
from ..contract.parameter import option
from ..contract.port import Port, Size
from ..contract.wiring import Element, Wiring


class Slice(Wiring):
    """A part of a vector, as Python's u[start:stop:step].

        y = [u[start], u[start + step], ...], before `stop`

    Positions count from 0, negative ones from the end. By default a slice begins and ends with the vector; a
    negative step goes backwards. To select elements by a list of positions, or parts of matrices, use
    Selector.
    Raises SizeError for inputs that are not vectors, and for an empty result.

    Example:
        {type: Slice, start: 1, step: 2}
    """

    icon = "slice"
    inputs: ClassVar = (Port("u"),)
    outputs: ClassVar = (Port("y", size_rule="by `start`, `stop`, `step`"),)

    start: int | None = option(default=None, doc="first position; default: the beginning")
    stop: int | None = option(default=None, doc="the position after the last one; default: the end")
    step: int = option(default=1, doc="distance from one position to the next, not 0")

    def check(self) -> None:
        if self.step == 0:
            raise ParameterError("Slice", "step", self.step, "a whole number that is not 0")

    def places(self, size: Size) -> range:
        """The selected positions. Raises SizeError."""
        if len(size.shape) != 1:
            raise SizeError(str(size), "a vector", "u")
        taken = range(size.count)[slice(self.start, self.stop, self.step)]
        if not taken:
            raise SizeError(str(size), f"elements between {self.start} and {self.stop}", "u")
        return taken

    def sizes(self, inputs: Mapping[str, Size | None]) -> Mapping[str, Size | None]:
        u = inputs["u"]
        return {"y": None if u is None else Size((len(self.places(u)),))}

    def guess(self) -> Size | None:
        if self.stop is None or min(self.start or 0, self.stop) < 0 or self.step < 0:
            return None
        return Size((len(range(self.start or 0, self.stop, self.step)),))

    def gather(self, inputs: Mapping[str, Size]) -> Mapping[str, list[Element]]:
        return {"y": [("u", i) for i in self.places(inputs["u"])]}
