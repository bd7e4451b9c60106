"""Display: a signal whose last value is printed with the result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from ..contract.block import Block
from ..contract.capabilities import Form
from ..contract.parameter import option
from ..contract.port import Port


class Display(Block):
    """Keeps its input in the result and shows its last value: a number, vector or matrix.

    `blockdyn run`, `print(result)`, notebooks and pages show it under the title; the page also plots it over
    time.

    Example:
        {type: Display, title: Energy used, unit: J}
    """

    icon = "0.42"
    inputs: ClassVar = (Port("u"),)
    outputs: ClassVar = ()
    logs: ClassVar[bool] = True
    figure_form: ClassVar[Form] = "value"

    title: str = option(default="", doc="name of the value; otherwise the block's path")
    unit: str = option(default="", doc="unit; default: the signal's")

    def figure(self) -> Display:
        return self

    @property
    def units(self) -> tuple[str, ...]:
        """One, or none."""
        return (self.unit,) if self.unit else ()

    def element_labels(self, counts: Sequence[int]) -> list[tuple[str, ...]]:
        """None."""
        return [() for _ in counts]

    def input_ports(self) -> tuple[Port, ...]:
        return (Port("u", unit=self.unit),)
