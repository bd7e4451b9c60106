"""Sqrt: the square root of a signal."""

from __future__ import annotations

from typing import ClassVar

from ..contract.formula_block import FormulaBlock
from ..contract.parameter import option
from ..contract.port import Port


class Sqrt(FormulaBlock):
    """Square root, element by element.

        y = sqrt(u),  or with `signed`  y = sign(u) sqrt(|u|)

    A negative u ends the run with NotFinite, unless `signed` is set, as for flows through orifices; the
    change of sign is then an event. At 0 the slope is infinite: the solver takes short steps there if y
    drives states. u feeds through to y directly.

    Example:
        {type: Sqrt, signed: true}
    """

    icon = "√u"
    inputs: ClassVar = (Port("u"),)

    signed: bool = option(default=False, doc="odd: sign(u) sqrt(|u|)")

    def equation(self) -> str:
        return "sign(u) * sqrt(abs(u))" if self.signed else "sqrt(u)"
