"""Modulo: the remainder of a division."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..contract.errors import ParameterError
from ..contract.formula_block import FormulaBlock
from ..contract.marks import label
from ..contract.parameter import Real, option, parameter
from ..contract.port import Like, Port

TRUNCATED = "u - {m} * sign(u / {m}) * floor(abs(u / {m}))"


class Modulo(FormulaBlock):
    """Remainder of a division, element by element.

        y = u - m floor(u / m)             sign: divisor, as Python's `%` and MATLAB's mod
        y = u - m trunc(u / m)             sign: dividend, as C's fmod and MATLAB's rem

    m is the constant `divisor`, or a second input if no divisor is given. Every jump, by m, is an event. An m
    of 0 ends the run with NotFinite; a `divisor` of 0 is a ParameterError. For differences of angles use
    AngleDifference.

    Example:
        {type: Modulo, divisor: 2.5}
    """

    divisor: Real | None = parameter(default=None, unit="[u]", doc="m; default: the input `m`")
    sign: str = option(
        default="divisor", doc="operand that determines the sign of y", choices=("divisor", "dividend")
    )

    def symbol(self) -> str:
        return "mod" if self.divisor is None else f"mod {label(self.divisor, 'm')}"

    def check(self) -> None:
        if self.divisor is not None and not np.all(np.asarray(self.divisor, np.float64)):
            raise ParameterError("Modulo", "divisor", self.divisor, "numbers that are not zero")

    def constants(self) -> Mapping[str, Any]:
        return {} if self.divisor is None else {"by": self.divisor}

    def input_ports(self) -> tuple[Port, ...]:
        return (Port("u"), Port("m")) if self.divisor is None else (Port("u"),)

    def output_ports(self) -> tuple[Port, ...]:
        return (Port("y", like=Like(("u",))),)

    def equation(self) -> str:
        m = "m" if self.divisor is None else "by"
        return f"u % {m}" if self.sign == "divisor" else TRUNCATED.format(m=m)
