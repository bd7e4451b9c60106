"""BusAssignment: a bus with other values for some of its fields."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from ..contract.errors import ParameterError, SizeError
from ..contract.parameter import option
from ..contract.port import Port, Size
from ..contract.wiring import Element, Part, Wiring
from .bus_selector import find


class BusAssignment(Wiring):
    """The bus u, with some fields replaced by other signals.

        y.field_i = the input of that name,  all other fields as in u

    A field within a field is written `arm.angle`; its input is then called `arm_angle`. Raises SizeError for
    a field that the bus does not have, and for a signal whose size differs from the field's.

    Example:
        {type: BusAssignment, fields: [velocity]}
    """

    icon = "bus ="
    outputs: ClassVar = (Port("y", size_rule="as u"),)

    fields: Sequence[str] = option(doc="fields that are replaced, one input each")

    def check(self) -> None:
        fields = self.fields
        plain = all(f and all(part.isidentifier() for part in f.split(".")) for f in fields)
        names = {f.replace(".", "_") for f in fields}
        if not plain or not fields or len(names) < len(fields) or "u" in names:
            expected = "a list of different names such as velocity or arm.angle, and not u"
            raise ParameterError("BusAssignment", "fields", fields, expected)

    def input_ports(self) -> tuple[Port, ...]:
        return (
            Port("u", buses=True, size_rule="bus"),
            *(Port(f.replace(".", "_"), buses=True) for f in self.fields),
        )

    def sizes(self, inputs: Mapping[str, Size | None]) -> Mapping[str, Size | None]:
        bus = inputs["u"]
        if bus is None:
            return {"y": None}
        for field in self.fields:
            name = field.replace(".", "_")
            _, size = find(bus, field)
            value = inputs[name]
            if value is not None and value != size:
                raise SizeError(str(value), f"{size}, as the field `{field}` of the bus", name, bus=True)
        return {"y": bus}

    def origin(self, output: str, part: Part) -> tuple[str, Part] | None:
        for field in self.fields:
            steps = tuple(field.split("."))
            if part[: len(steps)] == steps:
                return field.replace(".", "_"), part[len(steps) :]
        return "u", part

    def gather(self, inputs: Mapping[str, Size]) -> Mapping[str, list[Element]]:
        elements: list[Element] = [("u", i) for i in range(inputs["u"].count)]
        for field in self.fields:
            start, size = find(inputs["u"], field)
            for i in range(size.count):
                elements[start + i] = (field.replace(".", "_"), i)
        return {"y": elements}
