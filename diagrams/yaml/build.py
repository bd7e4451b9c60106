"""Build: a document with positions as a Diagram."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...base.location import Location
from ...base.nearest import nearest
from ...base.yaml.positions import Node
from ...base.yaml.positions import place as place_in
from ...blocks.contract.block import Block, is_open
from ..model.chain import chain_wires
from ..model.diagram import Diagram
from ..model.errors import BadParameter, NestingTooDeep, UnknownParameter
from ..model.gathered import EVERYTHING, WIRES, Errors
from ..model.names import checked_name
from ..model.subsystem import Subsystem
from ..model.values import as_value
from .check import check, check_version
from .entries import SUBSYSTEM, block, block_kind
from .errors import WrongType, YamlError, YamlFileError
from .reader import parse_gathering
from .settings import read_settings
from .source import Source
from .sweep import read_sweep
from .values import parameter_value
from .wires import mapping_chain, wire_chain

DEEPEST = 100  # subsystems in one another


def build(text: str, source: Source) -> Diagram:
    """The diagram of a whole file.

    Raises DiagramError with file, line and column; SeveralErrors where more than one thing is wrong.
    """
    errors = source.errors
    diagram = None
    with errors:
        diagram = _file(text, source, "")
    if diagram is not None and errors.found:
        from ..compiler.compile import survey

        survey(diagram, errors)
    errors.finish()
    assert diagram is not None
    return diagram


def _file(text: str, source: Source, path: str) -> Diagram | None:
    """The diagram of a file's text; None where none of it can be read."""
    document = parse_gathering(text, source.file, source.errors)
    if document.root is None:
        return None
    if document.whole or "blockdyn" in document.root.entries:
        check_version(document.root, source.errors)
    return _diagram(document.root, source, path, whole=document.whole)


def _diagram(node: Node, source: Source, path: str, *, whole: bool = True) -> Diagram:
    """The diagram that stands at a path: nothing for the outermost, otherwise a subsystem's.

    What has an error is left out of it, and its names are spoilt; of one that is not `whole` all names are.
    """
    from .models import Document

    errors = source.errors
    places = check(node, Document, "a diagram", errors)
    wrong = {str(steps[0]) for steps in places}
    name = path.rpartition("/")[2] or "diagram"
    sections = {
        key: entry.node
        for key, entry in node.entries.items()
        if entry.node.value is not None and key not in wrong
    }
    given = sections.get("name")
    diagram = Diagram(str(given.value) if given else name)
    diagram.location = sections["blocks"].at if "blocks" in sections else node.at
    unsure = wrong | {key for key, entry in node.entries.items() if entry.at in errors.doubtful}
    if not whole or unsure & {"parameters", "blocks", "signals"}:
        errors.spoil(diagram, EVERYTHING)
    _fill(diagram, sections, source, path)
    if not whole or "wires" in unsure:
        errors.spoil(diagram, WIRES)
    for item in sections["wires"].items if "wires" in sections else ():
        with errors:
            start, *ends = _chain(item)
            diagram._extend(chain_wires(diagram, start, ends, item.at, "->"))
            continue
        errors.spoil(diagram, WIRES)
    if "log" in sections:
        diagram.log(at=sections["log"].at)
        for item in sections["log"].items:
            diagram.log(str(item.value), at=item.at)
    for key, read in (("simulate", read_settings), ("sweep", read_sweep)):
        entry = node.entries.get(key)
        if entry is not None and (key,) not in places:
            read(diagram, _without(entry.node, {steps[1] for steps in places if steps[0] == key}), source)
    return diagram


def _without(node: Node, keys: Collection[str | int]) -> Node:
    """A mapping without keys that an error has been told of."""
    entries = {key: entry for key, entry in node.entries.items() if key not in keys}
    return replace(node, value=entries)


def _fill(diagram: Diagram, sections: Mapping[str, Node], source: Source, path: str) -> None:
    """Declare the parameters, blocks and signals of a diagram."""
    errors = source.errors
    for key, entry in sections["parameters"].entries.items() if "parameters" in sections else ():
        with errors:
            diagram.parameter(key, _number(entry.node, key, diagram.name, key), at=entry.node.at)
            if entry.at not in errors.doubtful:
                continue
        errors.spoil(diagram, f"={key}")
    for key, entry in sections["blocks"].entries.items() if "blocks" in sections else ():
        with errors:
            checked_name(key, "block", entry.at)
            block = _block(entry.node, f"{path}/{key}" if path else key, source)
            if block is not None and entry.at not in errors.doubtful:
                diagram.add(key, block, at=entry.at)
                for name, at in _expressions(block, entry.node):
                    diagram.expression_locations[key, name] = at
        if key not in diagram:
            errors.spoil(diagram, key)
    for key, entry in sections["signals"].entries.items() if "signals" in sections else ():
        with errors:
            diagram.signal(key, str(entry.node.value), at=entry.at)
            if entry.at not in errors.doubtful:
                continue
        errors.spoil(diagram, key)


