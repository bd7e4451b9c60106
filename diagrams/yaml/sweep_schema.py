"""Sweep schema: the JSON Schema of a sweep's axes and measures, for editors."""

from __future__ import annotations

from typing import Any

from .sweep import DISTRIBUTIONS

_NUMBER = {"type": "number"}
_VALUE = {"type": ["number", "string", "array", "object", "boolean"]}
_NUMBERS = {"type": "array", "items": _NUMBER, "minItems": 1}
_WORDS = {
    "normal": "mean and standard deviation",
    "uniform": "between low and high, all values alike",
    "truncated": "normal, of its values between low and high",
    "lognormal": "mean and standard deviation of the logarithm",
    "gaussian": "correlated: one mean a path, and their covariance",
}
_MANY = {"mean": _NUMBERS, "covariance": {"type": "array", "items": _NUMBERS, "minItems": 1}}


def _range(scale: str) -> dict[str, Any]:
    kinds = [_NUMBER, _NUMBER, {"type": "integer", "minimum": 1}]
    return {
        "type": "array",
        "prefixItems": kinds,
        "minItems": 3,
        "maxItems": 3,
        "description": f"[first, last, how many], at even distances on a {scale} scale",
    }


def _distribution(name: str) -> dict[str, Any]:
    numbers: dict[str, Any] = _MANY if name == "gaussian" else dict.fromkeys(DISTRIBUTIONS[name], _NUMBER)
    return {
        "type": "object",
        "description": _WORDS[name],
        "properties": numbers,
        "required": list(DISTRIBUTIONS[name]),
        "additionalProperties": False,
    }


_LIST = {"type": "array", "items": _VALUE, "minItems": 1}
_FORMS: dict[str, Any] = {
    "paths": {
        "type": "array",
        "items": {"type": "string"},
        "minItems": 1,
        "description": "what gets the value, where the axis has a name of its own",
    },
    "values": _LIST,
    "linspace": _range("linear"),
    "logspace": _range("logarithmic"),
    "count": {"type": "integer", "minimum": 1, "description": "0, 1, 2, ... so many"},
} | {name: _distribution(name) for name in DISTRIBUTIONS}

AXES = {
    "type": "object",
    "additionalProperties": {
        "anyOf": [_LIST, {"type": "object", "properties": _FORMS, "additionalProperties": False}]
    },
}
MEASURES = {"type": "object", "additionalProperties": {"type": "object"}}
