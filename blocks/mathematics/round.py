"""Round: whole numbers from a signal."""

from __future__ import annotations

from typing import ClassVar

from ..contract.formula_block import FormulaBlock
from ..contract.parameter import option
from ..contract.port import Like, Port

FORMULAS = {
    "round": "sign(u) * floor(abs(u) + 0.5)",
    "floor": "floor(u)",
    "ceil": "ceil(u)",
    "fix": "sign(u) * floor(abs(u))",
}


class Round(FormulaBlock):
    """A whole number near u, element by element.

        round  the nearest, halves away from zero      floor  the greatest number not above u
        fix    the nearest towards zero                ceil   the least number not below u

    Every jump is an event. For steps of another height, or without events, see Quantizer; if samples are
    enough, put the Quantizer after a ZeroOrderHold. u feeds through to y directly.

    Example:
        {type: Round, function: floor}
    """

    inputs: ClassVar = (Port("u"),)
    outputs: ClassVar = (Port("y", like=Like(("u",))),)

    function: str = option(default="round", doc="rounding rule", choices=tuple(FORMULAS))

    def symbol(self) -> str:
        return {"floor": "⌊u⌋", "ceil": "⌈u⌉"}.get(self.function, self.function)

    def equation(self) -> str:
        return FORMULAS[self.function]
