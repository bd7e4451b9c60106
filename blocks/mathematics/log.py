"""Log: the logarithm of a signal."""

from __future__ import annotations

from typing import ClassVar

from ..contract.formula_block import FormulaBlock
from ..contract.parameter import option
from ..contract.port import Port

FUNCTIONS = {"e": "log", "2": "log2", "10": "log10"}


class Log(FormulaBlock):
    """Logarithm, element by element.

        y = ln u,  log2 u  or  log10 u

    A u that is 0 or negative ends the run with NotFinite. u feeds through to y directly.

    Example:
        {type: Log, base: "10"}
    """

    inputs: ClassVar = (Port("u"),)

    base: str = option(default="e", doc="base of the logarithm", choices=tuple(FUNCTIONS))

    def symbol(self) -> str:
        return "ln u" if self.base == "e" else f"log_{self.base} u"

    def equation(self) -> str:
        return f"{FUNCTIONS[self.base]}(u)"
