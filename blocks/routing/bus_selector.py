"""BusSelector: fields taken out of a bus."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from ...base.words import nearest
from ..contract.errors import ParameterError, SizeError
from ..contract.parameter import option
from ..contract.port import Port, Size
from ..contract.wiring import Element, Part, Wiring


class BusSelector(Wiring):
    """Fields of a bus, one output each.

        y_i = u.field_i

    A field within a field is written `arm.angle`; its output is then called `arm_angle`. Raises SizeError for
    a field that the bus does not have.

    Example:
        {type: BusSelector, fields: [velocity, arm.angle]}
    """

    icon = "bus"
    inputs: ClassVar = (Port("u", buses=True, size_rule="bus"),)

    fields: Sequence[str] = option(doc="fields, one per output")

    def check(self) -> None:
        fields = self.fields
        plain = isinstance(fields, tuple) and all(
            isinstance(f, str) and f and all(part.isidentifier() for part in f.split(".")) for f in fields
        )
        if not plain or not fields or len({f.replace(".", "_") for f in fields}) < len(fields):
            expected = "a list of different names such as velocity or arm.angle"
            raise ParameterError("BusSelector", "fields", fields, expected)

    def output_ports(self) -> tuple[Port, ...]:
        return tuple(Port(field.replace(".", "_"), size_rule="as the field") for field in self.fields)

    def sizes(self, inputs: Mapping[str, Size | None]) -> Mapping[str, Size | None]:
        u = inputs["u"]
        return {
            port.name: None if u is None else find(u, field)[1]
            for port, field in zip(self.output_ports(), self.fields, strict=True)
        }

    def origin(self, output: str, part: Part) -> tuple[str, Part] | None:
        field = next(field for field in self.fields if field.replace(".", "_") == output)
        return "u", (*field.split("."), *part)

    def gather(self, inputs: Mapping[str, Size]) -> Mapping[str, list[Element]]:
        elements = {}
        for port, field in zip(self.output_ports(), self.fields, strict=True):
            start, size = find(inputs["u"], field)
            elements[port.name] = [("u", start + i) for i in range(size.count)]
        return elements


def find(bus: Size, field: str) -> tuple[int, Size]:
    """The first element of a field of a bus, and its size.

    Raises SizeError if the bus lacks the field.
    """
    start, size = 0, bus
    for name in field.split("."):
        part = size.part(name)
        if part is None:
            close = nearest(name, [key for key, _ in size.fields])
            raise SizeError(str(bus), f"a bus with the field `{field}`{close}", "u", bus=True)
        start, size = start + part[0], part[1]
    return start, size
