"""Exp: the exponential of a signal."""

from __future__ import annotations

from typing import ClassVar

from ..contract.formula_block import FormulaBlock
from ..contract.parameter import option
from ..contract.port import Port


class Exp(FormulaBlock):
    """Exponential function, element by element.

        y = e^u,  2^u  or  10^u

    Beyond 1.8e308 the run ends with NotFinite. u feeds through to y directly.

    Example:
        {type: Exp, base: "10"}
    """

    inputs: ClassVar = (Port("u"),)

    base: str = option(default="e", doc="the number that is raised to the power u", choices=("e", "2", "10"))

    def symbol(self) -> str:
        return f"{self.base}^u"

    def equation(self) -> str:
        return "exp(u)" if self.base == "e" else f"{self.base} ** u"
