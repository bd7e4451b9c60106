"""Annotations of parameters are rules for their values; real numbers in arrays, without truth values."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from math import isfinite
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from .schema import Schema

_FEW = 64  # numbers, from which on NumPy is quicker
_FLOAT = np.dtype(np.float64)
_TRUTH = frozenset({bool, np.bool_})

_SIMPLE: dict[str, Schema] = {
    "str": {"type": "string"},
    "int": {"type": "integer"},
    "float": {"type": "number"},
    "bool": {"type": "boolean"},
    "Path": {"type": "path"},
    "PathLike": {"type": "path"},
    "None": {"type": "null"},
}
_LISTS = ("tuple", "list", "Sequence")
_MAPPINGS = ("dict", "Mapping")


def schema_of(annotation: Any, names: Mapping[str, Any] | None = None) -> Schema:
    """The schema of an annotation: `str`, `int | None`, `tuple[str, ...]`, Literal["a", "b"], as text or not.

    `names` are those that it may use, such as the globals of its module.
    """
    plain = isinstance(annotation, type) and not get_args(annotation)
    text = annotation.__name__ if plain else str(annotation)
    try:
        return _schema(ast.parse(text, mode="eval").body, names or {})
    except SyntaxError:
        return {}


def _schema_of_name(name: str, names: Mapping[str, Any]) -> Schema:
    """The schema of a name: a simple type, or another name for an annotation."""
    if name in _SIMPLE:
        return _SIMPLE[name]
    alias = names.get(name)
    return schema_of(alias, names) if get_args(alias) or isinstance(alias, str) else {}


def _schema(node: ast.expr, names: Mapping[str, Any]) -> Schema:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return _schema_of_name(name, names)
        case ast.Constant(value=None):
            return _SIMPLE["None"]
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            sides = [_schema(left, names), _schema(right, names)]
            flat = [part for side in sides for part in side.get("anyOf", [side])]
            return {"anyOf": flat} if all(flat) else {}
        case ast.Subscript(value=ast.Name(id=name) | ast.Attribute(attr=name), slice=inside):
            parts = inside.elts if isinstance(inside, ast.Tuple) else [inside]
            if name == "PathLike":
                return _SIMPLE[name]
            if name == "Literal":
                return {"enum": [part.value for part in parts if isinstance(part, ast.Constant)]}
            if name in _LISTS:
                schemas = [item for item in (_schema(part, names) for part in parts) if item]
                return {
                    "type": "array",
                    "items": schemas[0] if len({str(item) for item in schemas}) == 1 else {},
                }
            return {"type": "object"} if name in _MAPPINGS else _SIMPLE.get(name, {})
    return {}


def holds_truth(value: Any) -> bool:
    """True for a truth value, or a list that holds one somewhere."""
    if isinstance(value, np.ndarray):
        return bool(value.dtype.kind == "b" or (value.dtype.kind == "O" and holds_truth(value.tolist())))
    if not isinstance(value, (list, tuple)):
        return isinstance(value, (bool, np.bool_))
    types: set[type] = set(map(type, value))  # of long lists at C's speed
    nested = list in types or tuple in types or np.ndarray in types
    return bool in types or np.bool_ in types or (nested and any(map(holds_truth, value)))


def plain_numbers(value: Any) -> bool:
    """True if a vector holds no truth value, in a fraction of a microsecond; False may mean undecided."""
    if type(value) is np.ndarray:
        return value.dtype is _FLOAT
    return _TRUTH.isdisjoint(map(type, value))


def of_truth(value: Any) -> str:
    """A hint for an error if numbers are expected and a value holds True or False."""
    return "; true is 1, false is 0" if holds_truth(value) else ""


def real_numbers(value: Any) -> NDArray[np.float64]:
    """Real numbers as an array of their own shape; one of float64 is taken as it is.

    Raises ValueError or TypeError for text, truth values and other objects.
    """
    if type(value) is np.ndarray and value.dtype is _FLOAT:
        return value
    array = np.asarray(value)
    if array.dtype.kind not in "iufO" or holds_truth(array if array.dtype.kind == "O" else value):
        raise ValueError("no real numbers")
    try:
        return array.astype(np.float64, copy=False)
    except OverflowError:  # an integer that no double holds
        raise ValueError("no real numbers") from None


def real_array(value: Any) -> NDArray[np.float64]:
    """Real numbers as a contiguous array. Raises ValueError for text, truth values and what is no number."""
    if type(value) is np.ndarray and value.dtype is _FLOAT and value.ndim and value.flags.c_contiguous:
        return value
    array = np.asarray(value)
    if array.dtype.kind not in "iuf" or holds_truth(value):
        raise ValueError("no real numbers")
    return np.ascontiguousarray(array, dtype=np.float64)


def all_finite(values: NDArray[np.float64]) -> bool:
    """True if no number is NaN or infinite. For a few numbers the sum decides, in a tenth of NumPy's time."""
    few = values.size <= _FEW
    return (few and isfinite(sum(values.ravel().tolist()))) or 0 not in np.isfinite(values).tobytes()
