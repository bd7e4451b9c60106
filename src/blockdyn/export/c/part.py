"""Make a separate program of a part of a diagram: signals from other blocks become its inputs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from ...blocks.contract.port import Size
from ...blocks.routing.inport import Inport
from ...blocks.routing.outport import Outport
from ...diagrams.compiler.compile import compile_flat
from ...diagrams.compiler.program import Program
from ...diagrams.model.flat import FlatBlock, FlatDiagram, Tap
from ..errors import ExportError
from .expressions import free

End = tuple[str, str]  # path of a block, and one of its ports
IN, OUT = "@in", "@out"  # after the names of added blocks: no declared name has an @


def part_of(program: Program, paths: Iterable[str]) -> Program:
    """The program of some blocks and subsystems. Raises ExportError."""
    flat, chosen = program.flat, [*paths]
    ports_of_diagram = {*flat.inputs}  # they stay outside, so that their signals come in
    blocks = {
        block.path: block
        for block in flat.blocks
        if _is_in(block.path, chosen) and block.path not in ports_of_diagram
    }
    _check(flat, chosen, blocks)
    incoming = _incoming(flat, chosen, blocks)
    leaving = _leaving(flat, chosen, blocks)
    entering = {end: name for name, end in incoming.items()}

    def inner(end: End | None) -> End | None:
        return (f"{entering[end]}{IN}", "y") if end in entering else end

    units = {unit.path: unit for unit in program.plan.units}
    added = {}
    for source, name in entering.items():
        size: Size = units[source[0]].out_sizes[source[1]]
        if size.fields:
            bus = ".".join(source), "a bus, which enters the part"
            raise ExportError(flat.name, [bus], "a part that contains the block that makes the bus")
        unit = program.plan.signal_units.of(units[source[0]], source[1])
        path = f"{name}{IN}"
        inport = Inport(default=0.0, size=list(size.shape) if size.shape else None, unit=unit)
        added[path] = FlatBlock(path, inport, {}, None, {})
    for name, source in leaving.items():
        unit = program.plan.signal_units.of(units[source[0]], source[1])
        path = f"{name}{OUT}"
        added[path] = FlatBlock(path, Outport(unit=unit), {"u": inner(source)}, None, {})
    for path, block in blocks.items():
        sources = {port: inner(end) for port, end in block.sources.items()}
        added[path] = replace(block, sources=sources)
    ports: Mapping[str, tuple[str, ...]] = {
        **{path: flat.ports[path] for path in blocks}, **{path: ("y",) for path in added if "@" in path},
    }  # fmt: skip
    name = chosen[0] if len(chosen) == 1 else flat.name
    settings = {each: value for each, value in flat.simulation.items() if each in ("loops", "seed")}
    part = replace(
        flat, name=name, blocks=tuple(added[path] for path in sorted(added)), ports=ports, aliases={},
        scopes=(), inputs=tuple(f"{name}{IN}" for name in entering.values()),
        outputs=tuple(f"{name}{OUT}" for name in leaving), simulation=settings,
        taps=tuple(Tap(name, f"{name}{OUT}", "y") for name in leaving),
    )  # fmt: skip
    return compile_flat(part, program.source)


def _is_in(path: str, chosen: Iterable[str]) -> bool:
    return any(path == each or path.startswith(f"{each}/") for each in chosen)


def _check(flat: FlatDiagram, chosen: Sequence[str], blocks: Mapping[str, FlatBlock]) -> None:
    """Raise ExportError for a path without blocks, and for blocks whose conditions are outside."""
    if not chosen:
        raise ExportError(flat.name, [("the part", "no path")], "the path of a block or a subsystem")
    for path in chosen:
        if not any(_is_in(each, [path]) for each in blocks):
            heads = sorted({block.path.partition("/")[0] for block in flat.blocks})
            raise ExportError(
                flat.name, [(path, "no such block or subsystem")], f"some of {', '.join(heads)}"
            )
    outside = [
        (path, f"it works when {each} says so, which is not in the part")
        for path, block in blocks.items()
        for each in (*block.conditions, *([block.iteration] if block.iteration else []))
        if each not in blocks
    ]
    if outside:
        raise ExportError(flat.name, outside, "a part with the Enable or Trigger of its blocks")


def _incoming(flat: FlatDiagram, chosen: Sequence[str], blocks: Mapping[str, FlatBlock]) -> dict[str, End]:
    """The signals that come in, by the names of the Inports of subsystems, or of ports that they enter.

    Raises ExportError for one signal that enters by two Inports: it is one signal in the flat diagram.
    """
    names: dict[str, End] = {}
    ports: dict[End, str] = {}
    for path in chosen:
        outports = _ports(flat, f"{path}.")
        for name, end in _ports(flat, f"{path}/", ".y").items():
            if end[0] in blocks or name in outports:
                continue
            if end in ports:
                twice = f"{'.'.join(end)} enters by {ports[end]} and by {name}, which would be one input"
                raise ExportError(
                    flat.name, [(path, twice)], "another block, such as a Gain, before one of them"
                )
            names[free(name, {*names})] = end
            ports[end] = name
    for block in blocks.values():
        for port, source in block.sources.items():
            if source is not None and source[0] not in blocks and source not in ports:
                name = _input_name(chosen, source, (block.path, port))
                ports[source] = free(name, {*names})
                names[ports[source]] = source
    return names


def _leaving(flat: FlatDiagram, chosen: Sequence[str], blocks: Mapping[str, FlatBlock]) -> dict[str, End]:
    """The signals that leave: by the Outports of subsystems, and outputs of blocks that others read.

    If there are none, these are the signals that end in the part.
    """
    names: dict[str, End] = {}
    for path in chosen:
        for name, end in _ports(flat, f"{path}.").items():
            names[free(name, {*names})] = end
    read = {end for block in flat.blocks if block.path not in blocks for end in block.sources.values() if end}
    inside = {end for block in blocks.values() for end in block.sources.values() if end}
    ends = [(path, port) for path in blocks for port in flat.ports.get(path, ())]
    leaving = [end for end in ends if end[0] in chosen and end in read]
    for end in leaving or ([] if names else [end for end in ends if end not in inside]):
        path, port = end
        names[free(port if len(port) > 1 else path.rpartition("/")[2], {*names})] = end
    return names


def _ports(flat: FlatDiagram, before: str, after: str = "") -> dict[str, End]:
    """The ports of a subsystem, by the names before and after theirs."""
    names = {
        alias[len(before) : len(alias) - len(after)]: end
        for alias, end in flat.aliases.items()
        if alias.startswith(before) and alias.endswith(after)
    }
    return {name: end for name, end in names.items() if name.isidentifier()}


def _input_name(chosen: Sequence[str], source: End, reader: End) -> str:
    """The name of the port that a signal enters, of the Enable that it drives, or of its source."""
    path, port = reader
    if len(port) > 1 and not re.fullmatch(r"u\d*", port):
        return port
    return (source[0] if path in chosen else path).rpartition("/")[2]
