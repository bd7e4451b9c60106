"""Values: numbers, lists and expressions of a parameter, from YAML and back to text."""

from __future__ import annotations

import math
from typing import Any

from ...base.yaml.positions import Node, place as place_in
from ...blocks.contract.errors import FormulaError
from ...blocks.contract.parameter_expression import Parameter, expression
from ..model.errors import BadExpression, BadParameter
from ..model.values import as_value
from .errors import WrongType


def parameter_value(node: Node, path: str) -> Any:
    """A parameter's value: plain, or a Parameter where it is or holds an expression that begins with `=`.

    Raises BadExpression, WrongType.
    """
    if _is_expression(node):
        return _expression(str(node.value), node, path)
    if isinstance(node.value, list) and _holds_expression(node):
        return _expression("=" + _as_formula(node), node, path)
    if isinstance(node.value, dict):
        return {key: parameter_value(entry.node, f"{path}.{key}") for key, entry in node.entries.items()}
    return node.plain()


def _is_expression(node: Node) -> bool:
    return isinstance(node.value, str) and node.value.startswith("=")


def _holds_expression(node: Node) -> bool:
    return any(_is_expression(item) or _holds_expression(item) for item in node.items)


def _expression(text: str, node: Node, path: str) -> Parameter:
    try:
        return expression(text)
    except FormulaError as error:
        hint = "\nput it in quotes: inside { } and [ ] a comma ends a value"
        hint = hint if text.count("(") > text.count(")") else ""
        raise BadExpression(path, text[1:81], f"{error}{hint}", location=node.at) from None


def _as_formula(node: Node) -> str:
    """A list that holds expressions, as one formula: [=a, 1] is =[a, 1]."""
    value = node.value
    if isinstance(value, list):
        return "[" + ", ".join(_as_formula(item) for item in value) + "]"
    if isinstance(value, str) and value.startswith("="):
        return value[1:].strip()
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        if math.isnan(value):
            raise WrongType("not-a-number in a list of expressions", "numbers", location=node.at)
        return repr(value)
    raise WrongType(
        f"{node.describe()} in a list of expressions",
        "numbers and expressions, which begin with `=`",
        location=node.at,
    )


def declared_number(node: Node, place: str, owner: str, name: str) -> Any:
    """What a diagram's parameter is declared as. Raises BadExpression, WrongType, BadParameter."""
    value = parameter_value(node, place)
    try:
        return as_value(value, owner, name, node.at)
    except BadParameter as error:
        element = getattr(error.reason, "element", ())
        raise BadParameter(owner, name, error.reason, location=place_in(node, element)) from None
