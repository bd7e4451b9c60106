"""Abs: the absolute value of a signal."""

from __future__ import annotations

from typing import ClassVar

from ..contract.formula_block import FormulaBlock
from ..contract.port import Like, Port


class Abs(FormulaBlock):
    """Absolute value, element by element.

        y = |u|

    The kink at u = 0 is an event.

    Example:
        {type: Abs}
    """

    icon = "|u|"
    inputs: ClassVar = (Port("u"),)
    outputs: ClassVar = (Port("y", like=Like(("u",))),)

    def equation(self) -> str:
        return "abs(u)"
