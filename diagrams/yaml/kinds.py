"""Kinds: what a block's parameter takes in YAML, as a piece of JSON Schema made from its declaration."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Mapping
from functools import cache
from typing import Any

from ...blocks.block import Block
from ...blocks.parameter import Rule

Schema = dict[str, Any]
REFERENCE = "blockdyn-reference"  # to a definition that only the whole schema has
_SIMPLE: dict[str, Schema] = {
    "str": {"type": "string"},
    "int": {"type": "integer"},
    "float": {"type": "number"},
    "bool": {"type": "boolean"},
    "None": {"type": "null"},
}
_LISTS = ("tuple", "list", "Sequence")
_MAPPINGS = ("dict", "Mapping")
_WORDS = {
    "string": "text", "integer": "a whole number", "number": "a number", "boolean": "true or false",
    "null": "nothing", "array": "a list", "object": "a mapping",
}  # fmt: skip


@dataclasses.dataclass(frozen=True)
class Kind:
    """One parameter of a block type: its rule, its default if it has one, what it takes."""

    rule: Rule
    required: bool
    default: Any
    schema: Schema
    callable: bool = False
    robot: bool = False

    @property
    def text_only(self) -> bool:
        """Whether it takes no numbers, so that text with a leading `=` is no expression."""
        return not self.rule.number and _numberless(self.schema)


def _numberless(schema: Schema) -> bool:
    if "anyOf" in schema:
        return all(_numberless(part) for part in schema["anyOf"])
    if schema.get("type") == "array":
        return _numberless(schema["items"])
    return schema.get("type") in ("string", "boolean", "null")


_KNOWN: dict[type[Block], Mapping[str, Kind]] = {}


def kinds(block: type[Block]) -> Mapping[str, Kind]:
    """What every parameter of a block type takes."""
    if block not in _KNOWN:
        _KNOWN[block] = _kinds(block)
    return _KNOWN[block]


def _kinds(block: type[Block]) -> Mapping[str, Kind]:
    found = {}
    for field in dataclasses.fields(block):  # type: ignore[arg-type]
        rule = field.metadata.get("rule", Rule(False))
        declared = str(field.type)
        required = field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
        schema = {} if rule.number else option_schema(declared)
        default = None if required else field.default
        found[field.name] = Kind(
            rule, required, default, schema, "Callable" in declared, "RobotLike" in declared
        )
    return found


@cache
def option_schema(declared: str) -> Schema:
    """The schema of a declared type: `str`, `int | None`, `tuple[str, ...]`; empty where it says little."""
    try:
        tree = ast.parse(declared, mode="eval").body
    except SyntaxError:
        return {}
    return _schema(tree)


def _schema(node: ast.expr) -> Schema:
    match node:
        case ast.Name(id=name):
            return _SIMPLE.get(name, {})
        case ast.Constant(value=None):
            return _SIMPLE["None"]
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            sides = [_schema(left), _schema(right)]
            flat = [part for side in sides for part in side.get("anyOf", [side])]
            return {"anyOf": flat} if all(flat) else {}
        case ast.Subscript(value=ast.Name(id=name), slice=inside) if name in _LISTS:
            items = [_schema(part) for part in (inside.elts if isinstance(inside, ast.Tuple) else [inside])]
            known = [item for item in items if item]
            return {"type": "array", "items": known[0] if len({str(item) for item in known}) == 1 else {}}
        case ast.Subscript(value=ast.Name(id=name)) if name in _MAPPINGS:
            return {"type": "object"}
    return {}


def fits(value: Any, schema: Schema) -> bool:
    """Whether a plain value is what a schema of this module says."""
    if "anyOf" in schema:
        return any(fits(value, part) for part in schema["anyOf"])
    match schema.get("type"):
        case "string":
            return isinstance(value, str)
        case "integer":
            return isinstance(value, int) and not isinstance(value, bool)
        case "number":
            return isinstance(value, (int, float)) and not isinstance(value, bool)
        case "boolean":
            return isinstance(value, bool)
        case "null":
            return value is None
        case "array":
            return isinstance(value, list) and all(fits(item, schema.get("items", {})) for item in value)
        case "object":
            return isinstance(value, dict)
    return True


def in_words(schema: Schema) -> str:
    """What a schema takes, for an error."""
    if "anyOf" in schema:
        return " or ".join(in_words(part) for part in schema["anyOf"])
    word = _WORDS.get(schema.get("type", ""), "a value")
    inside = schema.get("items")
    return f"{word} of {in_words(inside).removeprefix('a ')}" if inside else word
