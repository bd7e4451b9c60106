"""Masked: a diagram in YAML explained as a block, as `blockdyn blocks package/Name` does."""

from __future__ import annotations

from pathlib import Path

from ..base.errors import BlockdynError
from ..base.text_table import Table, without_empty_columns
from ..blocks.contract.parameter import Rule
from ..diagrams.model.diagram import Diagram
from ..diagrams.model.mask import Requirement
from ..diagrams.model.subsystem import Subsystem
from ..diagrams.model.values import Value
from ..diagrams.yaml.outside import outside
from ..diagrams.yaml.packaged import packaged
from ..diagrams.yaml.text import flow

PORTS = ("name", "unit", "open")


def in_a_line(kind: str) -> str:
    """What a packaged subsystem is: the first sentence of its `doc`, or what is wrong with its file."""
    try:
        return _first(outside(packaged()[kind], kind).doc)
    except BlockdynError as error:  # the others are listed all the same
        return f"cannot be read: {str(error).partition(chr(10))[0]}"


def _first(doc: str) -> str:
    return doc.partition(". ")[0].rstrip(".") + "." if doc else ""


def masked(kind: str) -> list[str | Table]:
    """What `doc`, ports, parameters and checks of a packaged subsystem, or of a file, say.

    Raises YamlFileError, and what is wrong with the file.
    """
    diagram = outside(packaged().get(kind) or Path(kind), kind)
    block = Subsystem(diagram)
    parts: list[str | Table] = [f"{kind}: {diagram.doc}" if diagram.doc else kind]
    for title, ports in (("Inputs", block.input_ports()), ("Outputs", block.output_ports())):
        rows = [(port.name, port.unit, "has a default" if port.default is not None else "") for port in ports]
        parts += ["", without_empty_columns(Table(title, PORTS, rows))] if rows else []
    declared = _parameters(diagram)
    columns = ("name", "default", "unit", "range", "meaning")
    parts += ["", without_empty_columns(Table("Parameters", columns, declared))] if declared else []
    if diagram.requirements:
        parts += ["", "Checks", *map(_check, diagram.requirements)]
    if diagram.icon:
        parts += ["", f"Icon: {diagram.icon}"]
    needed = [*diagram.needed, *(name for name, option in diagram.options.items() if option.default is None)]
    given = "".join(f", {name}: ..." for name in needed)
    return [*parts, "", "Example", f"  {{type: {kind}{given}}}"]


def _check(requirement: Requirement) -> str:
    return f"  {requirement.condition.formula.text}, or {requirement.message}"


def _parameters(diagram: Diagram) -> list[tuple[str, str, str, str, str]]:
    rows = []
    for name, option in diagram.options.items():
        default = "required" if option.default is None else str(flow(option.default))
        rows.append(
            (name, default, option.rule.unit, " | ".join(map(str, option.rule.choices)), option.rule.doc)
        )
    for name, value in diagram.parameters.items():
        rule = diagram.rules.get(name, Rule(True))
        default = "required" if name in diagram.needed else _short(value)
        rows.append((name, default, rule.unit, _range(rule), rule.doc))
    return rows


def _short(value: Value) -> str:
    return f"{value:g}" if isinstance(value, float) else str(flow(value))


def _range(rule: Rule) -> str:
    if rule.choices:
        return " | ".join(f"{choice:g}" for choice in rule.choices)
    limits = ((">", rule.above), (">=", rule.minimum), ("<=", rule.maximum))
    return ", ".join(f"{sign} {limit:g}" for sign, limit in limits if limit is not None)
