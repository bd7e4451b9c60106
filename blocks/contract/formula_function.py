"""Functions of one variable that blocks take: formulas as text, or Python functions."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

from .errors import FormulaError, ParameterError
from .formula import CONSTANTS, Node, parse

FormulaLike: TypeAlias = "str | Callable[..., Any]"
"""A function of one variable: a formula such as `cos(t)`, or a Python function, `module:name` in YAML."""
Function: TypeAlias = Callable[[float], float]
ElementFunction: TypeAlias = Callable[[int, float], float]

_ARITHMETIC = ("+", "-", "*", "/", "**", "%")
_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=", "and", "or")
_SPACE: dict[str, Any] = {
    name: getattr(math, name)
    for name in (
        "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp", "log", "log10",
        "log2", "sqrt", "hypot", "floor", "ceil", "inf",
    )
} | {"abs": abs, "min": min, "max": max}  # fmt: skip


def functions_of(
    block: str, name: str, value: FormulaLike | Sequence[FormulaLike], variable: str
) -> tuple[Function, ...]:
    """One function of a variable for all elements, or one for each. Raises ParameterError."""
    each = value if isinstance(value, Sequence) and not isinstance(value, str) else (value,)
    functions: list[Callable[..., Any]] = []
    for one in each:
        if isinstance(one, str):
            try:
                functions.append(function_of(one, variable))
            except FormulaError as error:
                raise ParameterError(block, name, value, reason=error) from None
        elif callable(one):
            functions.append(one)
    if not functions or len(functions) < len(each):
        expected = f'a formula of {variable}, "cos({variable})", a function of {variable}, or a list of these'
        raise ParameterError(block, name, value, expected)
    return tuple(functions)


@lru_cache(maxsize=256)  # so that blocks with the same functions are equal
def by_element(functions: tuple[Function, ...]) -> ElementFunction:
    """`f(i, x)`, the function of element i of a variable; a single function serves all elements."""
    first = functions[0]
    if len(functions) == 1:

        def one(i: int, x: float) -> float:
            return first(x)

        return one
    others = by_element(functions[1:])

    def each(i: int, x: float) -> float:
        if i == 0:
            return first(x)
        return others(i - 1, x)

    return each


@lru_cache(maxsize=256)
def function_of(text: str, variable: str) -> Function:
    """A formula of one variable as a function that can be compiled. Raises FormulaError."""
    formula = parse(text)
    for other in formula.names:
        if other != variable:
            known = ", ".join((variable, *CONSTANTS))
            raise FormulaError(f"`{other}` in `{text}` is not known\nknown are: {known}")
    space = dict(_SPACE)
    body = f"def function({variable}):\n    return 1.0 * {_to_python(formula.root)}\n"
    exec(body, space)  # only operations that `parse` reads
    function: Function = space["function"]
    return function


def _to_python(node: Node) -> str:
    """A formula's tree as Python."""
    operation = node.operation
    if operation == "number":
        return repr(float(node.value))
    if operation == "name":
        return str(node.value)
    parts = [_to_python(part) for part in node.parts]
    if operation in _ARITHMETIC:
        return f"({parts[0]} {operation} {parts[1]})"
    if operation in _COMPARISONS:
        sides = parts if operation not in ("and", "or") else [f"({part} != 0.0)" for part in parts]
        return f"(1.0 if {sides[0]} {operation} {sides[1]} else 0.0)"
    if operation == "where":
        return f"({parts[1]} if {parts[0]} != 0.0 else {parts[2]})"
    if operation == "sign":
        return f"((1.0 if {parts[0]} > 0.0 else 0.0) - (1.0 if {parts[0]} < 0.0 else 0.0))"
    if operation in ("neg", "pos"):
        return f"({'-' if operation == 'neg' else '+'}{parts[0]})"
    if operation == "not":
        return f"(0.0 if {parts[0]} != 0.0 else 1.0)"
    if operation in _SPACE:
        return f"{operation}({', '.join(parts)})"
    raise FormulaError("a list in a formula of one element; give a list of formulas")
