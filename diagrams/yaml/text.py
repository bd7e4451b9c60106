"""Text: numbers, words, lists and expressions as YAML's flow style has them, exact to the bit."""

from __future__ import annotations

import ast
import json
import math
import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from ...base.yaml.scalars import resolve
from ...blocks.contract.mappings import MappingExpression
from ...blocks.contract.parameter_expression import Parameter

_PLAIN = re.compile(r"[A-Za-z_=][\w ./*()<>+-]*(?<! )", re.ASCII)
_EXPONENT = re.compile(r"e\+?(-?)0*")  # Python's e-06 and e+22 are e-6 and e22
_HIDDEN = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")


class NoText(ValueError):
    """A value that YAML has no text for."""


def flow(value: Any) -> str:
    """A value on one line.

    Raises NoText for what is not data.
    """
    match value:
        case None:
            return "null"
        case MappingExpression():
            return flow(value.data)
        case Parameter():
            return _expression(value)
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


def _expression(value: Parameter) -> str:
    """`=a + b`, or `[=a, 1]` where the formula is a list."""
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
