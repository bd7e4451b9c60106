"""Product: signals multiplied and divided."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from ..contract.block import Block
from ..contract.errors import ParameterError
from ..contract.formula import Formula, parse
from ..contract.icon import Icon
from ..contract.parameter import option
from ..contract.port import Port, numbered_ports


class Product(Block):
    """Product and quotient of any number of inputs, element by element.

        y = u0 * u1 / u2 ...

    `signs` holds one * or / for each input, in order; a leading / gives 1 / u0. Sizes follow NumPy's
    broadcasting. A division by zero ends the run with NotFinite. For products of matrices see MatrixGain and
    MatrixProduct. All inputs feed through to y directly.

    Example:
        {type: Product, signs: "*/"}
    """

    elementwise: ClassVar = True

    signs: str = option(default="**", doc="one * or / per input")

    def symbol(self) -> Icon:
        inputs = tuple("×" if sign == "*" else "÷" for sign in self.signs)
        return Icon("×" if set(inputs) == {"×"} else "× ÷", inputs=() if set(inputs) == {"×"} else inputs)

    def check(self) -> None:
        if not isinstance(self.signs, str) or not self.signs or set(self.signs) - {"*", "/"}:
            expected = 'text of * and /, one per input, such as "*/"'
            raise ParameterError("Product", "signs", self.signs, expected)

    def input_ports(self) -> tuple[Port, ...]:
        return numbered_ports(len(self.signs))

    def functions(self) -> Mapping[str, Callable[..., Any] | Formula]:
        first = "u0" if self.signs[0] == "*" else "1 / u0"
        return {"output": parse(first + "".join(f" {s} u{i}" for i, s in enumerate(self.signs) if i))}
