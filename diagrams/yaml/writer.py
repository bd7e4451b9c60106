"""Write a Diagram as YAML that reads back as the same diagram."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ...base.checked import checked
from ...base.yaml.limits import DEEPEST, MOST
from ...blocks.contract.block import Block
from ...blocks.contract.registry import UnknownBlockType, type_name
from ...robots.planning.map_files import drawing_of
from ...robots.planning.occupancy_map import OccupancyMap
from ..model.errors import DiagramError, contains_itself
from ..model.subsystem import Subsystem
from ..model.wire import End, Wire
from .code import name_of
from .document import VERSION
from .entries import kinds
from .errors import NotWritable
from .machines import written_robot
from .masks import RULE
from .source import parse
from .values import NoText, flow, key, word

if TYPE_CHECKING:
    from ..model.diagram import Diagram

WIDTH = 100  # of a line, before a mapping is written over several
_LEVELS = 3  # mappings that a subsystem adds: blocks, its entry, its diagram


@checked(NotWritable)
def dumps(diagram: Diagram, *, sweep: bool = True, notes: bool = False, named: bool = False) -> str:
    """The diagram as YAML; without `sweep`, without the section of that name.

    `notes` adds the keys that no run reads, `doc` and `view`. Subsystems of files are written in place; with
    `named`, unchanged subsystems of packages are written by their type.

    Raises NotWritable for Python functions and for block classes that are neither named in a file nor in the
    library or a package.
    """
    lines = [f"blockdyn: {VERSION}"]
    for line in _diagram(diagram, (diagram,), sweep=sweep, notes=notes, named=named):
        if len(lines) > MOST // 10:
            raise NotWritable("", f"more than {MOST // 10} lines", "write subsystems into files of their own")
        lines.append(line)
    return "\n".join(lines) + "\n"


def section_text(name: str, data: Mapping[str, Any]) -> str:
    """One section of a diagram's file. Raises NotWritable."""
    return "\n".join(tree_lines(name, data)) + "\n"


def tree_lines(name: str, value: Any) -> list[str]:
    """A key and its value, in one line or, if that is too long, over several. Raises NotWritable."""
    return list(_tree(name, value, name))


def block_data(name: str, block: Block | Subsystem) -> Any:
    """The entry of a block, as plain data. Raises NotWritable."""
    return parse("\n".join(_block(name, block, 0, (), True, True)), name).plain()[name]  # type: ignore[index, call-overload]


def _diagram(
    diagram: Diagram,
    chain: tuple[Diagram, ...],
    *,
    sweep: bool = True,
    notes: bool = False,
    named: bool = False,
) -> Iterator[str]:
    yield f"name: {word(diagram.name)}"
    if notes and diagram.doc:
        yield f"doc: {word(diagram.doc)}"
    if diagram.parameters:
        yield from _mapping("parameters", _texts(_parameter_entries(diagram), "parameters"))
    if diagram.requirements:
        yield "checks:"
        for each in diagram.requirements:
            said = {"that": word(each.condition.formula.text), "message": word(each.message)}
            yield f"  - {_flow(said)}"
    if notes and diagram.icon:
        yield f"icon: {word(diagram.icon)}"
    if diagram.blocks:
        yield "blocks:"
        width = max(len(key(name)) for name in diagram.blocks) + 1
        for name, block in diagram.blocks.items():
            yield from (f"  {line}" for line in _block(name, block, min(width, 24), chain, notes, named))
    if diagram.wires:
        yield "wires:"
        yield from (f"  - {line}" for line in wire_lines(list(diagram.wires)))
    if diagram.signals:
        yield from _mapping("signals", {name: word(str(end)) for name, end in diagram.signals.items()})
    if diagram.logged is not None:
        yield from _list("log", [word(str(path)) for path in diagram.logged])
    if diagram.simulation:
        yield from _mapping("simulate", _texts(_simulation(diagram), "simulate"))
    for name, section in diagram.sections.items():
        if sweep or name != "sweep":
            yield from _tree(name, section.data, name)
    if notes and diagram.positions:
        yield from _mapping("view", _texts(diagram.positions, "view"))


def _parameter_entries(diagram: Diagram) -> dict[str, Any]:
    """The parameters: values, or mappings if they are declared with more."""
    declared: dict[str, Any] = {}
    for name, value in diagram.parameters.items():
        rule = diagram.rules.get(name)
        about = {} if name in diagram.needed else {"default": value}
        if rule is not None:
            about |= {key: said for key in RULE if (said := getattr(rule, key)) not in (None, "", ())}
        declared[name] = value if about.keys() == {"default"} else about
    return declared


def _simulation(diagram: Diagram) -> dict[str, Any]:
    """The settings of its runs, a method by its name."""
    from ...solvers.methods import GROUP, methods
    from ...solvers.methods.method import Method

    settings = dict(diagram.simulation)
    method = settings.get("method")
    if isinstance(method, Method):
        if method not in methods():
            remedy = f"offer it to blockdyn through an entry point of the group `{GROUP}`"
            raise NotWritable("simulate", f"method is {method.name}, a Method of your own", remedy)
        settings["method"] = method.name
    return settings


def _block(
    name: str, block: Block | Subsystem, width: int, chain: tuple[Diagram, ...], notes: bool, named: bool
) -> Iterator[str]:
    path = "/".join([*(inner.name for inner in chain[1:]), name])
    if isinstance(block, Subsystem):
        if named and (entry := _packaged_entry(block, path)) is not None:
            yield from _one_or_more(name, entry, width)
        else:
            yield from _subsystem(name, block, path, chain, notes, named)
        return
    try:
        entry = {"type": word(name_of(type(block)) or type_name(type(block)))}
    except UnknownBlockType as error:
        raise NotWritable(path, f"{block.kind()} is a block class of your own", error.remedy) from None
    entry |= _texts(_check_parameters(block, path), path)
    yield from _one_or_more(name, entry, width)


