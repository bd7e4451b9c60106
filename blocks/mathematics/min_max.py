"""MinMax: the smallest or the largest of several signals."""

from __future__ import annotations

from functools import lru_cache

from ..contract.errors import ParameterError
from ..contract.formula_block import FormulaBlock
from ..contract.parameter import option
from ..contract.port import Like, Port, numbered_ports

MOST = 16  # maximum number of inputs: each except the first is a condition of the formula


class MinMax(FormulaBlock):
    """The smallest or largest of two or more signals, element by element.

        y = min(u0, u1, ...),  or  y = max(u0, u1, ...)

    When another input takes over, y has a kink, which is an event. Sizes follow NumPy's broadcasting. All
    inputs feed through to y directly; y has their common unit.

    Example:
        {type: MinMax, function: max, count: 3}
    """

    function: str = option(default="min", doc="smallest or largest", choices=("min", "max"))
    count: int = option(default=2, doc="number of inputs, 2 to 16")

    def symbol(self) -> str:
        return self.function

    def check(self) -> None:
        if not 2 <= self.count <= MOST:
            raise ParameterError("MinMax", "count", self.count, f"a whole number from 2 to {MOST}")

    def input_ports(self) -> tuple[Port, ...]:
        return numbered_ports(self.count)

    def output_ports(self) -> tuple[Port, ...]:
        return _outputs(self.count)

    def equation(self) -> str:
        return f"{self.function}({', '.join(port.name for port in numbered_ports(self.count))})"


@lru_cache
def _outputs(count: int) -> tuple[Port, ...]:
    return (Port("y", like=Like(tuple(port.name for port in numbered_ports(count)))),)
