"""A document with positions becomes a Diagram."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...base.location import Location
from ...base.schema import Schema
from ...base.words import nearest
from ...base.yaml.positions import Node
from ...base.yaml.reader import Document
from ...blocks.contract.block import Block, is_open
from ..model.arguments import checked_name
from ..model.chain import FORMS, chain_wires
from ..model.diagram import Diagram
from ..model.diagram_error import DiagramError
from ..model.errors import UnknownBlock, UnknownParameter, nested_too_deep
from ..model.gathered import EVERYTHING, WIRES, Errors
from ..model.mask import hold_one
from ..model.subsystem import PackagedSource, Subsystem
from ..model.values import as_value
from .check import check, check_version
from .document import SUBSYSTEM as SUBSYSTEM_ENTRY, WIRE
from .entries import SUBSYSTEM, block, block_kind
from .errors import YamlError, YamlFileError, YamlSyntaxError
from .finding import is_file, packaged
from .masks import Use, declare_parameters, mentions, placed, requirements, with_options
from .sections import SIMULATE, read_settings, sections, with_sections
from .source import Source, parse_gathering
from .values import declared_number

Chain = list["str | list[str]"]
"""The ends of a wire in order; a list where the last of them branches."""
DEEPEST = 100  # levels of nested subsystems
FORM = "an option that is true or false, several of which one has to be true, or {option: value}"


def build(text: str, source: Source, root: Node | None = None) -> Diagram:
    """The diagram of a whole file; `root` is its document if that has been read without an error.

    Raises DiagramError with file, line and column; `errors` holds everything that is wrong.
    """
    errors = source.errors
    diagram = part_of_diagram(text, source, root)
    if diagram is not None and errors.gathered:
        from ..compiler.compile import survey

        survey(diagram, errors)
    try:
        errors.finish()
    except DiagramError as error:
        error.diagram = diagram
        raise
    assert diagram is not None
    if not source.named:
        diagram.source = text
    return diagram


def part_of_diagram(text: str, source: Source, root: Node | None = None) -> Diagram | None:
    """The diagram of a whole file without its wrong parts; `source` gathers their errors."""
    with source.errors:
        return _file(text, source, "", read=None if root is None else Document(root))
    return None


def _file(
    text: str, source: Source, path: str, use: Use | None = None, read: Document | None = None
) -> Diagram | None:
    """The diagram of a file's text; None if none of it can be read."""
    document = read or parse_gathering(text, source.file, source.errors)
    if document.root is None:
        return None
    if document.complete or "blockdyn" in document.root.entries:
        check_version(document.root, source.errors)
    return _diagram(document.root, source, path, use or Use(), complete=document.complete)


def _diagram(node: Node, source: Source, path: str, use: Use, *, complete: bool = True) -> Diagram:
    """The diagram that stands at a path: nothing for the outermost, otherwise a subsystem's.

    Parts with an error are left out, and their names are spoilt; without `complete`, all names are.
    """
    errors = source.errors
    others = sections(node.entries)
    wrong = {str(steps[0]) for steps in check(node, with_sections(others), "a diagram", errors)}
    name = path.rpartition("/")[2] or "diagram"
    parts = {
        key: entry.node
        for key, entry in node.entries.items()
        if entry.node.value is not None and key not in wrong
    }
    named = parts.get("name")
    diagram = Diagram(str(named.value) if named else name)
    diagram.doc = str(parts["doc"].value) if "doc" in parts else ""
    diagram.icon = str(parts["icon"].value) if "icon" in parts else ""
    diagram.location = parts["blocks"].at if "blocks" in parts else node.at
    unsure = wrong | {key for key, entry in node.entries.items() if entry.at in errors.doubtful}
    absent_sections = {"parameters", "blocks", "signals"} - node.entries.keys()
    misspelt = any(nearest(key, absent_sections) for key in wrong)
    if not complete or misspelt or unsure & {"parameters", "blocks", "signals"}:
        errors.spoil(diagram, EVERYTHING)
    absent = _fill(diagram, parts, source, path, use)
    if not complete or "wires" in unsure:
        errors.spoil(diagram, WIRES)
    for item in parts["wires"].items if "wires" in parts else ():
        with errors:
            chain = chain_of(item)
            for start, *ends in pieces(chain, absent) if absent else (chain,):
                diagram._extend(chain_wires(diagram, start, ends, item.at, "->"))
            continue
        errors.spoil(diagram, WIRES)
    if "log" in parts:
        diagram.log(at=parts["log"].at)
        for item in parts["log"].items:
            if str(item.value).partition(".")[0].partition("/")[0] in absent:
                continue
            diagram.log(str(item.value), at=item.at)
    for key, entry in parts["view"].entries.items() if "view" in parts else ():
        with errors:
            if key in absent:
                continue
            if key not in diagram.blocks and errors.spoilt(diagram).isdisjoint((key, EVERYTHING)):
                raise UnknownBlock(key, list(diagram.blocks), location=entry.at)
            diagram.positions[key] = entry.node.plain()
    if "simulate" in parts:
        with errors:
            read_settings(diagram, _without_wrong(parts["simulate"], "simulate", SIMULATE, errors), source)
    for key, section in others.items():
        if key in parts:
            with errors:
                right = _without_wrong(parts[key], key, section.schema, errors)
                if right.entries.keys() >= set(section.schema.get("required", ())):
                    diagram.sections[key] = section.read(right, source)
    return diagram


