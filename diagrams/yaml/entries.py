"""Make a block from an entry such as `{type: Gain, k: 2}`, with the accepted values of its parameters."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from ...base.annotations import holds_truth
from ...base.location import Location
from ...base.schema import Schema, Steps, fits, in_words, misfit
from ...base.words import article
from ...base.yaml.positions import Node, place as place_in
from ...blocks.contract.block import Block, is_open
from ...blocks.contract.element import first_wrong
from ...blocks.contract.errors import BlockError, ParameterError
from ...blocks.contract.parameter import Rule, in_choices
from ...blocks.contract.registry import UnknownBlockType, block_type, names
from ..model.errors import BadParameter, UnknownParameter
from .errors import YamlError, missing_key, quoted, unknown_key, unknown_type
from .finding import packaged
from .machines import robot_place, robot_value
from .source import Source
from .values import parameter_value


@dataclasses.dataclass(frozen=True)
class Kind:
    """One parameter of a block type: its rule, its default if it has one, and its accepted values."""

    rule: Rule
    required: bool
    default: Any
    schema: Schema
    callable: bool = False
    formula: bool = False  # text without a colon is a formula, not the name of a function
    robot: bool = False
    vehicle: bool = False
    file: bool = False
    library: bool = False  # a file of machine code
    mapping: bool = False  # a file, or its content

    @property
    def text_only(self) -> bool:
        """True if it accepts no numbers, so that text with a leading `=` is not an expression."""
        return not self.rule.number and _numberless(self.schema)


def _numberless(schema: Schema) -> bool:
    if "anyOf" in schema:
        return all(_numberless(part) for part in schema["anyOf"])
    if schema.get("type") == "array":
        return _numberless(schema["items"])
    return schema.get("type") in ("string", "boolean", "null")


_KNOWN: dict[type[Block], Mapping[str, Kind]] = {}


def kinds(block: type[Block]) -> Mapping[str, Kind]:
    """The accepted values of every parameter of a block type."""
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
            "LibraryLike" in declared,
            "Mapping" in declared,
        )
    return by_name


SUBSYSTEM = "Subsystem"
LIBRARIES = ".fmu"  # the ending of files that are a type of their own


def block_kind(node: Node, path: str) -> str:
    """The type that an entry names.

    Raises YamlError.
    """
    if not isinstance(node.value, dict):
        raise YamlError(
            f"block `{path}` is {node.describe()}",
            "a mapping with the block's type and parameters, such as {type: Gain, k: 2}",
            key=path,
            path=path,
            location=node.at,
        )
    entry = node.entries.get("type")
    glued = next((key for key in node.entries if key.startswith("type:")), "")
    if entry is None and glued:
        raise YamlError(
            f"block `{path}` has the key `{glued}`",
            f"`type: {glued.removeprefix('type:')}`, with a space after the colon",
            key="type",
            path=path,
            location=node.entries[glued].at,
        )
    if entry is None:
        raise missing_key(
            "type", "the block's type, such as Gain", inside=f"block `{path}`", path=path, location=node.at
        )
    if not isinstance(entry.node.value, str):
        raise YamlError(
            f"the type of `{path}` is {entry.node.describe()}",
            "the name of a block type, such as Gain",
            key="type",
            path=path,
            location=entry.node.at,
        )
    return entry.node.value


def block(node: Node, kind: str, path: str, source: Source) -> Block | None:
    """The block of an entry; None if some of its values have an error.

    Raises or gathers YamlError, UnknownParameter, BadParameter, BadExpression, NotTrusted.
    """
    at = node.entries["type"].node.at
    named = {"file": str(source.library(kind, at))} if kind.lower().endswith(LIBRARIES) else {}
    try:
        made = _block_class("FMU" if named else kind, at, source)
    except UnknownBlockType as error:
        known_types = (*names(), SUBSYSTEM, *packaged())
        raise unknown_type(kind, known_types, error.remedy, path=path, location=at) from None
    parameters = kinds(made)
    values: dict[str, Any] = {}
    entries = {key: entry for key, entry in node.entries.items() if key != "type"}
    for number, (key, entry) in enumerate(entries.items()):
        if len(values) < number and (")" in key or "]" in key):
            continue  # the other half of a value that a comma has cut in two
        with source.errors:
            if key not in parameters and not key.isidentifier():
                raise unknown_key(
                    key, list(parameters), inside=f"block `{path}`, {article(kind)}", location=entry.at
                )
            if key not in parameters:
                raise UnknownParameter(path, kind, key, list(parameters), location=entry.at)
            values[key] = _value(parameters[key], entry.node, key, path, kind, source)
    if entries.keys() <= parameters.keys():  # a missing name may be misspelt
        for name, rule in parameters.items():
            if rule.required and name not in {**entries, **named}:
                meaning, inside = rule.rule.doc or "a value", f"block `{path}`, {article(kind)},"
                with source.errors:
                    raise missing_key(name, meaning, inside=inside, path=path, location=node.at)
    missing = any(rule.required and name not in {**values, **named} for name, rule in parameters.items())
    complete = not missing and len(values) == len(entries)
    return _block(made, named | values, node, kind, path) if complete else None


def _block_class(kind: str, at: Location, source: Source) -> type[Block]:
    """The class of a type: of the library, of a package, or of a Python file or module that is trusted.

    Raises UnknownBlockType, NotTrusted, YamlError.
    """
    if ".py:" in kind:
        return source.block_class(kind, at)
    try:
        return block_type(kind)
    except UnknownBlockType:
        if ":" in kind and source.runs_code:
            return source.block_class(kind, at)
        raise


def _value(kind: Kind, node: Node, key: str, path: str, block: str, source: Source) -> Any:
    if kind.formula and node.items:
        return [_value(kind, item, f"{key}[{i}]", path, block, source) for i, item in enumerate(node.items)]
    if kind.callable and isinstance(node.value, str) and (not kind.formula or ":" in node.value):
        return source.function(node.value, node.at)
    if kind.robot:
        return robot_value(node, f"{path}.{key}", source)
    if kind.vehicle:
        from .machines import vehicle_value

        return vehicle_value(node, f"{path}.{key}", source)
    if kind.file and isinstance(node.value, str):
        return str(source.beside(node.value, node.at))
    if kind.library and isinstance(node.value, str):
        return str(source.library(node.value, node.at))
    place = f"{path}.{key}"
    value = node.plain() if kind.text_only else parameter_value(node, f"{path}.{key}")
    if is_open(value):
        return value
    if kind.rule.number and holds_truth(node.plain()):
        steps = first_wrong(node.plain(), holds_truth)
        expected = "a number" if steps else "a number, or a list of numbers"
    elif not kind.rule.number and not fits(value, kind.schema):
        steps, schema = misfit(node.plain(), kind.schema)
        expected = in_choices(kind.rule) or in_words(schema)
    else:
        return value
    place, node = _element(place, node, steps)
    hint = quoted(node) if "text" in expected else ""
    raise YamlError(f"{place} is {node.describe()}", expected, hint, key=key, path=path, location=node.at)


def _element(place: str, node: Node, steps: Steps) -> tuple[str, Node]:
    """The name and the node of an element of a list, or of the list itself."""
    for i in steps:
        place, node = f"{place}[{i}]", node.items[i]
    return place, node


def _block(kind: type[Block], values: dict[str, Any], node: Node, name: str, path: str) -> Block:
    try:
        return kind(**values)
    except ParameterError as error:
        raise BadParameter(path, error.parameter, error, location=_machine_place(node, error)) from None
    except (BlockError, ValueError, TypeError, ArithmeticError, LookupError, AttributeError) as error:
        reason: object = error
        if not isinstance(error, BlockError):
            reason = f"{article(name)} cannot be made of these values: {error}"
        cause = None if isinstance(error, BlockError) else error  # third-party code
        raise BadParameter(path, "", reason, location=node.at) from cause


def _machine_place(node: Node, error: ParameterError) -> Location:
    entry = node.entries.get(error.parameter)
    if entry is None:
        return node.at
    if error.element:
        return place_in(entry.node, error.element)
    if error.parameter == "vehicle":
        from .machines import vehicle_place

        return vehicle_place(entry.node, error.__context__)
    return robot_place(entry.node, error.__context__)
