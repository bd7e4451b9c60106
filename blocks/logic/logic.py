"""Logic: and, or, not and their combinations."""

from __future__ import annotations

from ..contract.errors import ParameterError
from ..contract.formula_block import FormulaBlock
from ..contract.parameter import option
from ..contract.port import Port, numbered_ports

MOST = 24  # maximum number of inputs: each is a condition of the formula
FUNCTIONS = ("and", "or", "not", "nand", "nor", "xor", "xnor")


class Logic(FormulaBlock):
    """A logical function, element by element: 1 where it is true, 0 where it is false.

        and   all inputs are true              nand  not all are
        or    at least one input is           nor   no input is
        xor   an odd number of inputs is       xnor  an even number is        not  the one input is not

    Any value other than 0 is true. y changes at the located instants at which inputs become zero or nonzero.
    All inputs feed through to y directly. For formulas of logical signals use Expression: `a and not (b or
    c)`.

    Example:
        {type: Logic, function: nand, count: 3}
    """

    function: str = option(default="and", doc="the function", choices=FUNCTIONS)
    count: int = option(default=2, doc="number of inputs, 1 to 24; `not` has one")

    def symbol(self) -> str:
        return self.function.upper()

    def check(self) -> None:
        if not 1 <= self.count <= MOST:
            raise ParameterError("Logic", "count", self.count, f"a whole number from 1 to {MOST}")

    def input_ports(self) -> tuple[Port, ...]:
        return numbered_ports(1 if self.function == "not" else self.count)

    def equation(self) -> str:
        names = [port.name for port in self.input_ports()]
        if self.function in ("xor", "xnor"):
            # parity: the product over the inputs, with 1 for false and -1 for true
            parity = " * ".join(f"(1 - 2 * ({name} != 0))" for name in names)
            return f"0.5 - 0.5 * {parity}" if self.function == "xor" else f"0.5 + 0.5 * {parity}"
        words = {"and": "and", "nand": "and", "or": "or", "nor": "or", "not": "or"}[self.function]
        joined = f" {words} ".join(f"({name} != 0)" for name in names)
        return f"not ({joined})" if self.function in ("nand", "nor", "not") else f"1 * ({joined})"
