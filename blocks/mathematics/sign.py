"""Sign: the sign of a signal."""

from __future__ import annotations

from typing import ClassVar

from ..contract.formula_block import FormulaBlock
from ..contract.port import Port


class Sign(FormulaBlock):
    """Sign, element by element.

        y = 1 for u > 0,  0 for u = 0,  -1 for u < 0

    The jump at u = 0 is an event.

    Example:
        {type: Sign}
    """

    icon = "sign"
    inputs: ClassVar = (Port("u"),)

    def equation(self) -> str:
        return "sign(u)"
