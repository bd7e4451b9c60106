"""Sum: signals added and subtracted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, ClassVar

from ..contract.block import Block
from ..contract.errors import ParameterError
from ..contract.formula import Formula, parse
from ..contract.icon import Icon
from ..contract.parameter import option
from ..contract.port import Like, Port, numbered_ports


class Sum(Block):
    """Sum of any number of inputs, element by element.

        y = +-u0 +-u1 ...

    `signs` holds one + or - for each input, in order. Sizes follow NumPy's broadcasting; sizes that do not
    fit raise SizeError. All inputs feed through to y directly; y has their common unit.

    Example:
        {type: Sum, signs: "+-"}
    """

    elementwise: ClassVar = True

    signs: str = option(default="++", doc='one + or - per input, such as "+-"')

    def symbol(self) -> Icon:
        few = len(self.signs) <= 3
        return Icon("" if few else "Σ", shape="circle" if few else "box", inputs=tuple(self.signs))

    def check(self) -> None:
        if not isinstance(self.signs, str) or not self.signs or set(self.signs) - {"+", "-"}:
            raise ParameterError("Sum", "signs", self.signs, 'text of + and -, one per input, such as "+-"')

    def input_ports(self) -> tuple[Port, ...]:
        return numbered_ports(len(self.signs))

    def output_ports(self) -> tuple[Port, ...]:
        return _outputs(len(self.signs))

    def functions(self) -> Mapping[str, Callable[..., Any] | Formula]:
        # A formula, which is compiled for these signs: there is no loop over inputs and no product with -1.
        first = "u0" if self.signs[0] == "+" else "-u0"
        return {"output": parse(first + "".join(f" {s} u{i}" for i, s in enumerate(self.signs) if i))}


@lru_cache
def _outputs(count: int) -> tuple[Port, ...]:
    return (Port("y", like=Like(tuple(port.name for port in numbered_ports(count)))),)
