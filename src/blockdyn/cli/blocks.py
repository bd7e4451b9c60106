"""`blockdyn blocks`: the block types found by words, or one of them explained."""

from __future__ import annotations

import dataclasses
import re
from argparse import Namespace
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from ..base.errors import BlockdynError
from ..base.text_table import Table, without_empty_columns
from ..blocks.contract.block import Block
from ..blocks.contract.parameter import Rule
from ..blocks.contract.registry import Family, UnknownBlockType, block_type, families, type_name
from ..blocks.contract.synonyms import Synonym, normal, synonyms
from ..diagrams.model.diagram import Diagram
from ..diagrams.model.mask import Requirement
from ..diagrams.model.subsystem import Subsystem
from ..diagrams.model.values import Value
from ..diagrams.yaml.entries import SUBSYSTEM
from ..diagrams.yaml.finding import is_file, packaged
from ..diagrams.yaml.masks import outside
from ..diagrams.yaml.values import flow
from .console import show, show_json
from .specimen import describe_ports, documentation, specimen_or_type

LONG = 4  # letters; shorter ones stand in many words by chance


class Hit(NamedTuple):
    """A block type that fits a word: its title, and the foreign names by which it was found, with remarks.

    A name without a counterpart has the type None.
    """

    type: str | None
    title: str
    names: tuple[Synonym, ...] = ()


def search(word: str, types: Iterable[tuple[str, str]]) -> list[Hit]:
    """Types that fit a word by name or documentation, and foreign names without a counterpart, best first.

    A type fits by its own name, by a name of Simulink, bdsim, Modelica or Drake that holds the word, or by
    words of its title; whole names come before parts of names. Types whose documentation alone has the word
    come after, and letters within other words of the title last. Of several words each must occur in the
    name or documentation, best in one sentence, with any ending: "edge detection" is EdgeDetector. If no
    type has all of them, types that one word finds follow, the more words the earlier.
    """
    entries = list(types)
    words = word.replace("-", " ").split()
    return _of_phrase(word, entries) or _of_words([each for each in words if len(each) >= LONG], entries)


def _of_words(words: list[str], types: list[tuple[str, str]]) -> list[Hit]:
    """Types that match some of the words, in decreasing order of the number of matches."""
    hits_by_word = [_of_phrase(word, types) for word in words]
    best: dict[str | None, list[tuple[int, Hit]]] = {}
    for hits in hits_by_word:
        for place, hit in enumerate(hits):
            if hit.type is not None:
                best.setdefault(hit.type, []).append((place, hit))
    ranked = sorted(best.values(), key=lambda places: (-len(places), min(place for place, _ in places)))
    return [places[0][1] for places in ranked]


def _of_phrase(word: str, types: list[tuple[str, str]]) -> list[Hit]:
    """Types that match the complete phrase, best first."""
    sought = normal(word)
    named = [entry for entry in synonyms() if sought in normal(entry.name)]
    by_type: dict[str, list[Synonym]] = {}
    for entry in named:
        by_type.setdefault(entry.type, []).append(entry)
    ranked = [
        (1 if normal(entry.name) == sought else 7, entry.name, Hit(None, "", (entry,)))
        for entry in by_type.pop("-", ())
    ]
    for name, text in types:
        title = text.partition("\n")[0]
        names = tuple(
            sorted(by_type.get(name, ()), key=lambda entry: (normal(entry.name) != sought, entry.name))
        )
        if sought == normal(name):
            rank = 0
        elif any(normal(entry.name) == sought for entry in names):
            rank = 1
        elif sought in normal(name):
            rank = 2
        elif names:
            rank = 3
        elif _mentions(word, title):
            rank = 4
        elif any(_in_words(word, f"{name} {sentence}") for sentence in re.split(r"\.\s", text)):
            rank = 5
        elif _in_words(word, f"{name} {text}"):
            rank = 6
        elif _mentions(word, text):
            rank = 8
        elif sought in normal(title):
            rank = 9
        else:
            continue
        ranked.append((rank, name, Hit(name, title, names)))
    return [hit for _, _, hit in sorted(ranked, key=lambda one: one[:2])]


def _mentions(word: str, text: str) -> bool:
    """True if a text has this word, in the singular or the plural."""
    apart = {each.removesuffix("s") for each in re.findall(r"[a-z0-9]+", text.casefold())}
    return word.casefold().removesuffix("s") in apart


