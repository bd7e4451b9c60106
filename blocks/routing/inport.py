"""Inport: an input of the subsystem that the block stands in."""

from __future__ import annotations

from typing import ClassVar

from ..contract.block import Block
from ..contract.parameter import option
from ..contract.port import Port
from .outport import check_number


class Inport(Block):
    """Input of a subsystem; the block's name is the port's name.

        y = the signal on the subsystem's input

    Inputs are in the order of `number`, those without one after them in the order of declaration. Once
    the diagram is flattened nothing is left of the block: a wire goes straight to what reads it.

    Example:
        {type: Inport, number: 0, unit: N}
    """

    inputs: ClassVar = (Port("u", buses=True),)
    elementwise: ClassVar = True

    number: int | None = option(default=None, doc="position among the inputs, from 0")
    unit: str = option(default="", doc="unit of the signal")

    def check(self) -> None:
        check_number("Inport", self.number)

    @staticmethod
    def output(u: float) -> float:
        return u
