"""Switch: one of two signals, chosen by a third."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ..formula_block import FormulaBlock
from ..parameter import Real, option, parameter
from ..port import Port, Size


class Switch(FormulaBlock):
    """Choice between two signals, element by element.

        y = then     where control >= threshold (or >, !=, as `criterion` says)
            otherwise  elsewhere

    The change is an event. Buses of the same fields stay buses under a scalar control.

    Example:
        {type: Switch, criterion: ">", threshold: 0.5}
    """

    inputs: ClassVar = (Port("control"), Port("then"), Port("otherwise"))

    threshold: Real = parameter(
        default=0.5, doc="what `control` is compared with; 0.5 suits a logical signal"
    )
    criterion: str = option(default=">=", doc="the comparison", choices=(">=", ">", "!="))

    def equation(self) -> str:
        return f"where(control {self.criterion} threshold, then, otherwise)"

    def sizes(self, inputs: Mapping[str, Size | None]) -> Mapping[str, Size | None]:
        size, found = inputs["then"], super().sizes(inputs)["y"]
        same = size is not None and found is not None and size == inputs["otherwise"]
        return {"y": size if same and size.shape == found.shape else found}  # type: ignore[union-attr]