def _in_words(several: str, text: str) -> bool:
    """True if a text has, for each of several words, a word that begins with it."""
    words = several.casefold().replace("-", " ").split()
    if len(words) < 2:
        return False
    apart = re.findall(r"[a-z0-9]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text).casefold())
    return all(any(each.startswith(word[: max(4, len(word) - 3)]) for each in apart) for word in words)


PORTS = ("name", "unit", "open")


def in_a_line(kind: str) -> str:
    """A packaged subsystem in a line: the first sentence of its `doc`, or the error in its file."""
    try:
        return _take_sentence(outside(packaged()[kind], kind).doc)
    except BlockdynError as error:  # the others are still listed
        return f"cannot be read: {str(error).partition(chr(10))[0]}"


def _take_sentence(doc: str) -> str:
    return doc.partition(". ")[0].rstrip(".") + "." if doc else ""


def describe_subsystem(kind: str) -> list[str | Table]:
    """Description, ports, parameters and checks of a packaged subsystem, or of a file.

    Raises YamlFileError and other errors of the file.
    """
    diagram = outside(packaged().get(kind) or Path(kind), kind)
    block = Subsystem(diagram)
    parts: list[str | Table] = [f"{kind}: {diagram.doc}" if diagram.doc else kind]
    for title, ports in (("Inputs", block.input_ports()), ("Outputs", block.output_ports())):
        rows = [(port.name, port.unit, "has a default" if port.default is not None else "") for port in ports]
        parts += ["", without_empty_columns(Table(title, PORTS, rows))] if rows else []
    declared = mask_rows(diagram)
    columns = ("name", "default", "unit", "range", "meaning")
    parts += ["", without_empty_columns(Table("Parameters", columns, declared))] if declared else []
    if diagram.requirements:
        parts += ["", "Checks", *map(_check, diagram.requirements)]
    if diagram.icon:
        parts += ["", f"Icon: {diagram.icon}"]
    needed = [*diagram.needed, *(name for name, option in diagram.options.items() if option.default is None)]
    values = "".join(f", {name}: ..." for name in needed)
    return [*parts, "", "Example", f"  {{type: {kind}{values}}}"]


def _check(requirement: Requirement) -> str:
    return f"  {requirement.condition.formula.text}, or {requirement.message}"


def mask_rows(diagram: Diagram) -> list[tuple[str, str, str, str, str]]:
    """Name, default, unit, range and meaning of a packaged subsystem's parameters."""
    rows = []
    for name, option in diagram.options.items():
        default = "required" if option.default is None else str(flow(option.default))
        rows.append(
            (name, default, option.rule.unit, " | ".join(map(str, option.rule.choices)), option.rule.doc)
        )
    for name, value in diagram.parameters.items():
        rule = diagram.rules.get(name, Rule(True))
        default = "required" if name in diagram.needed else _short(value)
        rows.append((name, default, rule.unit, _mask_range(rule), rule.doc))
    return rows


def _short(value: Value) -> str:
    return f"{value:g}" if isinstance(value, float) else str(flow(value))


def _mask_range(rule: Rule) -> str:
    if rule.choices:
        return " | ".join(f"{choice:g}" for choice in rule.choices)
    limits = ((">", rule.above), (">=", rule.minimum), ("<=", rule.maximum))
    return ", ".join(f"{sign} {limit:g}" for sign, limit in limits if limit is not None)


def blocks(arguments: Namespace) -> int:
    """List all types family by family, search them by a word, or show one: equation, ports, example."""
    if arguments.search is not None:
        _show_hits(arguments.search, as_json=arguments.json)
    elif arguments.json:
        show_json(_facts(arguments.name))
    elif arguments.name is None:
        show(*_list())
    elif is_file(arguments.name):
        show(*describe_subsystem(arguments.name))
    else:
        show(*explain(arguments.name))
    return 0


def explain(name: str) -> list[str | Table]:
    """Equation, ports, parameters and example of a block type or a packaged subsystem.

    Raises UnknownBlockType.
    """
    if name == SUBSYSTEM:
        return _subsystem()
    if name in packaged():
        return describe_subsystem(name)
    try:
        return _explanation(block_type(name))
    except UnknownBlockType as error:
        names = (*error.choices, SUBSYSTEM, *packaged())
        raise UnknownBlockType(error.name, names, error.remedy) from None


def list_types() -> list[tuple[str, str]]:
    """Names and documentation of the block types and packaged subsystems."""
    types = [
        (type_name(kind), documentation(kind)[0]) for family in public_families() for kind in family.types
    ]
    return [
        *types,
        (SUBSYSTEM, documentation(Subsystem)[0]),
        *((name, in_a_line(name)) for name in packaged()),
    ]


def public_families() -> list[Family]:
    """The families to choose from, without types of converted diagrams alone, such as `blockdyn:Register`."""
    return [family for family in families() if family.package != "blockdyn"]


def _list() -> list[str | Table]:
    parts: list[str | Table] = []
    for family in public_families():
        rows = [(type_name(kind), _title(kind)) for kind in family.types]
        if family.name == "routing" and not family.package:  # a diagram, and among blocks a block
            rows = sorted([*rows, (SUBSYSTEM, _title(Subsystem))])
        parts += [Table(family.doc.rstrip(".") or family.name, ("", ""), rows), ""]
    rows = [(name, in_a_line(name)) for name in packaged()]
    parts += [Table("Subsystems in YAML, of blockdyn and of packages", ("", ""), rows), ""]
    return [*parts, "`blockdyn blocks NAME` shows one: equation, ports, parameters, example."]


def _show_hits(word: str, *, as_json: bool) -> None:
    """Print types that fit a word, with the names that fit, and foreign names without a counterpart."""
    hits = search(word, list_types())
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
        show(Table(f"Blocks for `{word}`", ("type", "meaning", "name elsewhere"), rows))
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
        for family in public_families()
        for kind in family.types
        if asked in (None, kind)
    ]


def _title(kind: type) -> str:
    return documentation(kind)[0].partition("\n")[0]


def _subsystem() -> list[str | Table]:
    """The text of `_explanation` for a diagram that is used as a block."""
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
    return [*parts, *_show_example(example)]


def _show_example(example: str) -> list[str]:
    return ["", "Example", *(f"  {line}" for line in example.splitlines())] if example else []


def _explanation(kind: type[Block]) -> list[str | Table]:
    text, example = documentation(kind)
    block = specimen_or_type(kind)
    tables = [
        Table("Inputs", ("name", "size", "unit", "meaning"), describe_ports(block, "input_ports")),
        Table("Outputs", ("name", "size", "unit", "meaning"), describe_ports(block, "output_ports")),
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
    return [*parts, *_show_example(example)]


def parameter_rows(kind: type[Block]) -> list[tuple[str, str, str, str, str]]:
    """Name, default, unit, range and meaning of a block type's parameters."""
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