def _one_or_more(name: str, entry: Mapping[str, str], width: int) -> list[str]:
    """An entry of `blocks` in one line, or over several where that is long."""
    line = f"{key(name) + ':':<{width}} {_flow(entry)}"
    return [line] if len(line) <= WIDTH or len(entry) == 1 else _entry(name, entry)


def _entry(name: str, entry: Mapping[str, str]) -> list[str]:
    return [f"{key(name)}:", *(f"  {key(k)}: {text}" for k, text in entry.items())]


def _packaged_entry(block: Subsystem, path: str) -> dict[str, str] | None:
    """The entry of a packaged subsystem, by its type; None for any other, or if its content changed."""
    from . import subsystem

    packaged = block.packaged
    if packaged is None:
        return None
    parameters: dict[str, Any] = {
        name: value for name, value in block.overrides.items() if name not in packaged.lifted
    }
    try:
        fresh = subsystem(packaged.type, **packaged.options, **parameters).diagram
        if list(_diagram(fresh, (fresh,))) != list(_diagram(block.diagram, (block.diagram,))):
            return None
        return {"type": packaged.type} | _texts({**packaged.options, **parameters}, path)
    except DiagramError:  # the package is gone, or YAML cannot represent an option
        return None


def _subsystem(
    name: str, block: Subsystem, path: str, chain: tuple[Diagram, ...], notes: bool, named: bool
) -> Iterator[str]:
    inner = block.diagram
    if any(inner is outer for outer in chain):
        raise contains_itself([outer.name for outer in chain] + [inner.name])
    if _LEVELS * len(chain) + 5 > DEEPEST:
        raise NotWritable(
            path,
            f"subsystems nested over {len(chain)} levels",
            "write the inner ones into files of their own",
        )
    yield f"{key(name)}:"
    yield "  type: Subsystem"
    if block.overrides:
        yield from (f"  {line}" for line in _mapping("parameters", _texts(block.overrides, path)))
    yield "  diagram:"
    yield from (f"    {line}" for line in _diagram(inner, (*chain, inner), notes=notes, named=named))


def _check_parameters(block: Block, path: str) -> dict[str, Any]:
    """The block's parameters, if YAML gives all of them the same meaning."""
    parameters = block.parameters()
    parameter_kinds = kinds(type(block))
    for name, value in parameters.items():
        if parameter_kinds[name].robot:
            parameters[name] = written_robot(value, path)
            continue
        if parameter_kinds[name].vehicle:
            from .machines import written_vehicle

            parameters[name] = written_vehicle(value)
            continue
        if isinstance(value, OccupancyMap):
            parameters[name] = drawing_of(value)
            continue
        if callable(value) and (called := name_of(value)) is not None:
            parameters[name] = called
        elif callable(value):
            raise NotWritable(
                path,
                f"{name} is the Python function {getattr(value, '__qualname__', value)!r}",
                "a file holds no code: let it name a function, as `laws.py:brake`, or stay in Python",
            )
        if isinstance(value, str) and value.startswith("=") and not parameter_kinds[name].text_only:
            raise NotWritable(
                path, f"{name} is text that begins with `=`", "YAML reads that as an expression"
            )
    return parameters


def _texts(values: Mapping[str, Any], path: str) -> dict[str, str]:
    texts = {}
    for name, value in values.items():
        try:
            texts[name] = flow(value)
        except NoText as error:
            raise NotWritable(
                path, f"{name} is {error}", "YAML holds numbers, text, lists and mappings"
            ) from None
    return texts


def _flow(entry: Mapping[str, str]) -> str:
    return "{" + ", ".join(f"{key(name)}: {text}" for name, text in entry.items()) + "}"


def _mapping(name: str, entry: Mapping[str, str]) -> list[str]:
    line = f"{name}: {_flow(entry)}"
    return [line] if len(line) <= WIDTH else _entry(name, entry)


def _tree(name: str, value: Any, path: str) -> Iterator[str]:
    """A value on one line, or a mapping that is too long for that over several."""
    line = f"{key(name)}: {_texts({name: value}, path)[name]}"
    if len(line) <= WIDTH or not isinstance(value, Mapping) or not value:
        yield line
        return
    yield f"{key(name)}:"
    for inner, item in value.items():
        yield from (f"  {text}" for text in _tree(inner, item, f"{path}.{inner}"))


def _list(name: str, items: list[str]) -> list[str]:
    line = f"{name}: [{', '.join(items)}]"
    return [line] if len(line) <= WIDTH else [f"{name}:", *(f"  - {item}" for item in items)]


def wire_lines(wires: list[Wire]) -> Iterator[str]:
    """Wires as text; wires that follow one another become a chain, wires of one source a list."""
    start = 0
    while start < len(wires):
        line, source = str(wires[start].source), wires[start].source
        while start < len(wires) and wires[start].source == source:
            group = _group(wires, start)
            ends = [str(wire.destination) for wire in group]
            line += " -> " + (ends[0] if len(ends) == 1 else "[" + ", ".join(ends) + "]")
            start += len(group)
            if len(ends) > 1 or group[0].destination.port is not None:
                break
            source = End(group[0].destination.block)
        yield line


def _group(wires: list[Wire], start: int) -> list[Wire]:
    """The wires from `start` on that begin at one source."""
    end = start
    while end < len(wires) and wires[end].source == wires[start].source:
        end += 1
    return wires[start:end]
