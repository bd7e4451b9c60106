"""SignalSpecification: required size and unit of a signal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..contract.errors import ParameterError, SizeError
from ..contract.parameter import option
from ..contract.port import Port, Size
from ..contract.wiring import Element, Part, Wiring
from .inport import declared_shape


class SignalSpecification(Wiring):
    """Passes on a signal, and checks its size and unit.

        y = u

    A different size is an error when the diagram is compiled; a different unit is a notice of `blockdyn
    check`, as at every port with a unit. The block costs nothing when the diagram runs.

    Example:
        {type: SignalSpecification, size: 1, unit: rad}
    """

    icon = "Specify"

    size: int | Sequence[int] | None = option(
        default=None, doc="1, a length, or [rows, columns]; default: any"
    )
    unit: str = option(default="", doc="unit; default: any")

    def check(self) -> None:
        parts = () if self.size is None else (self.size,) if isinstance(self.size, int) else self.size
        if self.size is not None and (not 1 <= len(parts) <= 2 or min(parts) < 1):
            raise ParameterError("SignalSpecification", "size", self.size, "1, a length, or rows and columns")

    def input_ports(self) -> tuple[Port, ...]:
        return (Port("u", unit=self.unit, size_rule="by `size`"),)

    def output_ports(self) -> tuple[Port, ...]:
        return (Port("y", unit=self.unit, size_rule="by `size`"),)

    def sizes(self, inputs: Mapping[str, Size | None]) -> Mapping[str, Size | None]:
        u = inputs["u"]
        if self.size is None:
            return {"y": u}
        stated = Size(declared_shape(self.size))
        if u is not None and u.shape != stated.shape:
            raise SizeError(str(u), f"{stated}, as is specified", "u")
        return {"y": stated}

    def origin(self, output: str, part: Part) -> tuple[str, Part] | None:
        return "u", part

    def gather(self, inputs: Mapping[str, Size]) -> Mapping[str, list[Element]]:
        return {"y": [("u", i) for i in range(inputs["u"].count)]}
