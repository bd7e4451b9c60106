"""A part of a diagram as a program of its own: what comes in from other blocks becomes its inputs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from ...blocks.contract.port import Size
from ...blocks.routing.inport import Inport
from ...blocks.routing.outport import Outport
from ...diagrams.compiler.compile import compile_flat
from ...diagrams.compiler.program import Program
from ...diagrams.model.flat import FlatBlock, FlatDiagram, Tap
from ..errors import ExportError

End = tuple[str, str]  # path of a block, and one of its ports
IN, OUT = "@in", "@out"  # after the names of added blocks: no declared name has an @


def part_of(program: Program, paths: Iterable[str]) -> Program:
    """The program of some blocks and subsystems. Raises ExportError."""
    flat, chosen = program.flat, [*paths]
    blocks = {block.path: block for block in flat.blocks if _is_in(block.path, chosen)}
    _check(flat, chosen, blocks)
    readers: dict[End, End] = {}
    for block in blocks.values():
        for port, source in block.sources.items():
            if source is not None and source[0] not in blocks:
                readers.setdefault(source, (block.path, port))
    declared = {end: place for place, end in enumerate(dict.fromkeys(flat.aliases.values()))}
    taken: dict[str, End] = {}
    entering: dict[End, str] = {}
    for source in sorted(readers, key=lambda end: declared.get(end, len(declared))):
        name = _free(_input_name(flat, chosen, source, readers[source]), taken)
        taken[name], entering[source] = source, name
    leaving: dict[str, End] = {}
    for source in _leaving(flat, blocks):
        name = _free(_output_name(flat, chosen, source), {**taken, **leaving})
        leaving[name] = source
    units = {unit.path: unit for unit in program.plan.units}
    added = {}
    for source, name in entering.items():
        size: Size = units[source[0]].out_sizes[source[1]]
        if size.fields:
            raise ExportError(
                flat.name, [(".".join(source), "a bus that enters the part; take its selector in")]
            )
        unit = program.plan.signal_units.of(units[source[0]], source[1])
        path = f"{name}{IN}"
        inport = Inport(default=0.0, size=list(size.shape) if size.shape else None, unit=unit)
        added[path] = FlatBlock(path, inport, {}, None, {})
    for name, source in leaving.items():
        unit = program.plan.signal_units.of(units[source[0]], source[1])
        path = f"{name}{OUT}"
        added[path] = FlatBlock(path, Outport(unit=unit), {"u": source}, None, {})
    for path, block in blocks.items():
        sources = {
            port: (f"{entering[end]}{IN}", "y") if end in entering else end
            for port, end in block.sources.items()
        }
        added[path] = replace(block, sources=sources)
    ports: Mapping[str, tuple[str, ...]] = {
        **{path: flat.ports[path] for path in blocks}, **{path: ("y",) for path in added if "@" in path},
    }  # fmt: skip
    name = chosen[0] if len(chosen) == 1 else flat.name
    settings = {each: value for each, value in flat.simulation.items() if each == "loops"}
    part = replace(
        flat, name=name, blocks=tuple(added[path] for path in sorted(added)), ports=ports, aliases={},
        scopes=(), inputs=tuple(f"{name}{IN}" for name in entering.values()),
        outputs=tuple(f"{name}{OUT}" for name in leaving), simulation=settings,
        taps=tuple(Tap(name, f"{name}{OUT}", "y") for name in leaving),
    )  # fmt: skip
    return compile_flat(part, program.source)


def _is_in(path: str, chosen: Iterable[str]) -> bool:
    return any(path == each or path.startswith(f"{each}/") for each in chosen)


def _check(flat: FlatDiagram, chosen: Iterable[str], blocks: Mapping[str, FlatBlock]) -> None:
    """Raise ExportError for a path without blocks, and for blocks whose conditions are outside."""
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


def _leaving(flat: FlatDiagram, blocks: Mapping[str, FlatBlock]) -> list[End]:
    """The signals that blocks outside read; of a part that nothing reads, those that end in it."""
    read = {end for block in flat.blocks if block.path not in blocks for end in block.sources.values() if end}
    read.update(flat.aliases.values())
    ends = [(path, port) for path in blocks for port in flat.ports.get(path, ()) if (path, port) in read]
    if ends:
        return ends
    inside = {end for block in blocks.values() for end in block.sources.values() if end}
    return [
        (path, port) for path in blocks for port in flat.ports.get(path, ()) if (path, port) not in inside
    ]


def _input_name(flat: FlatDiagram, chosen: Iterable[str], source: End, reader: End) -> str:
    """The name of an Inport of the part, or of the port that the signal enters."""
    for alias, end in flat.aliases.items():
        path, _, port = alias.rpartition(".")
        if end == source and port == "y" and _is_in(path, chosen) and path.count("/") == 1:
            return path.rpartition("/")[2]
    path, port = reader
    return port if len(port) > 1 and not re.fullmatch(r"u\d*", port) else source[0].rpartition("/")[2]


def _output_name(flat: FlatDiagram, chosen: Iterable[str], source: End) -> str:
    """The name of an Outport of the part, or of the port or block that the signal leaves."""
    for alias, end in flat.aliases.items():
        path, _, port = alias.rpartition(".")
        if end == source and path in chosen:
            return port
    path, port = source
    return port if len(port) > 1 else path.rpartition("/")[2]


def _free(name: str, taken: Mapping[str, End]) -> str:
    """The name, with a number if it is taken."""
    k, free = 2, name
    while free in taken:
        free, k = f"{name}_{k}", k + 1
    return free