def _without_wrong(node: Node, key: str, schema: Schema, errors: Errors) -> Node:
    """A section without the keys that have an error. Raises YamlError unless it is a mapping."""
    wrong = {steps[0] for steps in check(node, schema, f"`{key}`", errors, key=key)}
    return replace(node, value={name: entry for name, entry in node.entries.items() if name not in wrong})


def _fill(diagram: Diagram, parts: Mapping[str, Node], source: Source, path: str, use: Use) -> set[str]:
    """Declare the parameters, checks, blocks and signals of a diagram; returns its absent blocks."""
    errors = source.errors
    values = declare_parameters(diagram, parts["parameters"], use, errors) if "parameters" in parts else {}
    for condition, message, at in requirements(parts["checks"], errors) if "checks" in parts else ():
        with errors:
            diagram.require(condition, message, at=at)
    lost = diagram.options.keys() - values.keys()
    declared = parts["blocks"].entries if "blocks" in parts else {}
    absent = absent_blocks(parts["when"], declared, diagram, values, errors) if "when" in parts else set()
    for key, entry in declared.items():
        if key in absent:
            continue
        if lost and mentions(entry.node, lost):
            errors.spoil(diagram, key)
            continue
        with errors:
            checked_name(key, "block", entry.at)
            node = with_options(entry.node, values) if values else entry.node
            block = _remembered(node, f"{path}/{key}" if path else key, source)
            if block is not None and entry.at not in errors.doubtful:
                diagram.add(key, block, at=entry.at)
                for name, at in (*placed(entry.node, values).items(), *_expressions(block, node)):
                    diagram.expression_locations[key, name] = at
        if key not in diagram:
            errors.spoil(diagram, key)
            diagram.unread[key] = str(kind.node.value) if (kind := entry.node.entries.get("type")) else key
    for key, entry in parts["signals"].entries.items() if "signals" in parts else ():
        with errors:
            if str(entry.node.value).partition(".")[0] in absent:
                continue
            diagram.signal(key, str(entry.node.value), at=entry.at)
            if entry.at not in errors.doubtful:
                continue
        errors.spoil(diagram, key)
    return absent


def _remembered(node: Node, path: str, source: Source) -> Block | Subsystem | None:
    """The block of an entry; the same node read again gives the same block."""
    memory = source.blocks
    if memory is None:
        return declared_block(node, path, source)
    earlier = memory.get(id(node))
    if earlier is not None and earlier[0] is node and earlier[1] == path:
        return earlier[2]
    named, count = len(source.named), len(source.errors.gathered)
    made = declared_block(node, path, source)
    if isinstance(made, Block) and len(source.named) == named and len(source.errors.gathered) == count:
        memory[id(node)] = node, path, made
    return made


def declared_block(node: Node, path: str, source: Source) -> Block | Subsystem | None:
    """The block that an entry of `blocks` declares; None if it has an error, which is raised or gathered."""
    kind = block_kind(node, path)
    if kind == SUBSYSTEM:
        return _subsystem(node, path, source)
    if is_file(kind) or ("/" in kind and kind in packaged()):
        return _build_masked(node, kind, path, source)
    return block(node, kind, path, source)


