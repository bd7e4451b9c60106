"""`blockdyn diff`: list the blocks, parameters and wires that differ between two diagrams, without layout."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..diagrams.model.diagram import Diagram
from ..diagrams.model.subsystem import Subsystem
from .console import show, show_json
from .diagrams import load_named, refuse_options

SIMULINK = (".slx", ".mdl")
Fields = Mapping[str, Mapping[str, str]]


@dataclass
class Contents:
    """Contents of a diagram: fields of its blocks by path, its wires, and positions."""

    blocks: dict[str, dict[str, str]] = field(default_factory=dict)
    wires: set[str] = field(default_factory=set)
    positions: dict[str, str] = field(default_factory=dict)


def diff(arguments: Namespace) -> int:
    """Print the differences; the status is 0 if there are none, else 1."""
    files = (arguments.first, arguments.second)
    untranslated = all(Path(path).suffix.lower() in SIMULINK for path in files)
    first, second = (read_contents(path, arguments, untranslated) for path in files)
    lines = [*_compare_blocks(first.blocks, second.blocks), *_compare_wires(first, second)]
    moved = sum(second.positions.get(path, place) != place for path, place in first.positions.items())
    if arguments.json:
        show_json({"differences": lines, "moved": moved})
    else:
        show(*lines)
        if moved:
            show(f"layout: {moved} blocks moved")
        if not lines and not moved:
            show("no difference")
    return 1 if lines else 0


def read_contents(path: str, arguments: Namespace, untranslated: bool) -> Contents:
    """The contents of a file; two Simulink files are compared without translation. Raises BlockdynError."""
    contents = Contents()
    if untranslated:
        from ..interop.simulink import read_simulink_contents

        refuse_options(
            arguments,
            Path(path),
            ("value", "values", "replace"),
            "two files: their parameters are compared as text",
        )
        contents.blocks, contents.wires, contents.positions = read_simulink_contents(path)
        return contents
    options = vars(arguments) | {"diagram": path}
    if Path(path).suffix.lower() not in SIMULINK and _mixed(arguments):  # options of the other file
        options |= {"value": [], "values": [], "replace": []}
    _gather(load_named(Namespace(**options)), "", contents)
    return contents


def _mixed(arguments: Namespace) -> bool:
    """True if one of the two files is Simulink's."""
    return any(Path(path).suffix.lower() in SIMULINK for path in (arguments.first, arguments.second))


def _gather(diagram: Diagram, prefix: str, contents: Contents) -> None:
    """Add a diagram and its subsystems."""
    from ..diagrams.yaml import dumps
    from ..diagrams.yaml.source import parse

    data: Any = parse(dumps(diagram, sweep=False), diagram.name).plain()
    if not prefix:
        settings = {key: str(value) for key, value in (data.get("simulate") or {}).items()}
        contents.blocks["simulate"] = settings
    for name, value in (data.get("parameters") or {}).items():
        contents.blocks[f"{prefix}parameter {name}"] = {"value": str(value)}
    for name, block in (data.get("blocks") or {}).items():
        fields = {key: str(value) for key, value in block.items() if key not in ("diagram", "parameters")}
        fields |= {key: str(value) for key, value in (block.get("parameters") or {}).items()}
        contents.blocks[prefix + name] = fields
        inner = diagram.blocks.get(name)
        if isinstance(inner, Subsystem):
            _gather(inner.diagram, f"{prefix}{name}/", contents)
    for wire in diagram.wires:
        contents.wires.add(f"{prefix}{_end(wire.source)} -> {prefix}{_end(wire.destination)}")
    contents.positions |= {f"{prefix}{name}": str(place) for name, place in diagram.positions.items()}


def _end(end: Any) -> str:
    return f"{end.block}.{end.port}" if end.port is not None else str(end.block)


def _compare_blocks(
    first: Mapping[str, Mapping[str, str]], second: Mapping[str, Mapping[str, str]]
) -> list[str]:
    """A line for each block that is added, removed, or has other parameters."""
    lines = []
    for path in dict.fromkeys([*first, *second]):
        a, b = first.get(path), second.get(path)
        if a is None or b is None:
            fields = a if a is not None else b or {}
            lines.append(f"{'+' if a is None else '-'} {path}: {fields.get('type', 'block')}")
            continue
        changes = [
            f"{key}: {a.get(key, 'default')} -> {b.get(key, 'default')}"
            for key in dict.fromkeys([*a, *b])
            if a.get(key) != b.get(key)
        ]
        if changes:
            lines.append(f"~ {path}: {'; '.join(changes)}")
    return lines


def _compare_wires(first: Contents, second: Contents) -> list[str]:
    """A line for each wire that is added or removed."""
    return [
        *(f"- {wire}" for wire in sorted(first.wires - second.wires)),
        *(f"+ {wire}" for wire in sorted(second.wires - first.wires)),
    ]
