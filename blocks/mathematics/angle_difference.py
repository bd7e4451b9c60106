"""AngleDifference: the shorter way from one angle to another."""

from __future__ import annotations

from typing import ClassVar

from ..contract.formula_block import FormulaBlock
from ..contract.port import Port


class AngleDifference(FormulaBlock):
    """u0 - u1 modulo a turn, element by element, in rad.

        y = (u0 - u1 + pi) mod 2 pi - pi,  -pi <= y < pi

    The jump by 2 pi, where the two angles point in opposite directions, is an event. u0 and u1 feed through
    to y directly.

    Example:
        {type: AngleDifference}
    """

    icon = "angle\na - b"
    inputs: ClassVar = (Port("u0", None, "rad"), Port("u1", None, "rad"))
    outputs: ClassVar = (Port("y", None, "rad"),)

    def equation(self) -> str:
        return "(u0 - u1 + pi) % (2 * pi) - pi"
