"""MultiportSwitch: one of several signals, chosen by a number."""

from __future__ import annotations

from typing import ClassVar

from ..contract.errors import ParameterError
from ..contract.formula_block import FormulaBlock
from ..contract.parameter import Real, option, parameter
from ..contract.port import Like, Port, numbered_ports

MOST = 30  # maximum number of inputs: each pair of neighbours is a condition of the formula


class MultiportSwitch(FormulaBlock):
    """Choice among signals by their number, element by element.

        y = u_k,  k the whole number nearest to control - first, from 0 to the last index

    A change of the choice is an event. A scalar control chooses among whole vectors, a vector control chooses
    for each element. Only the chosen input affects y, but all inputs have direct feedthrough. y has their
    common unit.
    Raises ParameterError for a count outside 2 ... 30: for more signals, cascade several blocks.

    Example:
        {type: MultiportSwitch, count: 2, first: 1}
    """

    icon = "selection"
    elementwise: ClassVar = True

    count: int = option(default=2, doc="number of signals, 2 to 30")
    first: Real = parameter(default=0.0, unit="1", doc="number of the first signal", dimensions=(0,))

    def check(self) -> None:
        if not 2 <= self.count <= MOST:
            expected = f"a whole number from 2 to {MOST}; for more, cascade several MultiportSwitches"
            raise ParameterError("MultiportSwitch", "count", self.count, expected)

    def input_ports(self) -> tuple[Port, ...]:
        return (Port("control"), *(Port(port.name, buses=True) for port in numbered_ports(self.count)))

    def output_ports(self) -> tuple[Port, ...]:
        return (Port("y", like=Like(tuple(port.name for port in numbered_ports(self.count)))),)

    def equation(self) -> str:
        return _choice(0, self.count)


def _choice(begin: int, end: int) -> str:
    """The choice among begin ... end - 1, by bisection: thirty inputs need five levels."""
    if end - begin == 1:
        return f"u{begin}"
    middle = (begin + end) // 2
    lower, upper = _choice(begin, middle), _choice(middle, end)
    return f"where(control - first < {middle - 0.5}, {lower}, {upper})"
