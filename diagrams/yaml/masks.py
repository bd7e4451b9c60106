"""Read masks: parameters with bounds and choices, and the user's view of a diagram in a file."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ...base.location import Location
from ...base.yaml.positions import Entry, Node
from ...blocks.contract.parameter import Rule, in_choices
from ...blocks.routing.inport import Inport
from ...blocks.routing.outport import Outport
from ..model.diagram import Diagram
from ..model.gathered import Errors
from ..model.mask import Choice
from .check import check
from .document import CHECK, PARAMETER
from .entries import block
from .errors import YamlError, missing_key
from .source import Source, parse_gathering, read_text
from .values import declared_number

RULE = ("unit", "doc", "minimum", "above", "maximum", "choices")


@dataclass
class Use:
    """The values of a diagram used as a block: `entries` by name, as written there.

    `lifted` are the expressions over the outer diagram's parameters in options: inside, each is a parameter.
    """

    entries: Mapping[str, Entry] = field(default_factory=dict)
    at: Location | None = None
    path: str = ""
    kind: str = ""
    lifted: dict[str, Node] = field(default_factory=dict)
    seen: bool = False  # it is shown, not used: no value is required


def declare_parameters(diagram: Diagram, node: Node, use: Use, errors: Errors) -> dict[str, Node]:
    """Declare the parameters of a diagram; returns the values of those that are options."""
    declared = _options(node)
    values = _option_values(diagram, declared, use, errors)
    for key, lifted in use.lifted.items():
        diagram.parameter(key, 0.0, at=lifted.at)
    for key, entry in node.entries.items():
        if key in declared:
            continue
        with errors:
            rule: dict[str, Any] | None = {}
            number: Node | None = entry.node
            if isinstance(entry.node.value, dict):
                rule = _declared_rule(key, entry.node, errors)
                default = entry.node.entries.get("default")
                number = None if default is None else default.node
            if rule is not None:
                value = None if number is None else declared_number(number, key, diagram.name, key)
                about = {name: rule[name] for name in RULE if name in rule}
                diagram.parameter(key, value, at=entry.node.at, **about)
                if entry.at not in errors.doubtful:
                    continue
        errors.spoil(diagram, f"={key}")
    return values


def _declared_rule(key: str, node: Node, errors: Errors) -> dict[str, Any] | None:
    """The declaration in a mapping under `parameters`; None for one with an error, which is gathered."""
    if check(node, PARAMETER, f"the parameter `{key}`", errors, key=key):
        return None
    return {name: entry.node.plain() for name, entry in node.entries.items() if entry.node.value is not None}


def _options(node: Node) -> dict[str, Node]:
    """The declarations under `parameters` that are options, by name."""
    return {
        key: entry.node
        for key, entry in node.entries.items()
        if isinstance(entry.node.value, dict) and _is_option(entry.node)
    }


def _is_option(node: Node) -> bool:
    """True for a declared option, or a default or choices that are not numbers."""
    entries = node.entries
    if "option" in entries:
        return entries["option"].node.value is True
    samples = [entries["default"].node] if "default" in entries else []
    samples += entries["choices"].node.items if "choices" in entries else []
    return any(
        isinstance(sample.value, (bool, dict)) or (isinstance(sample.value, str) and not _is_formula(sample))
        for sample in samples
    )


def _option_values(
    diagram: Diagram, declared: Mapping[str, Node], use: Use, errors: Errors
) -> dict[str, Node]:
    """The value of each option: given by the user, with expressions lifted out of it, or the default."""
    values = {}
    for key, node in declared.items():
        said = _declared_rule(key, node, errors)
        if said is None:
            errors.spoil(diagram, f"={key}")
            continue
        default = node.entries["default"].node if "default" in node.entries else None
        rule = Rule(False, said.get("unit", ""), said.get("doc", ""), choices=tuple(said.get("choices", ())))
        diagram.options[key] = Choice(rule, said.get("default"), node.at)
        given = use.entries.get(key)
        with errors:
            if given is None and default is None and not use.seen:
                inside = f"block `{use.path}`, {use.kind}," if use.path else "the diagram"
                meaning = rule.doc or "a value"
                raise missing_key(key, meaning, inside=inside, path=use.path, location=use.at or node.at)
            value = default if given is None else given.node
            if value is None:
                continue
            if rule.choices and value.plain() not in rule.choices:
                name = f"{use.path}.{key}" if use.path else key
                expected = f"{in_choices(rule)} (declared at {node.at})"
                raise YamlError(
                    f"{name} is {value.describe()}", expected, key=key, path=use.path, location=value.at
                )
            values[key] = value if given is None else _lift(value, key, use.lifted)
            continue
        errors.spoil(diagram, f"={key}")
    return values


def _lift(node: Node, name: str, lifted: dict[str, Node]) -> Node:
    """A value with a parameter of the inner diagram for each expression over the outer one's."""
    if _is_formula(node):
        lifted[name] = node
        return replace(node, value=f"={name}")
    if isinstance(node.value, dict):
        inner = {
            key: Entry(entry.at, _lift(entry.node, f"{name}_{key}", lifted))
            for key, entry in node.entries.items()
        }
        return replace(node, value=inner)
    if isinstance(node.value, list):
        items = [_lift(item, f"{name}_{i}", lifted) for i, item in enumerate(node.items)]
        return replace(node, value=items)
    return node


