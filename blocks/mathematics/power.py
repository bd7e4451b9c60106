"""Power: a signal raised to a constant exponent."""

from __future__ import annotations

from typing import ClassVar

from ..contract.formula_block import FormulaBlock
from ..contract.marks import label
from ..contract.parameter import Real, parameter
from ..contract.port import Port


class Power(FormulaBlock):
    """Power, element by element.

        y = u ^ exponent

    If the power is not a real number (a negative u with a fractional exponent) or is infinite (u = 0 with a
    negative exponent), the run ends with NotFinite. u feeds through to y directly.

    Example:
        {type: Power, exponent: 0.5}
    """

    inputs: ClassVar = (Port("u"),)

    exponent: Real = parameter(default=2.0, unit="1", doc="exponent")

    def symbol(self) -> str:
        return f"u^{{{label(self.exponent, 'p')}}}"

    def equation(self) -> str:
        return "u ** exponent"