def _expressions(block: Block | Subsystem, node: Node) -> list[tuple[str, Location]]:
    """The parameters of a block or subsystem that are expressions, and their places."""
    if isinstance(block, Subsystem):
        named = node.entries.get("parameters")
        entries = node.entries if named is None else named.node.entries
        names = [name for name, value in block.overrides.items() if is_open(value)]
    else:
        entries, names = node.entries, list(block.open_parameters())
    return [(name, entries[name].node.at) for name in names if name in entries]


def _subsystem(node: Node, path: str, source: Source) -> Subsystem | None:
    errors = source.errors
    if check(node, SUBSYSTEM_ENTRY, f"subsystem `{path}`", errors, path=path):
        return None
    inline, file, changes = (node.entries.get(key) for key in ("diagram", "file", "parameters"))
    if (inline is None) == (file is None):
        problem = "neither a diagram nor a file" if inline is None else "both a diagram and a file"
        raise YamlError(
            f"subsystem `{path}` has {problem}",
            "`diagram: {blocks: ...}` or `file: other.yaml`",
            path=path,
            location=node.at,
        )
    if path.count("/") >= DEEPEST:
        raise nested_too_deep(path, DEEPEST, location=node.at)
    use = Use(changes.node.entries if changes is not None else {}, node.at, path, SUBSYSTEM)
    if inline is not None:
        return _instance(_diagram(inline.node, source, path, use), use, source)
    assert file is not None
    return _instance(_from_file(str(file.node.value), file.node.at, path, source, use), use, source)


def _build_masked(node: Node, kind: str, path: str, source: Source) -> Subsystem | None:
    """A diagram in a file, used as a block type: its parameters stand next to `type`."""
    at = node.entries["type"].node.at
    if path.count("/") >= DEEPEST:
        raise nested_too_deep(path, DEEPEST, location=node.at)
    given = {key: entry for key, entry in node.entries.items() if key != "type"}
    use = Use(given, node.at, path, kind)
    if is_file(kind):
        return _instance(_from_file(kind, at, path, source, use), use, source)
    file = packaged()[kind]
    inner = source.of_package(kind, file, at)
    diagram = source.loaded.get(file) or _read_file(inner.text_of(file), file, inner, path, use)
    block = _instance(diagram, use, source)
    if block is not None:
        options = {key: entry.node.plain() for key, entry in given.items() if key in block.diagram.options}
        block.packaged = PackagedSource(kind, options, tuple(use.lifted))
    return block


def _instance(diagram: Diagram | None, use: Use, source: Source) -> Subsystem | None:
    """The subsystem of a diagram with the given values; None if the diagram could not be read."""
    if diagram is None:
        return None
    values: dict[str, Any] = {}
    errors, path = source.errors, use.path
    for key, entry in use.entries.items():
        if key in diagram.options or not errors.spoilt(diagram).isdisjoint((f"={key}", EVERYTHING)):
            continue
        with errors:
            if key not in diagram.parameters:
                names = [*(name for name in diagram.parameters if name not in use.lifted), *diagram.options]
                raise UnknownParameter(path, use.kind, key, names, location=entry.at)
            values[key] = declared_number(entry.node, f"{path}.{key}", path, key)
            hold_one(diagram, key, as_value(values[key], path, key), path, entry.node.at)
            continue
        values.pop(key, None)
        errors.spoil(diagram, f"={key}")
    for key, lifted in use.lifted.items():
        with errors:
            values[key] = declared_number(lifted, f"{path}.{key}", path, key)
    return Subsystem(diagram, **values)


def _from_file(name: str, at: Location, path: str, source: Source, use: Use) -> Diagram | None:
    file = source.beside(name, at)
    inner = source.inner(name, file, at)
    if file in source.loaded:
        return source.loaded[file]
    try:
        text = inner.text_of(file)
    except YamlFileError as error:
        raise _refer_error(error, name, file, path, at) from None
    return _read_file(text, file, inner, path, use)


def _read_file(text: str, file: Path, source: Source, path: str, use: Use) -> Diagram | None:
    """The diagram of a file; it is kept for other uses, unless its blocks depend on this one."""
    diagram = _file(text, source, path, use)
    if diagram is not None and not diagram.options:
        source.loaded[file] = diagram
    return diagram


def _refer_error(error: YamlFileError, name: str, file: Path, path: str, at: Location) -> YamlFileError:
    """The error of a subsystem's file, at the place that names the file."""
    beside = sorted(other.name for other in file.parent.glob("*.y*ml")) if not file.exists() else []
    return YamlFileError(
        f"subsystem `{path}` is the file `{name}`{nearest(file.name, beside)}: {error.actual}",
        error.expected,
        key="file",
        path=path,
        location=at,
    )