def with_options(node: Node, values: Mapping[str, Node]) -> Node:
    """A part of a document in which `=name` of an option is replaced by its value."""
    if isinstance(node.value, str):
        name = node.value.removeprefix("=").strip() if _is_formula(node) else ""
        return values.get(name, node)
    if isinstance(node.value, dict):
        inner = {
            key: Entry(entry.at, with_options(entry.node, values)) for key, entry in node.entries.items()
        }
        return replace(node, value=inner)
    if isinstance(node.value, list):
        return replace(node, value=[with_options(item, values) for item in node.items])
    return node


def placed(node: Node, values: Mapping[str, Node]) -> dict[str, Location]:
    """The keys of a mapping whose value is an option as it is, and the place of its value."""
    return {
        key: values[name].at
        for key, entry in node.entries.items()
        if _is_formula(entry.node) and (name := str(entry.node.value)[1:].strip()) in values
    }


def mentions(node: Node, names: Collection[str]) -> bool:
    """True if one of the options occurs in a part of a document."""
    if isinstance(node.value, str):
        return _is_formula(node) and node.value[1:].strip() in names
    inner = [entry.node for entry in node.entries.values()] or node.items
    return any(mentions(part, names) for part in inner)


def _is_formula(node: Node) -> bool:
    return isinstance(node.value, str) and node.value.startswith("=")


def requirements(node: Node, errors: Errors) -> Iterator[tuple[str, str, Location]]:
    """The entries of `checks`: condition, message and place."""
    for item in node.items:
        if not check(item, CHECK, "a check", errors, key="checks"):
            yield str(item.entries["that"].node.value), str(item.entries["message"].node.value), item.at


def node_of(value: Any, at: Location) -> Node:
    """Plain data of Python as a part of a document at one place."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    formula = getattr(value, "formula", None)
    if formula is not None:
        value = f"={formula.text}"
    if isinstance(value, Mapping):
        return Node({str(key): Entry(at, node_of(item, at)) for key, item in value.items()}, at)
    if isinstance(value, (list, tuple)):
        return Node([node_of(item, at) for item in value], at)
    return Node(value, at)


def outside(file: Path, kind: str) -> Diagram:
    """A diagram in a file, as its user sees it: its parameters, its ports, its description.

    Raises YamlError, YamlFileError.
    """
    errors = Errors()
    root = parse_gathering(read_text(file, kind), kind, errors).root
    errors.finish()
    assert root is not None
    parts = {key: entry.node for key, entry in root.entries.items() if entry.node.value is not None}
    diagram = Diagram(file.stem)
    for key in ("doc", "icon"):
        setattr(diagram, key, str(parts[key].value) if key in parts else "")
    if "parameters" in parts:
        declare_parameters(diagram, parts["parameters"], Use(seen=True), errors)
    for condition, message, at in requirements(parts["checks"], errors) if "checks" in parts else ():
        diagram.require(condition, message, at=at)
    for key, entry in parts["blocks"].entries.items() if "blocks" in parts else ():
        kind_of = entry.node.entries.get("type")
        if kind_of is not None and kind_of.node.value in (Inport.kind(), Outport.kind()):
            named = block(entry.node, str(kind_of.node.value), key, Source(kind, errors=errors))
            if named is not None:
                diagram.add(key, named, at=entry.at)
    errors.finish()
    return diagram
