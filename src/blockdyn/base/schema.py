"""A rule for a value is a piece of JSON Schema: it checks the value and describes the accepted ones in words.

Parameters of blocks, arguments of functions, settings of runs, masks, sections of files and sweeps have such
rules. The words of JSON Schema in use are `type` (also "path" and "instance", not in files), `enum`,
`const`, `anyOf`, `items`, `properties`, `required`, `additionalProperties` and the bounds of numbers and
lists; the target of a `$ref` is checked by its own reader.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from os import PathLike
from typing import Any, TypeAlias

import numpy as np

from .words import article

Schema: TypeAlias = "dict[str, Any]"
"""A piece of JSON Schema; empty where anything is taken."""
Steps: TypeAlias = "tuple[int, ...]"
"""The positions that lead to an element: (1, 0) is [1][0]; none for the value itself."""
FINITE = "finite"  # the `format` of numbers that .inf and .nan are not
NUMBER: Schema = {"type": "number", "format": FINITE}
POSITIVE: Schema = NUMBER | {"exclusiveMinimum": 0}
TEXT: Schema = {"type": "string"}
TEXTS: Schema = {"type": "array", "items": TEXT}
TRUTH: Schema = {"type": "boolean"}
NOTHING: Schema = {"type": "null"}
MOST_SHOWN = 2**53  # a bound above it guards a counter

_LARGEST_EXPONENT = 1023  # of a double: larger integers cannot be computed with
_WORDS = {
    "string": "text", "integer": "a whole number", "number": "a number", "boolean": "true or false",
    "null": "nothing", "array": "a list", "object": "a mapping", "path": "the path of a file",
}  # fmt: skip


def reference(name: str) -> Schema:
    """A reference to a definition of the complete schema, which has a separate reader."""
    return {"$ref": f"#/$defs/{name}"}


def mapping(about: str, /, **properties: Schema) -> Schema:
    """A mapping with these keys and no others."""
    return {"type": "object", "description": about, "properties": properties, "additionalProperties": False}


def table(values: Schema) -> Schema:
    """A mapping of names to values of one kind."""
    return {"type": "object", "additionalProperties": values}


def optional(schema: Schema, doc: str = "") -> Schema:
    """The value of a key that may be left out: `wires:` without a value counts as left out."""
    about: dict[str, Any] = {"description": doc} if doc else {}
    return {"anyOf": [*schema.get("anyOf", [schema]), NOTHING], **about}


def without_none(schema: Schema) -> Schema:
    """The rule of an optional value, without null."""
    parts = [part for part in schema.get("anyOf", [schema]) if part != NOTHING]
    return parts[0] if len(parts) == 1 else {"anyOf": parts}


def integer(least: int, most: int | None = None) -> Schema:
    """A whole number within bounds."""
    return {"type": "integer", "minimum": least} | ({} if most is None else {"maximum": most})


def pair(number: Schema) -> Schema:
    """Two numbers."""
    return {"type": "array", "items": number, "minItems": 2, "maxItems": 2}


def fits(value: Any, schema: Schema) -> bool:
    """True if a value fits a rule; numbers and arrays of NumPy are numbers and lists.

    The keys of a mapping are checked by the caller, which has its location.
    """
    if "anyOf" in schema:
        return any(fits(value, part) for part in schema["anyOf"])
    if "enum" in schema or "const" in schema:
        words = schema.get("enum", (schema.get("const"),))
        return any(type(value) is type(word) and value == word for word in words)
    match schema.get("type"):
        case "string":
            return isinstance(value, str)
        case "integer":
            whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
            return whole and all(meets(value) for meets, _ in bounds(schema))
        case "number":
            return is_number(value) and all(meets(value) for meets, _ in bounds(schema))
        case "boolean":
            return isinstance(value, (bool, np.bool_))
        case "null":
            return value is None
        case "array":
            items = value.tolist() if isinstance(value, np.ndarray) and value.ndim else value
            if not isinstance(items, Sequence) or isinstance(items, (str, bytes)):
                return False
            within = schema.get("minItems", 0) <= len(items) <= schema.get("maxItems", math.inf)
            inside = schema.get("items", {})
            return within and all(fits(item, inside) for item in items)
        case "object":
            return isinstance(value, Mapping)
        case "path":
            return isinstance(value, PathLike) and "\0" not in str(os.fspath(value))
        case "instance":
            return isinstance(value, schema["class"])
    return True


def bounds(schema: Schema) -> Iterator[tuple[Callable[[Any], Any], str]]:
    """The bounds of a number's rule: the numbers, or elements of an array, that meet each, and its words."""
    if schema.get("format") == FINITE:
        yield lambda x: abs(x) < math.inf, "finite numbers"
    if "exclusiveMinimum" in schema:
        above = schema["exclusiveMinimum"]
        yield lambda x: x > above, f"greater than {_bound_text(above)}"
    if "minimum" in schema:
        least = schema["minimum"]
        yield lambda x: x >= least, f"{_bound_text(least)} or greater"
    if "maximum" in schema:
        most = schema["maximum"]
        yield lambda x: x <= most, f"{_bound_text(most)} or less"


