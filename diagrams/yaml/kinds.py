"""Kinds: what a block's parameter takes in YAML, as a piece of JSON Schema made from its declaration."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from ...base.annotations import Schema
from ...blocks.contract.block import Block
from ...blocks.contract.parameter import Rule


@dataclasses.dataclass(frozen=True)
class Kind:
    """One parameter of a block type: its rule, its default if it has one, what it takes."""

    rule: Rule
    required: bool
    default: Any
    schema: Schema
    callable: bool = False
    formula: bool = False  # text without a colon is a formula, not the name of a function
    robot: bool = False
    vehicle: bool = False
    file: bool = False
    mapping: bool = False  # besides a file, what could be in one

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
    by_name = {}
    for field in dataclasses.fields(block):  # type: ignore[arg-type]
        rule = block.rules()[field.name]
        declared = str(field.type)
        required = field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
        default = None if required else field.default
        by_name[field.name] = Kind(
            rule,
            required,
            default,
            rule.schema,
            "Callable" in declared or "FormulaLike" in declared,
            "FormulaLike" in declared,
            "RobotLike" in declared,
            "VehicleLike" in declared,
            "FileLike" in declared,
            "Mapping" in declared,
        )
    return by_name
