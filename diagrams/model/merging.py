"""Merging: what each input of a Merge says of the subsystem that it comes from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from ...blocks.switching.enable import Enable
from ...blocks.switching.merge import Merge
from .errors import BadWire
from .flat import FlatBlock
from .gathered import Errors


def merged(blocks: Iterable[FlatBlock], errors: Errors) -> list[FlatBlock]:
    """The same blocks, each Merge told by which Enable its signals are. Gathers BadWire."""
    flats = list(blocks)
    if not any(isinstance(flat.block, Merge) for flat in flats):
        return flats
    by_path = {flat.path: flat for flat in flats}
    told = []
    for flat in flats:
        sources = dict(flat.sources)
        for i, port in enumerate(flat.block.signals() if isinstance(flat.block, Merge) else ()):
            with errors:
                sources[f"works{i}"] = _enable(flat, port.name, by_path)
        told.append(replace(flat, sources=sources) if sources != flat.sources else flat)
    return told


def _enable(merge: FlatBlock, port: str, by_path: Mapping[str, FlatBlock]) -> tuple[str, str] | None:
    """The output of the Enable that the source of an input works by."""
    source = merge.sources[port]
    flat = None if source is None else by_path.get(source[0])
    if source is None or flat is None:
        return None
    for path in flat.conditions:
        if path not in merge.conditions and isinstance(by_path[path].block, Enable):
            return path, "y"
    raise BadWire(
        f"{merge.path}.{port} comes from {source[0]}.{source[1]}, which works all the time",
        "an output of a subsystem with an Enable block; Switch and MultiportSwitch choose between others",
        path=merge.path,
        location=merge.wire_locations.get(port) or merge.location,
    )
