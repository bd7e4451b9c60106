"""Mux: signals joined into one vector."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ..contract.errors import ParameterError
from ..contract.parameter import option
from ..contract.port import Port, Size, numbered_ports
from ..contract.wiring import Element, Part, Wiring


class Mux(Wiring):
    """Vector of all elements of the inputs, in order.

        y = [u0, u1, ...]

    Example:
        {type: Mux, count: 3}
    """

    icon = "mux"
    outputs: ClassVar = (Port("y", size_rule="elements of all inputs"),)

    count: int = option(default=2, doc="number of inputs")

    def check(self) -> None:
        if not isinstance(self.count, int) or isinstance(self.count, bool) or not 1 <= self.count <= 10_000:
            raise ParameterError("Mux", "count", self.count, "a whole number from 1 to 10000")

    def input_ports(self) -> tuple[Port, ...]:
        return numbered_ports(self.count)

    def sizes(self, inputs: Mapping[str, Size | None]) -> Mapping[str, Size | None]:
        counts = [size.count for size in inputs.values() if size is not None]
        return {"y": Size((sum(counts),)) if len(counts) == self.count else None}

    def origin(self, output: str, part: Part) -> tuple[str, Part] | None:
        if part and isinstance(part[0], tuple) and part[0][1] == self.count:
            return f"u{part[0][0]}", part[1:]
        return None

    def gather(self, inputs: Mapping[str, Size]) -> Mapping[str, list[Element]]:
        return {"y": [(name, i) for name, size in inputs.items() for i in range(size.count)]}
