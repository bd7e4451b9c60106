"""Formulas of constants: every intermediate result must be finite."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce
from math import isfinite
from operator import add, mul, sub
from typing import Any

import numpy as np

from .errors import FormulaError
from .formula import Formula, Node, evaluate, operate

_PLAIN: dict[str, Callable[[float, float], float]] = {"+": add, "-": sub, "*": mul}
"""Operations on two numbers, equal to NumPy's to the last bit; sweeps compute millions of them."""
_POLES = ("log", "log2", "log10", "**")  # operations that are infinite if their first operand is 0
_SIGNS = {"neg": "-", "pos": "+", "not": "not "}


def constant(formula: Formula, names: Mapping[str, Any]) -> Any:
    """The value of a formula whose names are numbers.

    Only the chosen branch of a scalar condition is computed. Raises FormulaError for a division by zero, an
    overflow, and a result that is not real, such as sqrt(-1). Infinities that are written down, as in `inf`
    and `-inf`, are values.
    """
    return _value(formula.root, names)


def _value(node: Node, names: Mapping[str, Any]) -> Any:
    if node.operation in ("number", "name", "bit", "bits"):
        return evaluate(node, names)
    if node.operation in ("where", "and", "or"):
        return _choice(node, names)
    return _operation(node, [_value(part, names) for part in node.parts])


def _choice(node: Node, names: Mapping[str, Any]) -> Any:
    """A condition, `and` or `or`: the unused part is not computed, so it cannot fail."""
    test = _value(node.parts[0], names)
    if np.ndim(test) == 0:
        if node.operation == "where":
            return _value(node.parts[1 if test else 2], names)
        if bool(test) == (node.operation == "or"):
            return float(bool(test))
    elif node.operation == "where":
        # Each element of an array has its own branch: both branches are computed, and only the chosen one
        # must be finite. If it is not, the computation of its parts below finds the failing operation.
        chosen = evaluate(node, names)
        if np.all(np.isfinite(chosen)):
            return chosen
    return _operation(node, [test, *(_value(part, names) for part in node.parts[1:])])


def _operation(node: Node, parts: list[Any]) -> Any:
    if node.operation in _PLAIN and type(parts[0]) is float and type(parts[-1]) is float and len(parts) == 2:
        result = _PLAIN[node.operation](*parts)
        if isfinite(result):
            return result
    with np.errstate(all="ignore"):
        result = operate(node, parts)
    if node.operation != "list" and (reason := _fault(node.operation, parts, result)):
        failure = f"{_text(node.operation, parts)} {reason}"
        raise FormulaError(f"{failure}\nexpected: finite numbers all the way to the value")
    return result


def _fault(operation: str, parts: list[Any], result: Any) -> str:
    """The reason why a result is not a number, or is infinite although its parts are finite, or ''."""
    if isfinite(result) if type(result) is float else np.all(np.isfinite(result)):
        return ""
    undefined = np.isnan(result) & ~reduce(np.logical_or, map(np.isnan, parts))
    infinite = np.isinf(result) & reduce(np.logical_and, map(np.isfinite, parts))
    if operation in ("/", "%") and np.any(undefined | infinite) and not np.all(parts[1]):
        return "divides by zero"
    if np.any(infinite):
        pole = operation in _POLES and np.any(infinite & np.equal(parts[0], 0.0))
        return "is infinite" if pole else "is larger than 1.8e308, the largest number there is"
    return "is not a real number" if np.any(undefined) else ""


def _text(operation: str, parts: list[Any]) -> str:
    values = [f"{part:g}" if isinstance(part, float) else str(np.asarray(part).tolist()) for part in parts]
    if operation.isalnum() and operation not in _SIGNS:
        return f"{operation}({', '.join(values)})"
    return f" {operation} ".join(values) if len(values) > 1 else _SIGNS.get(operation, "") + values[0]
