"""CompareSignals: a signal against another."""

from __future__ import annotations

from typing import ClassVar

from ..contract.formula_block import FormulaBlock
from ..contract.marks import SIGNS
from ..contract.parameter import option
from ..contract.port import Port


class CompareSignals(FormulaBlock):
    """Comparison of two signals, element by element.

        y = 1 where u0 > u1 (or >=, <, <=, ==, !=), otherwise 0

    y changes at the located instant when u0 passes u1. Compare compares a signal with a constant.

    Example:
        {type: CompareSignals, operator: "<"}
    """

    inputs: ClassVar = (Port("u0"), Port("u1"))

    operator: str = option(default=">", doc="the comparison", choices=(">", ">=", "<", "<=", "==", "!="))

    def symbol(self) -> str:
        return SIGNS.get(self.operator, self.operator)

    def equation(self) -> str:
        return f"u0 {self.operator} u1"
