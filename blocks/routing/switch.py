"""Switch: one of two signals, chosen by a third."""

from __future__ import annotations

from typing import ClassVar

from ..contract.formula_block import FormulaBlock
from ..contract.parameter import Real, option, parameter
from ..contract.port import Like, Port


class Switch(FormulaBlock):
    """Choice between two signals, element by element.

        y = then     where control >= threshold (or >, !=, by `criterion`)
            otherwise  elsewhere

    The change is an event. Two buses with the same fields give a bus; the control is then a scalar. All
    inputs feed through to y directly.

    Example:
        {type: Switch, criterion: ">", threshold: 0.5}
    """

    icon = "switch"
    inputs: ClassVar = (Port("control"), Port("then", buses=True), Port("otherwise", buses=True))
    outputs: ClassVar = (Port("y", like=Like(("then", "otherwise"))),)

    passes: ClassVar = ("then", "otherwise")

    threshold: Real = parameter(
        default=0.5,
        unit="[control]",
        doc="the number that `control` is compared with; 0.5 suits a logical signal",
    )
    criterion: str = option(default=">=", doc="the comparison", choices=(">=", ">", "!="))

    def equation(self) -> str:
        return f"where(control {self.criterion} threshold, then, otherwise)"
