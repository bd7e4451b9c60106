"""The JSON Schema of a diagram file describes every block type, for editors."""

from __future__ import annotations

import inspect
import math
from typing import Any

import numpy as np

from ...blocks.contract.block import Block
from ...blocks.contract.parameter import Rule
from ...blocks.contract.registry import families, type_name
from ..model.diagram import Diagram
from .document import CHECK, PARAMETER, SUBSYSTEM, WIRE
from .entries import Kind, kinds
from .finding import packaged
from .machines import ROBOT, VEHICLE, robot_schema, vehicle_schema
from .masks import outside
from .sections import INPUT, SIMULATE, every_section, with_sections

_EXPRESSION = {
    "type": "string",
    "pattern": "^=",
    "description": "an expression over the diagram's parameters",
}
_ITEM = {"anyOf": [{"type": "number"}, {"$ref": "#/$defs/Expression"}]}
_VECTOR = {"type": "array", "items": _ITEM, "minItems": 1}
_MATRIX = {"type": "array", "items": _VECTOR, "minItems": 1}


def json_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a diagram in YAML, for the block types of this installation."""
    others = every_section()
    types = {type_name(kind): kind for family in families() for kind in family.types}
    definitions = {
        "Diagram": with_sections(others),
        "Simulate": SIMULATE,
        "Input": INPUT,
        "Wire": {"anyOf": [{"type": "string", "pattern": "->"}, WIRE]},
        "Expression": _EXPRESSION,
        "Value": {"anyOf": [*_ITEM["anyOf"], _VECTOR, _MATRIX]},
        "Subsystem": SUBSYSTEM,
        "Parameter": PARAMETER,
        "Check": CHECK,
        ROBOT: robot_schema(),
        VEHICLE: vehicle_schema(),
        "Block": _any_block([*types, *packaged(), "Subsystem"]),
    }
    for section in others.values():
        definitions |= {section.name: section.schema, **section.definitions}
    definitions |= {_definition(name): block_schema(name, kind) for name, kind in types.items()}
    definitions |= {
        _definition(name): packaged_schema(name, outside(file, name)) for name, file in packaged().items()
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "blockdyn diagram",
        "$ref": "#/$defs/Diagram",
        "required": ["blockdyn"],
        "$defs": definitions,
    }


def _definition(name: str) -> str:
    return "block." + name.replace(":", ".").replace("/", ".")


def _any_block(names: list[str]) -> dict[str, Any]:
    def of(name: str) -> dict[str, Any]:
        target = "Subsystem" if name == "Subsystem" else _definition(name)
        return {"if": {"properties": {"type": {"const": name}}}, "then": {"$ref": f"#/$defs/{target}"}}

    return {
        "type": "object",
        "required": ["type"],
        "properties": {
            "type": {
                "anyOf": [{"enum": names}, {"pattern": r"\.ya?ml$"}, {"pattern": r"^[^:]+:\w+$"}],
                "description": "the block's type, a file, or file.py:Class with the caller's consent",
            }
        },
        "allOf": [of(name) for name in names],
    }


def block_schema(name: str, block: type[Block]) -> dict[str, Any]:
    """The entry of a block of a type."""
    parameters = kinds(block)
    return {
        "type": "object",
        "description": inspect.getdoc(block) or "",
        "properties": {"type": {"const": name}} | {key: _parameter(kind) for key, kind in parameters.items()},
        "required": ["type", *(key for key, kind in parameters.items() if kind.required)],
        "additionalProperties": False,
    }


def packaged_schema(name: str, diagram: Diagram) -> dict[str, Any]:
    """A packaged subsystem, whose parameters stand next to `type`."""
    properties: dict[str, Any] = {"type": {"const": name}}
    for key, option in diagram.options.items():
        choices = {"enum": list(option.rule.choices)} if option.rule.choices else {}
        properties[key] = choices | {"description": option.rule.doc}
    for key in diagram.parameters:
        rule = diagram.rules.get(key, Rule(True))
        properties[key] = _number(rule) | {"description": rule.doc}
    needed = [*diagram.needed, *(key for key, option in diagram.options.items() if option.default is None)]
    return {
        "type": "object",
        "description": diagram.doc,
        "properties": properties,
        "required": ["type", *needed],
        "additionalProperties": False,
    }


def _parameter(kind: Kind) -> dict[str, Any]:
    rule = kind.rule
    schema = dict(_number(rule)) if rule.number else dict(_option(kind))
    words = [rule.doc, f"[{rule.unit}]" if rule.unit and "[" not in rule.unit else rule.unit]
    if any(words):
        schema["description"] = " ".join(word for word in words if word)
    default = kind.default.tolist() if isinstance(kind.default, np.ndarray) else kind.default
    if default is not None and _is_json(default):
        schema["default"] = default
    return schema


def _number(rule: Rule) -> dict[str, Any]:
    number = rule.element
    item = {"anyOf": [number, {"$ref": "#/$defs/Expression"}]}
    vector = {"type": "array", "items": item, "minItems": 1}
    shapes = [number, vector, {"type": "array", "items": vector, "minItems": 1}]
    allowed = [shapes[n] for n in (0, 1, 2) if rule.dimensions is None or n in rule.dimensions]
    left_out = [{"type": "null"}] if rule.optional else []
    return {"anyOf": [*allowed, {"$ref": "#/$defs/Expression"}, *left_out]}


def _option(kind: Kind) -> dict[str, Any]:
    if kind.rule.choices:
        return {"enum": list(kind.rule.choices)}
    if kind.robot:
        return {"$ref": f"#/$defs/{ROBOT}"}
    if kind.vehicle:
        return {"$ref": f"#/$defs/{VEHICLE}"}
    if kind.library:
        return {"type": "string", "description": "relative to this file; needs the caller's consent"}
    if kind.file:
        file = {"type": "string", "description": "relative to this file"}
        return {"anyOf": [file, {"type": "object"}]} if kind.mapping else file
    if kind.callable:
        return {"type": "string", "description": "module:name or file.py:name; needs the caller's consent"}
    if not kind.schema or kind.text_only:
        return kind.schema
    parts = kind.schema.get("anyOf", [kind.schema])
    return {"anyOf": [*parts, {"$ref": "#/$defs/Expression"}]}


def _is_json(value: Any) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, (list, tuple)):
        return all(map(_is_json, value))
    return value is None or isinstance(value, (bool, int, str))
