"""Quantizer: a signal rounded to steps."""

from __future__ import annotations

from collections.abc import Mapping
from math import floor
from typing import Any, ClassVar

from ..contract.formula_block import FormulaBlock
from ..contract.parameter import Real, option, parameter
from ..contract.port import Like, Port


class Quantizer(FormulaBlock):
    """The nearest step, element by element; halfway between two steps, the upper one.

        y = interval floor(u / interval + 1/2)

    Each step of y is a located event. With `events` false the jumps are not located. Use `events: false` for
    fine steps whose instants do not matter, such as those of a converter after a sampled block, or for
    thousands of steps a second. The error control then shortens the solver's steps at the jumps, unless y is
    sampled. u feeds through to y directly.

    Example:
        {type: Quantizer, interval: 0.1}
    """

    icon = "quantizer"
    inputs: ClassVar = (Port("u"),)
    outputs: ClassVar = (Port("y", like=Like(("u",))),)

    interval: Real = parameter(default=1.0, unit="[u]", doc="height of a step", above=0)
    events: bool = option(default=True, doc="whether the instants of the steps are located")

    def equation(self) -> str:
        return "interval * floor(u / interval + 0.5)"

    def functions(self) -> Mapping[str, Any]:
        return super().functions() if self.events else {"output": round_to_step}


def round_to_step(u: float, interval: float) -> float:
    return interval * floor(u / interval + 0.5)
