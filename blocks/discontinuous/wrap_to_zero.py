"""WrapToZero: a signal that is zero beyond a threshold."""

from __future__ import annotations

from typing import ClassVar

from ..contract.formula_block import FormulaBlock
from ..contract.icon import Icon
from ..contract.marks import first, graph
from ..contract.parameter import Real, parameter
from ..contract.port import Like, Port


class WrapToZero(FormulaBlock):
    """A signal up to a threshold, zero beyond it, element by element.

        y = u for u <= threshold,  0 for u > threshold

    The instant at which u passes the threshold is located. u feeds through to y directly.

    Example:
        {type: WrapToZero, threshold: 1.0}
    """

    inputs: ClassVar = (Port("u"),)
    outputs: ClassVar = (Port("y", like=Like(("u",))),)

    threshold: Real = parameter(default=255.0, unit="[u]", doc="highest y")

    def symbol(self) -> Icon:
        top = first(self.threshold)
        start, end = min(0.0, top - abs(top)), top + (abs(top) or 1.0) / 2
        return graph([(start, start), (top, top), (top, 0), (end, 0)])

    def equation(self) -> str:
        return "where(u > threshold, 0, u)"