def absent_blocks(
    node: Node, blocks: Collection[str], diagram: Diagram, values: Mapping[str, Node], errors: Errors
) -> set[str]:
    """The blocks that the options of a diagram leave out; `values` are the options' values."""
    absent = set()
    for name, entry in node.entries.items():
        with errors:
            if name not in blocks:
                if EVERYTHING in errors.spoilt(diagram):
                    continue
                raise UnknownBlock(name, list(blocks), location=entry.at)
            if not _holds(name, entry.node, diagram, values):
                absent.add(name)
            continue
        errors.spoil(diagram, name)
    return absent


def _holds(name: str, node: Node, diagram: Diagram, values: Mapping[str, Node]) -> bool:
    """True if a condition holds. Raises YamlError for one without an option."""
    if isinstance(node.value, dict):
        wanted = [(key, entry.node, entry.node.plain()) for key, entry in node.entries.items()]
        return all(_value(name, key, at, diagram, values) in _several(value) for key, at, value in wanted)
    items = node.items if isinstance(node.value, list) else [node]
    given = [_value(name, item.value, item, diagram, values) for item in items]
    for item, value in zip(items, given, strict=True):
        if value is not None and not isinstance(value, bool):
            found = f"when.{name}: the option `{item.value}` is {value!r}, not true or false"
            raise YamlError(found, f"{{{item.value}: {value}}}", key="when", location=item.at)
    return any(given)


def _several(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _value(name: str, option: Any, at: Node, diagram: Diagram, values: Mapping[str, Node]) -> Any:
    """The value of an option; None if it is not given."""
    if option not in diagram.options:
        hint = nearest(str(option), list(diagram.options))
        raise YamlError(
            f"when.{name}: `{option}` is not an option of the diagram{hint}", FORM, key="when", location=at.at
        )
    return values[option].plain() if option in values else None


def pieces(chain: list[Any], absent: Collection[str]) -> Iterator[list[Any]]:
    """The parts of a wire that join existing blocks."""
    piece: list[Any] = []
    for end in chain:
        there = [one for one in _several(end) if _block(str(one)) not in absent]
        if there:
            piece.append(there if isinstance(end, list) else end)
            continue
        if len(piece) > 1:
            yield piece
        piece = []
    if len(piece) > 1:
        yield piece


def _block(end: str) -> str:
    return end.partition(".")[0].partition("[")[0].strip()


# ---- wires ----


def wire_chain(text: str, at: Location) -> Chain:
    """The ends of a wire in order; a list where the last of them branches.

    Raises YamlSyntaxError for text without an arrow, and for an arrow that leads from or to nothing.
    """
    pieces = [piece.strip() for piece in text.split("->")]
    if len(pieces) < 2:
        raise YamlSyntaxError(f"the wire `{text[:80]}`", FORMS["->"], key="wires", location=at)
    empty = [i for i, piece in enumerate(pieces) if not piece]
    if empty:
        side = "before" if empty[0] == 0 else "after"
        problem = f"the wire `{text[:80]}` has no end {side} an arrow"
        raise YamlSyntaxError(problem, FORMS["->"], key="wires", location=at)
    return [_branches(piece) or piece for piece in pieces]


def _branches(piece: str) -> list[str]:
    """The ends that a list in brackets names; none for anything else."""
    return [end.strip() for end in piece[1:-1].split(",")] if piece[0] + piece[-1] == "[]" else []


def mapping_chain(node: Node) -> Chain:
    """The ends of a wire written `{from: a, to: [b, c]}`, whose keys and kinds have been checked."""
    source, target = node.entries["from"].node, node.entries["to"].node
    if isinstance(target.value, list):
        return [str(source.value), [str(item.value) for item in target.value]]
    return [str(source.value), str(target.value)]


def chain_of(node: Node) -> list[Any]:
    """The ends of a wire, which is text or a mapping. Raises YamlError."""
    if isinstance(node.value, str):
        return list(wire_chain(node.value, node.at))
    if not isinstance(node.value, dict):
        raise YamlError(
            f"{node.describe()} as a wire", "text such as `a -> b`", key="wires", location=node.at
        )
    check(node, WIRE, "a wire", gathered := Errors())
    gathered.finish()
    return list(mapping_chain(node))
