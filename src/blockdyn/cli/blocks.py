"""`blockdyn blocks`: the block types, or one of them explained."""

from __future__ import annotations

import dataclasses
from argparse import Namespace

from ..base.text_table import Table, without_empty_columns
from ..blocks.contract.block import Block
from ..blocks.contract.parameter import Rule
from ..blocks.contract.registry import Family, UnknownBlockType, block_type, families, type_name
from ..diagrams.model.subsystem import Subsystem
from ..diagrams.yaml.entries import SUBSYSTEM
from ..diagrams.yaml.packaged import is_file, packaged
from .block_search import search
from .console import show, show_json
from .masked import in_a_line, masked
from .specimen import described, documentation, specimen_or_type


def blocks(arguments: Namespace) -> int:
    """List all types family by family, find some by a word, or show one: equation, ports, example."""
    if arguments.search is not None:
        _show_hits(arguments.search, as_json=arguments.json)
    elif arguments.json:
        show_json(_facts(arguments.name))
    elif arguments.name is None:
        show(*_list())
    elif arguments.name == SUBSYSTEM:
        show(*_subsystem())
    elif arguments.name in packaged() or is_file(arguments.name):
        show(*masked(arguments.name))
    else:
        try:
            kind = block_type(arguments.name)
        except UnknownBlockType as error:
            known = (*error.choices, SUBSYSTEM, *packaged())
            raise UnknownBlockType(error.name, known, error.remedy) from None
        show(*_explanation(kind))
    return 0


def _public() -> list[Family]:
    """The families to choose from: not what converted diagrams alone have, `blockdyn:Register` and others."""
    return [family for family in families() if family.package != "blockdyn"]


def _list() -> list[str | Table]:
    parts: list[str | Table] = []
    for family in _public():
        rows = [(type_name(kind), _title(kind)) for kind in family.types]
        if family.name == "routing" and not family.package:  # a diagram, and among blocks a block
            rows = sorted([*rows, (SUBSYSTEM, _title(Subsystem))])
        parts += [Table(family.doc.rstrip(".") or family.name, ("", ""), rows), ""]
    rows = [(name, in_a_line(name)) for name in packaged()]
    parts += [Table("Subsystems in YAML, of blockdyn and of packages", ("", ""), rows), ""]
    return [*parts, "`blockdyn blocks NAME` shows one: equation, ports, parameters, example."]


def _show_hits(word: str, *, as_json: bool) -> None:
    """What fits a word: types with the names by which they were found, names without a counterpart."""
    types = [(type_name(kind), documentation(kind)[0]) for family in _public() for kind in family.types]
    types += [(SUBSYSTEM, documentation(Subsystem)[0]), *((name, in_a_line(name)) for name in packaged())]
    hits = search(word, types)
    if as_json:
        show_json([
            {"type": h.type, "title": h.title, "names": [n._asdict() for n in h.names]} for h in hits
        ])  # fmt: skip
        return
    rows = [
        ("-", hit.names[0].how or "there is none", hit.names[0].name) if hit.type is None else
        (hit.type, hit.title, "; ".join(f"{n.name}: {n.how}" if n.how else n.name for n in hit.names))
        for hit in hits
    ]  # fmt: skip
    if rows:
        show(Table(f"Blocks for `{word}`", ("type", "what it is", "called elsewhere"), rows))
    else:
        show(f"no block matches `{word}`: `blockdyn blocks` lists all of them")


def _facts(name: str | None) -> list[dict[str, object]]:
    """Types with family, title and documentation: all of them, or the named one."""
    asked = None if name is None else block_type(name)
    return [
        {
            "type": type_name(kind),
            "family": family.name,
            "title": _title(kind),
            "text": documentation(kind)[0],
        }
        for family in _public()
        for kind in family.types
        if asked in (None, kind)
    ]


def _title(kind: type) -> str:
    return documentation(kind)[0].partition("\n")[0]


def _subsystem() -> list[str | Table]:
    """What `_explanation` tells of a block type, of the diagram that is used as one."""
    text, example = documentation(Subsystem)
    anything = "as its {} blocks say, in the order of their `number`, then of their declaration"
    ports = ("name", "size", "unit", "meaning")
    keys = [
        ("diagram", "", "", "", "the diagram inside, written here"),
        ("file", "", "", "", "or the YAML file that holds it, in the folder of this one or below"),
        ("parameters", "none", "", "", "other values for the inner diagram's parameters, by name"),
    ]
    parts: list[str | Table] = [f"{SUBSYSTEM}: {text}"]
    for table in (
        Table("Inputs", ports, [("any", "any", "", anything.format("Inport"))]),
        Table("Outputs", ports, [("any", "any", "", anything.format("Outport"))]),
        Table("Parameters", ("name", "default", "unit", "range", "meaning"), keys),
    ):
        parts += ["", without_empty_columns(table)]
    return [*parts, *_shown(example)]


def _shown(example: str) -> list[str]:
    return ["", "Example", *(f"  {line}" for line in example.splitlines())] if example else []


def _explanation(kind: type[Block]) -> list[str | Table]:
    text, example = documentation(kind)
    block = specimen_or_type(kind)
    tables = [
        Table("Inputs", ("name", "size", "unit", "meaning"), described(block, "input_ports")),
        Table("Outputs", ("name", "size", "unit", "meaning"), described(block, "output_ports")),
        Table("Parameters", ("name", "default", "unit", "range", "meaning"), parameter_rows(kind)),
        Table(
            "States",
            ("name", "unit", "initial value"),
            [(state.name, state.unit, state.initial) for state in block.states],
        ),
    ]
    parts: list[str | Table] = [f"{type_name(kind)}: {text}"]
    for table in tables:
        if table.rows:
            parts += ["", without_empty_columns(table)]
    return [*parts, *_shown(example)]


def parameter_rows(kind: type[Block]) -> list[tuple[str, str, str, str, str]]:
    rows = []
    for field in dataclasses.fields(kind):  # type: ignore[arg-type]
        rule: Rule = field.metadata.get("rule", Rule(False))
        required = field.default is dataclasses.MISSING
        default = "required" if required else _default(field.default)
        rows.append((field.name, default, rule.unit, _range(rule), rule.doc))
    return rows


def _default(value: object) -> str:
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, tuple):
        return "[" + ", ".join(map(_default, value)) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return "none" if value is None else str(value)


def _range(rule: Rule) -> str:
    if rule.choices:
        return " | ".join(_default(choice) for choice in rule.choices)
    limits = [f"> {rule.above:g}"] if rule.above is not None else []
    limits += [f">= {rule.minimum:g}"] if rule.minimum is not None else []
    limits += [f"<= {rule.maximum:g}"] if rule.maximum is not None else []
    kinds = {0: "scalar", 1: "vector", 2: "matrix"}
    limits += [" or ".join(kinds[n] for n in rule.dimensions)] if rule.dimensions else []
    return ", ".join(limits)