def _bound_text(bound: float) -> str:
    return "zero" if bound == 0 else f"{bound:g}"


def is_number(value: Any) -> bool:
    """True for one real number: not a truth value, not text."""
    if isinstance(value, np.ndarray):
        return bool(value.ndim == 0 and value.dtype.kind in "iuf")
    if isinstance(value, int) and value.bit_length() > _LARGEST_EXPONENT:
        return False
    return isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)


def misfit(value: Any, schema: Schema) -> tuple[Steps, Schema]:
    """The first element of a list that its rule does not accept, and the rule there."""
    items: Schema = next((part["items"] for part in schema.get("anyOf", [schema]) if "items" in part), {})
    for i, item in enumerate(value if isinstance(value, (list, tuple)) else ()):
        if not fits(item, items):
            steps, expected = misfit(item, items)
            return (i, *steps), expected
    return (), schema


def in_words(schema: Schema, *, many: bool = False) -> str:
    """The values that a rule accepts, in words; `many` are the items of a list."""
    if "anyOf" in schema:
        return " or ".join(in_words(part) for part in schema["anyOf"])
    if "const" in schema or "enum" in schema:
        words = list(map(str, schema.get("enum", (schema.get("const"),))))
        return " or ".join(words) if len(words) < 3 else "one of " + ", ".join(words)
    kind = schema.get("type", "")
    if kind == "instance":
        return article(schema["class"].__name__)
    word = _WORDS.get(kind, "a value")
    if schema.get("format") == FINITE:
        word = "a finite number"
    if many:
        word = word.removeprefix("a ") + ("s" if kind in ("integer", "number") else "")
    return word + (_of_items(schema) if kind == "array" else _bounded(schema))


def _of_items(schema: Schema) -> str:
    """The items of a list and how many there may be, in words."""
    inside = schema.get("items", {})
    words = ""
    if inside and "$ref" not in inside:
        words = (
            f", each item {in_words(inside)}" if "anyOf" in inside else f" of {in_words(inside, many=True)}"
        )
    if "maxItems" in schema:
        return f"{words}, {schema['maxItems']} of them"
    return words + (", one item or more" if schema.get("minItems") else "")


def _bounded(schema: Schema) -> str:
    """The bounds of a number in words, except one that only guards a counter."""
    if "minimum" in schema and schema.get("maximum", MOST_SHOWN) < MOST_SHOWN:
        return f" from {schema['minimum']:g} to {schema['maximum']:g}"
    said = [
        words for _, words in bounds({key: schema[key] for key in schema if key not in ("format", "maximum")})
    ]
    return "".join(f" {words}" if words.startswith("greater") else f", {words}" for words in said)