def _block(node: Node, path: str, source: Source) -> Block | Subsystem | None:
    kind = block_kind(node, path)
    return _subsystem(node, path, source) if kind == SUBSYSTEM else block(node, kind, path, source)


def _expressions(block: Block | Subsystem, node: Node) -> list[tuple[str, Location]]:
    """The parameters of a block or subsystem that are expressions, and where these stand."""
    if isinstance(block, Subsystem):
        entries = node.entries["parameters"].node.entries if block.overrides else {}
        names = [name for name, value in block.overrides.items() if is_open(value)]
    else:
        entries, names = node.entries, list(block.open_parameters())
    return [(name, entries[name].node.at) for name in names if name in entries]


def _subsystem(node: Node, path: str, source: Source) -> Subsystem | None:
    from .models import SubsystemEntry

    errors = source.errors
    if check(node, SubsystemEntry, f"subsystem `{path}`", errors, path):
        return None
    inline, file, changes = (node.entries.get(key) for key in ("diagram", "file", "parameters"))
    if (inline is None) == (file is None):
        found = "neither a diagram nor a file" if inline is None else "both a diagram and a file"
        raise YamlError(
            f"subsystem `{path}` has {found}",
            "`diagram: {blocks: ...}` or `file: other.yaml`",
            path=path,
            location=node.at,
        )
    if path.count("/") >= DEEPEST:
        raise NestingTooDeep(path, DEEPEST, location=node.at)
    diagram: Diagram | None
    if file is not None:
        diagram = _from_file(str(file.node.value), file.node.at, path, source)
    else:
        assert inline is not None
        diagram = _diagram(inline.node, source, path)
    if diagram is None:
        return None
    values: dict[str, Any] = {}
    for key, entry in changes.node.entries.items() if changes is not None else ():
        if not errors.spoilt(diagram).isdisjoint((f"={key}", EVERYTHING)):
            continue
        with errors:
            if key not in diagram.parameters:
                raise UnknownParameter(path, SUBSYSTEM, key, list(diagram.parameters), location=entry.at)
            values[key] = _number(entry.node, f"{path}.{key}", path, key)
    return Subsystem(diagram, **values)


def _number(node: Node, place: str, owner: str, name: str) -> Any:
    """What a diagram's parameter is declared as. Raises BadExpression, WrongType, BadParameter."""
    value = parameter_value(node, place)
    try:
        return as_value(value, owner, name, node.at)
    except BadParameter as error:
        element = getattr(error.reason, "element", ())
        raise BadParameter(owner, name, error.reason, location=place_in(node, element)) from None


def _from_file(name: str, at: Location, path: str, source: Source) -> Diagram | None:
    found = source.beside(name, at)
    inner = source.inner(name, found, at)
    if found not in source.known:
        try:
            text = inner.text_of(found)
        except YamlFileError as error:
            raise _referred(error, name, found, path, at) from None
        diagram = _file(text, inner, path)
        if diagram is None:
            return None
        source.known[found] = diagram
    return source.known[found]


def _referred(error: YamlFileError, name: str, file: Path, path: str, at: Location) -> YamlFileError:
    """The error of a subsystem's file, at the place that names the file."""
    beside = sorted(other.name for other in file.parent.glob("*.y*ml")) if not file.exists() else []
    return YamlFileError(
        f"subsystem `{path}` is the file `{name}`{nearest(file.name, beside)}: {error.found}",
        error.expected,
        key="file",
        path=path,
        location=at,
    )


def _chain(node: Node) -> list[Any]:
    if isinstance(node.value, str):
        return list(wire_chain(node.value, node.at))
    from .models import WireEntry

    if not isinstance(node.value, dict):
        raise WrongType(
            f"{node.describe()} as a wire", "text such as `a -> b`", key="wires", location=node.at
        )
    check(node, WireEntry, "a wire", gathered := Errors())
    gathered.finish()
    return list(mapping_chain(node))
