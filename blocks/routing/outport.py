"""Outport: an output of the subsystem that contains the block."""

from __future__ import annotations

from typing import ClassVar

from ..contract.block import Block
from ..contract.errors import ParameterError
from ..contract.icon import Icon
from ..contract.parameter import Real, option, parameter
from ..contract.port import Like, Port


class Outport(Block):
    """Output of a subsystem; the block's name is the port's name.

        the signal on the subsystem's output = u,  y = u

    In a subsystem with an Enable or a Trigger, y is `initial` until the subsystem has been active for the
    first time. Outputs are in the order of `number`; those without a number follow in the order of
    declaration. When the diagram is flattened, the block disappears, except in the outermost diagram, where
    it passes on its signal.

    Example:
        {type: Outport, number: 0, unit: m/s}
    """

    inputs: ClassVar = (Port("u", buses=True),)
    elementwise: ClassVar = True

    number: int | None = option(default=None, doc="position among the outputs, from 0")
    unit: str = option(default="", doc="unit of the signal")
    initial: Real = parameter(default=0.0, unit="[u]", doc="y of a subsystem that has not been active yet")

    def symbol(self) -> Icon:
        return Icon("" if self.number is None else str(self.number), shape="round")

    def check(self) -> None:
        check_number("Outport", self.number)

    def output_ports(self) -> tuple[Port, ...]:
        return (Port("y", unit=self.unit, like=Like(("u",))),)

    @staticmethod
    def output(u: float) -> float:
        return u


def check_number(block: str, number: object) -> None:
    """Raise ParameterError unless `number` is a position or is omitted."""
    if number is not None and (isinstance(number, bool) or not isinstance(number, int) or number < 0):
        raise ParameterError(block, "number", number, "a whole number from 0, or nothing")
