"""Hypot: the length of the hypotenuse."""

from __future__ import annotations

from typing import ClassVar

from ..contract.formula_block import FormulaBlock
from ..contract.port import Like, Port


class Hypot(FormulaBlock):
    """Hypotenuse of a right-angled triangle, element by element.

        y = sqrt(u0^2 + u1^2)

    Intermediate results do not overflow. At u0 = u1 = 0 y has a corner, which is not an event. For the
    length of a vector, see Norm. Both inputs feed through to y directly; y has their common unit.

    Example:
        {type: Hypot}
    """

    icon = "√(a^2 + b^2)"
    inputs: ClassVar = (Port("u0"), Port("u1"))
    outputs: ClassVar = (Port("y", like=Like(("u0", "u1"))),)

    def equation(self) -> str:
        return "hypot(u0, u1)"
