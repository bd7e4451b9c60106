"""WrapToZero: a signal that is zero beyond a threshold."""

from __future__ import annotations

from typing import ClassVar

from ..contract.formula_block import FormulaBlock
from ..contract.parameter import Real, parameter
from ..contract.port import Like, Port


class WrapToZero(FormulaBlock):
    """A signal up to a threshold, zero beyond it, element by element.

        y = u for u <= threshold,  0 for u > threshold

    The instant at which u passes the threshold is located. u reaches y at once.

    Example:
        {type: WrapToZero, threshold: 255}
    """

    inputs: ClassVar = (Port("u"),)
    outputs: ClassVar = (Port("y", like=Like(("u",))),)

    threshold: Real = parameter(default=255.0, doc="highest y")

    def equation(self) -> str:
        return "where(u > threshold, 0, u)"
