"""Numbers, lists and expressions of parameters are read from YAML and written back in flow style."""

from __future__ import annotations

import ast
import json
import math
import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from ...base.yaml.positions import Node, place as place_in
from ...base.yaml.scanning import resolve
from ...blocks.contract.errors import FormulaError
from ...blocks.contract.mappings import MappingExpression
from ...blocks.contract.parameter_expression import Parameter, expression
from ..model.errors import BadExpression, BadParameter
from ..model.values import as_value
from .errors import YamlError

_PLAIN = re.compile(r"[A-Za-z_=][\w ./*()<>+-]*(?<! )", re.ASCII)
_EXPONENT = re.compile(r"e\+?(-?)0*")  # Python's e-06 and e+22 are e-6 and e22
_HIDDEN = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")


class NoText(ValueError):
    """A value that YAML has no text for."""


def flow(value: Any) -> str:
    """A value on one line. Raises NoText for an object that is not data."""
    match value:
        case None:
            return "null"
        case MappingExpression():
            return flow(value.data)
        case Parameter():
            return _expression_text(value)
        case bool() | np.bool_():
            return "true" if bool(value) else "false"
        case int() | np.integer():
            return str(int(value))
        case float() | np.floating():
            return number(float(value))
        case str():
            return word(value)
        case np.ndarray():
            return flow(value.tolist())
        case list() | tuple():
            return "[" + ", ".join(map(flow, value)) + "]"
        case Mapping():
            return "{" + ", ".join(f"{key(name)}: {flow(inner)}" for name, inner in value.items()) + "}"
    raise NoText(f"a value of type {type(value).__name__}")


def number(value: float) -> str:
    """The shortest text that reads back as the same double."""
    if math.isfinite(value):
        return _EXPONENT.sub(r"e\1", repr(value))
    return ".nan" if math.isnan(value) else ".inf" if value > 0 else "-.inf"


def word(text: str) -> str:
    """Text, in quotes where it would be read as something else."""
    if _PLAIN.fullmatch(text) and isinstance(resolve(text), str):
        return text
    quoted = json.dumps(text, ensure_ascii=False)
    return _HIDDEN.sub(lambda match: f"\\u{ord(match.group()):04x}", quoted)


def key(text: object) -> str:
    """Text as a key.

    Raises NoText for anything else.
    """
    if not isinstance(text, str):
        raise NoText(f"a key of type {type(text).__name__}")
    return word(text)


def _expression_text(value: Parameter) -> str:
    """`=a + b`, or `[=a, 1]` if the formula is a list."""
    text = value.formula.text
    body = ast.parse(text, mode="eval").body
    parts = _list(body) if isinstance(body, (ast.List, ast.Tuple)) else ""
    return parts if "=" in parts else word("=" + text)


def _list(node: ast.List | ast.Tuple) -> str:
    return "[" + ", ".join(map(_item, node.elts)) + "]"


def _item(node: ast.expr) -> str:
    if isinstance(node, (ast.List, ast.Tuple)):
        return _list(node)
    text = ast.unparse(node)
    try:
        plain = resolve(text)
    except OverflowError:
        plain = text
    return text if isinstance(plain, (int, float)) and not isinstance(plain, bool) else word("=" + text)


def parameter_value(node: Node, path: str) -> Any:
    """A parameter's value: plain, or a Parameter if it is or contains an expression that begins with `=`.

    Raises BadExpression, YamlError.
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
            raise YamlError("not-a-number in a list of expressions", "numbers", location=node.at)
        return repr(value)
    raise YamlError(
        f"{node.describe()} in a list of expressions",
        "numbers and expressions, which begin with `=`",
        location=node.at,
    )


def declared_number(node: Node, place: str, owner: str, name: str) -> Any:
    """The declared value of a diagram's parameter. Raises BadExpression, YamlError, BadParameter."""
    value = parameter_value(node, place)
    try:
        return as_value(value, owner, name, node.at)
    except BadParameter as error:
        element = getattr(error.reason, "element", ())
        raise BadParameter(owner, name, error.reason, location=place_in(node, element)) from None
