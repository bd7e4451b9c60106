"""Expression: a formula of the inputs, written as text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..contract.conditions import roles
from ..contract.errors import FormulaError, ParameterError
from ..contract.formula import CONSTANTS, TIME, Node, parse
from ..contract.formula_block import FormulaBlock
from ..contract.parameter import Rule, as_number, option
from ..contract.port import Port


class Expression(FormulaBlock):
    """A formula of the inputs and the time t, element by element.

        y = formula

    The inputs are the formula's names in the order in which they appear; `t` is the time, and the names in
    `coefficients` are constant numbers. Comparisons, `a if c else b`, abs, sign, min, max, where, floor,
    ceil, % and atan2 change their branch at located events; a formula holds at most 30 such conditions.
    Comparisons of computed times allow for rounding: `t - 0.1 >= 0.2` holds from 0.3 s on, `t - 0.1 > 0.2`
    after 0.3 s. Formulas are read through a whitelist, never executed as Python: + - * / ** %, comparisons,
    and, or, not, sin, cos, tan, asin, acos, atan, atan2, sinh, cosh, tanh, exp, log, log10, log2, sqrt,
    hypot, and the numbers pi and inf; Euler's number is exp(1). No input can be called `t`, `pi` or `inf`.
    All inputs feed through to y directly. Raises ParameterError for a formula that cannot be read, and for
    coefficients that are not in it.

    Example:
        {type: Expression, formula: "a * sin(b) + c * max(b, 0)", coefficients: {c: 2.0}}
    """

    formula: str = option(doc="the formula")
    coefficients: Mapping[str, Any] | None = option(default=None, doc="constant numbers by name")

    def symbol(self) -> str:
        return self.formula.replace(" ** ", "^") if len(self.formula) <= 16 else "f(u)"

    def check(self) -> None:
        try:
            formula = parse(self.formula)
            roles(self.formula)
        except FormulaError as error:
            raise ParameterError("Expression", "formula", self.formula, reason=error) from None
        if has_list(formula.root):
            raise ParameterError("Expression", "formula", self.formula, "no lists; join signals with Mux")
        for name in self.constants():
            if name in (TIME, *CONSTANTS):
                meaning = "the time" if name == TIME else f"the number {CONSTANTS[name]:.6g}"
                expected = f"names other than `{name}`, which is {meaning} in formulas"
                raise ParameterError("Expression", "coefficients", self.coefficients, expected)
            if name not in formula.names:
                expected = f"names of the formula; `{name}` is not in `{self.formula}`"
                raise ParameterError("Expression", "coefficients", self.coefficients, expected)

    def constants(self) -> Mapping[str, Any]:
        coefficients = self.coefficients or {}
        if not all(isinstance(name, str) for name in coefficients):
            raise ParameterError(
                "Expression", "coefficients", coefficients, "numbers by name, such as {a: 1.0}"
            )
        rule, place = Rule(True, dimensions=(0,)), "coefficients."
        return {
            key: as_number("Expression", f"{place}{key}", value, rule) for key, value in coefficients.items()
        }

    def input_ports(self) -> tuple[Port, ...]:
        no_inputs = {TIME, *self.constants()}
        return tuple(Port(name) for name in parse(self.formula).names if name not in no_inputs)

    def equation(self) -> str:
        return self.formula


def has_list(node: Node) -> bool:
    """True if a formula contains a list."""
    return node.operation == "list" or any(map(has_list, node.parts))
