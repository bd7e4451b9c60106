"""Compute parameters of blocks from parameters of the diagram, with arithmetic."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...base.schema import is_number
from ...base.words import article, visible
from .element import DEEPEST, LISTS, first_wrong
from .errors import FormulaError
from .formula import FUNCTIONS, Formula, parse


@dataclass(frozen=True)
class Parameter:
    """A block parameter given as an expression over the diagram's parameters, as `=kp / 2` in YAML.

    Arithmetic with other expressions and with numbers gives new expressions: `1 / expression("J")`.
    """

    formula: Formula
    is_parameter = True

    def finished(self, value: Any) -> Any:
        """The block's value, given the value of the formula."""
        return value

    def __repr__(self) -> str:
        return visible(f"'={self.formula.text}'")

    def __neg__(self) -> Parameter:
        return expression(f"-{self._inner}")

    def __add__(self, other: Parameter | float) -> Parameter:
        return self._with(other, "{a} + {b}")

    def __radd__(self, other: Parameter | float) -> Parameter:
        return self._with(other, "{b} + {a}")

    def __sub__(self, other: Parameter | float) -> Parameter:
        return self._with(other, "{a} - {b}")

    def __rsub__(self, other: Parameter | float) -> Parameter:
        return self._with(other, "{b} - {a}")

    def __mul__(self, other: Parameter | float) -> Parameter:
        return self._with(other, "{a} * {b}")

    def __rmul__(self, other: Parameter | float) -> Parameter:
        return self._with(other, "{b} * {a}")

    def __truediv__(self, other: Parameter | float) -> Parameter:
        return self._with(other, "{a} / {b}")

    def __rtruediv__(self, other: Parameter | float) -> Parameter:
        return self._with(other, "{b} / {a}")

    def __pow__(self, other: Parameter | float) -> Parameter:
        return self._with(other, "{a} ** {b}")

    def __rpow__(self, other: Parameter | float) -> Parameter:
        return self._with(other, "{b} ** {a}")

    def __abs__(self) -> Parameter:
        return expression(f"abs({self.formula.text})")

    def _with(self, other: Parameter | float, form: str) -> Parameter:
        """The expression that `form` makes from this one, {a}, and another expression or a number, {b}."""
        if isinstance(other, Parameter):
            return expression(form.format(a=self._inner, b=other._inner))
        if not is_number(other) or other != other:
            return NotImplemented  # type: ignore[no-any-return]  # Python asks the other one then
        text = repr(other) if isinstance(other, int) else repr(float(other))
        return expression(form.format(a=self._inner, b=f"({text})" if other < 0 else text))

    @property
    def _inner(self) -> str:
        """The text as a part of a longer one."""
        plain = self.formula.root.operation in ("name", "number")
        return self.formula.text if plain else f"({self.formula.text})"


def _function_on_expression(name: str) -> Callable[[Parameter], Parameter]:
    return lambda value: expression(f"{name}({value.formula.text})")


for _name, (_count, _function) in FUNCTIONS.items():
    if _count == 1 and _name != "abs":  # NumPy calls methods of these names: np.sqrt(expression("J"))
        setattr(Parameter, _function.__name__, _function_on_expression(_name))


def expression(text: str) -> Parameter:
    """A parameter value computed from the diagram's parameters: `Gain(k=expression("2 * kp"))`.

    Raises FormulaError.
    """
    if not isinstance(text, str):
        raise FormulaError(
            f"an expression is {article(type(text).__name__)}\nexpected: text, such as '2 * kp'"
        )
    return Parameter(parse(text.removeprefix("=")))


def join_expressions(value: Any) -> Any:
    """A list of expressions as a single expression: `[expression("a"), 1.0]` is `expression("[a,
    1.0]")`."""
    if isinstance(value, np.ndarray) and value.dtype == object:
        value = value.tolist()
    holds = isinstance(value, LISTS) and first_wrong(value, lambda item: isinstance(item, Parameter))
    text = _list_formula(value) if holds else ""
    return Parameter(parse(text)) if text else value


def _list_formula(value: Any, levels: int = DEEPEST) -> str:
    """A list as a formula; empty if something in it is neither a number nor an expression."""
    if isinstance(value, Parameter):
        return value.formula.text
    if isinstance(value, LISTS):
        items = [_list_formula(item, levels - 1) for item in value] if levels else [""]
        return f"[{', '.join(items)}]" if all(items) else ""
    return repr(float(value)) if is_number(value) and value == value else ""
