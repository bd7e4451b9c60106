"""Clip: a signal held between two others."""

from __future__ import annotations

from typing import ClassVar

from ..contract.formula_block import FormulaBlock
from ..contract.port import Like, Port


class Clip(FormulaBlock):
    """Limits that are signals, element by element.

        y = lower where u < lower,  upper where u > upper,  u between them

    Reaching or leaving a limit is an event. If the limits cross, `upper` applies, as in numpy.clip. For
    constant limits use Saturation. All inputs feed through to y directly; y has their common unit.

    Example:
        {type: Clip}
    """

    icon = "saturation"
    inputs: ClassVar = (Port("u"), Port("lower"), Port("upper"))
    outputs: ClassVar = (Port("y", like=Like(("u", "lower", "upper"))),)

    def equation(self) -> str:
        return "min(max(u, lower), upper)"
