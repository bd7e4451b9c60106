"""Trigonometry: circular and hyperbolic functions."""

from __future__ import annotations

from ..contract.formula_block import FormulaBlock
from ..contract.parameter import option
from ..contract.port import Port

FUNCTIONS = ("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh")


class Trigonometry(FormulaBlock):
    """A circular or hyperbolic function, element by element; angles in rad.

        y = function(u),  or  y = atan2(u0, u1), the angle of the point (u1, u0), in -pi ... pi

    asin and acos of a u outside -1 ... 1 end the run with NotFinite. The jump of atan2 by 2 pi is an event.

    Example:
        {type: Trigonometry, function: cos}
    """

    function: str = option(default="sin", doc="the function", choices=FUNCTIONS)

    def symbol(self) -> str:
        return self.function

    def input_ports(self) -> tuple[Port, ...]:
        if self.function == "atan2":
            return Port("u0"), Port("u1")
        return (Port("u", unit="rad" if self.function in ("sin", "cos", "tan") else ""),)

    def output_ports(self) -> tuple[Port, ...]:
        return (Port("y", unit="rad" if self.function in ("asin", "acos", "atan", "atan2") else ""),)

    def equation(self) -> str:
        return f"{self.function}({', '.join(port.name for port in self.input_ports())})"
