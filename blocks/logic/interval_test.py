"""IntervalTest: true while a signal lies between two numbers."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ..contract.errors import ParameterError
from ..contract.formula_block import FormulaBlock
from ..contract.marks import label
from ..contract.parameter import Real, option, parameter
from ..contract.port import Port

ENDS = {"both": ("<=", "<="), "lower": ("<=", "<"), "upper": ("<", "<="), "neither": ("<", "<")}


class IntervalTest(FormulaBlock):
    """1 while a signal is within an interval, otherwise 0, element by element.

        y = 1 where lower <= u <= upper, otherwise 0

    `closed` selects the ends that belong to the interval. y changes at the located instants when u passes an
    end. u feeds through to y directly. Raises ParameterError unless lower <= upper.

    Example:
        {type: IntervalTest, lower: -0.5, upper: 0.5}
    """

    inputs: ClassVar = (Port("u"),)

    lower: Real = parameter(default=0.0, unit="[u]", doc="lower end")
    upper: Real = parameter(default=1.0, unit="[u]", doc="upper end")
    closed: str = option(default="both", doc="ends that belong to the interval", choices=tuple(ENDS))

    def symbol(self) -> str:
        left = "[" if self.closed in ("both", "lower") else "("
        right = "]" if self.closed in ("both", "upper") else ")"
        return f"{left}{label(self.lower, 'a')}, {label(self.upper, 'b')}{right}"

    def check(self) -> None:
        if not np.all(np.less_equal(self.lower, self.upper)):  # type: ignore[arg-type]
            raise ParameterError("IntervalTest", "lower", self.lower, f"at most upper, {self.upper}")

    def equation(self) -> str:
        below, above = ENDS[self.closed]
        return f"1 * (lower {below} u and u {above} upper)"
