"""Compare: a signal against a number."""

from __future__ import annotations

from typing import ClassVar

from ..contract.formula_block import FormulaBlock
from ..contract.marks import SIGNS, label
from ..contract.parameter import Real, option, parameter
from ..contract.port import Port


class Compare(FormulaBlock):
    """Comparison with a constant, element by element.

        y = 1 where u > value (or >=, <, <=, ==, !=), otherwise 0

    y changes at the located instant when u passes `value`. CompareSignals compares two signals.

    Example:
        {type: Compare, operator: ">=", value: 2.0}
    """

    inputs: ClassVar = (Port("u"),)

    operator: str = option(default=">", doc="the comparison", choices=(">", ">=", "<", "<=", "==", "!="))
    value: Real = parameter(default=0.0, unit="[u]", doc="the number that u is compared with")

    def symbol(self) -> str:
        return f"u {SIGNS.get(self.operator, self.operator)} {label(self.value, 'c')}"

    def equation(self) -> str:
        return f"u {self.operator} value"
