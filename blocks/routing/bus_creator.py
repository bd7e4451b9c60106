"""BusCreator: signals combined under names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from ..contract.errors import ParameterError
from ..contract.parameter import option
from ..contract.port import Port, Size, bus
from ..contract.wiring import Element, Part, Wiring


class BusCreator(Wiring):
    """A bus of the inputs; an input and its field have the same name.

        y = {name: input, ...}

    Fields may have any size, and may be buses. Raises ParameterError for names that repeat or are not
    identifiers.

    Example:
        {type: BusCreator, names: [position, velocity]}
    """

    icon = "bus"
    outputs: ClassVar = (Port("y", size_rule="bus"),)

    names: Sequence[str] = option(doc="one name per input")

    def check(self) -> None:
        names = self.names
        plain = isinstance(names, tuple) and all(isinstance(n, str) and n.isidentifier() for n in names)
        if not plain or not names or len(set(names)) < len(names):
            expected = "a list of different names, of letters, digits and _"
            raise ParameterError("BusCreator", "names", names, expected)

    def input_ports(self) -> tuple[Port, ...]:
        return tuple(Port(name, buses=True) for name in self.names)

    def sizes(self, inputs: Mapping[str, Size | None]) -> Mapping[str, Size | None]:
        fields = {name: size for name in self.names if (size := inputs[name]) is not None}
        return {"y": bus(**fields) if len(fields) == len(self.names) else None}

    def origin(self, output: str, part: Part) -> tuple[str, Part] | None:
        if part and isinstance(part[0], str) and part[0] in self.names:
            return part[0], part[1:]
        return None

    def gather(self, inputs: Mapping[str, Size]) -> Mapping[str, list[Element]]:
        return {"y": [(name, i) for name in self.names for i in range(inputs[name].count)]}
