"""Parts: one element of a signal for one copy of a subsystem, and all copies as one signal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ..contract.errors import SizeError
from ..contract.parameter import option
from ..contract.port import Port, Size, numbered_ports
from ..contract.wiring import Element, Part, Wiring


class PartOfEach(Wiring):
    """y = element `index` of a vector of `count` elements, or row `index` of a matrix of `count` rows.

    Diagrams make it for the inputs of a subsystem with a ForEach block.
    """

    abstract: ClassVar = True  # no block to declare

    inputs: ClassVar = (Port("u"),)
    outputs: ClassVar = (Port("y"),)

    count: int = option(doc="elements of u, or rows")
    index: int = option(doc="the element, or row")

    def sizes(self, inputs: Mapping[str, Size | None]) -> Mapping[str, Size | None]:
        size = inputs["u"]
        if size is None:
            return {"y": None}
        if size.shape[:1] != (self.count,):
            raise SizeError(str(size), f"a vector of {self.count} elements, or a matrix of as many rows", "u")
        return {"y": Size(size.shape[1:])}

    def origin(self, output: str, part: Part) -> tuple[str, Part] | None:
        return "u", ((self.index, self.count), *part)

    def gather(self, inputs: Mapping[str, Size]) -> Mapping[str, list[Element]]:
        width = inputs["u"].count // self.count
        return {"y": [("u", self.index * width + i) for i in range(width)]}


class AllOfEach(Wiring):
    """y = [u0, u1, ...], a vector of numbers, or a matrix of vectors.

    Diagrams make it for the outputs of a subsystem with a ForEach block.
    """

    abstract: ClassVar = True  # no block to declare

    outputs: ClassVar = (Port("y"),)

    count: int = option(doc="number of inputs")

    def input_ports(self) -> tuple[Port, ...]:
        return numbered_ports(self.count)

    def sizes(self, inputs: Mapping[str, Size | None]) -> Mapping[str, Size | None]:
        shapes = {size.shape for size in inputs.values() if size is not None}
        if any(len(shape) > 1 for shape in shapes):
            raise SizeError("a matrix for each element", "a number or a vector", "u0")
        return {"y": Size((self.count, *shapes.pop())) if len(shapes) == 1 else None}

    def origin(self, output: str, part: Part) -> tuple[str, Part] | None:
        if part and isinstance(part[0], tuple) and part[0][1] == self.count:
            return f"u{part[0][0]}", part[1:]
        return None

    def gather(self, inputs: Mapping[str, Size]) -> Mapping[str, list[Element]]:
        return {"y": [(name, i) for name, size in inputs.items() for i in range(size.count)]}
