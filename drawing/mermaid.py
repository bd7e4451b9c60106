"""Mermaid: blocks and wires as the text of a flow chart, for pages that draw it themselves."""

from __future__ import annotations

from collections.abc import Iterator

from ..base.visible import visible
from .sketch import Part, Sketch, owner

_SHAPES = {"circle": ('(("', '"))'), "triangle": ('[["', '"]]'), "round": ('(["', '"])')}


def mermaid(drawn: Sketch) -> str:
    """The flow chart. Source: Mermaid's documentation, "Flowcharts - Basic Syntax"."""
    numbers: dict[str, str] = {}
    lines = ["flowchart LR", *_nodes(drawn.parts, numbers, "  ")]
    for line in drawn.lines:
        ends = [numbers.get(owner(key)) for key in (line.source, line.target)]
        if None not in ends:
            lines.append(f"  {ends[0]} --> {ends[1]}")
    return "\n".join(lines) + "\n"


def _nodes(parts: list[Part], numbers: dict[str, str], indent: str) -> Iterator[str]:
    for part in parts:
        number = numbers[part.path] = f"b{len(numbers)}"
        if part.open:
            yield f'{indent}subgraph {number}["{quoted(part.name)}"]'
            yield from _nodes(part.inside, numbers, indent + "  ")
            yield f"{indent}end"
            continue
        before, after = _SHAPES.get(part.icon.shape, ('["', '"]'))
        text = f"{part.name}: {part.kind}" if part.name else part.icon.text
        yield f"{indent}{number}{before}{quoted(text)}{after}"


def quoted(text: str) -> str:
    """Text as Mermaid quotes it, by entities."""
    plain = visible(text, lines=False)
    return "".join(c if c.isalnum() or c in " _./,:=" else f"#{ord(c)};" for c in plain)
