"""Mermaid: blocks and wires as the text of a flow chart, for pages that draw it themselves."""

from __future__ import annotations

from collections.abc import Iterator

from ..base.words import visible
from .sketch import Part, Sketch, owner

_SHAPES = {"circle": ('(("', '"))'), "triangle": ('[["', '"]]'), "round": ('(["', '"])')}


def mermaid(drawn: Sketch) -> str:
    """The flow chart: one arrow from block to block, with the names of the inputs that it leads to.

    Source: Mermaid's documentation, "Flowcharts - Basic Syntax".
    """
    numbers: dict[str, str] = {}
    lines = ["flowchart LR", *_nodes(drawn.parts, numbers, "  ")]
    names = dict(_names(drawn.parts))
    arrows: dict[tuple[str | None, ...], list[str]] = {}
    for source, target in _join_wires(drawn):
        ends = numbers.get(owner(source)), numbers.get(owner(target))
        if None not in ends:
            arrows.setdefault(ends, []).append(names.get(target, ""))
    for (begin, end), inputs in arrows.items():
        label = quote(", ".join(filter(None, inputs)))
        lines.append(f'  {begin} -->|"{label}"| {end}' if label else f"  {begin} --> {end}")
    return "\n".join(lines) + "\n"


def _join_wires(drawn: Sketch) -> Iterator[tuple[str, str]]:
    """Wires from block to block, through frames of open subsystems: no arrow may lead from one to its own."""
    before = {line.target: line.source for line in drawn.lines}
    goes_on = {line.source for line in drawn.lines}
    for line in drawn.lines:
        source = line.source
        while source in before:
            source = before[source]
        if line.target not in goes_on:
            yield source, line.target


def _names(parts: list[Part]) -> Iterator[tuple[str, str]]:
    """Labels of each pin."""
    for part in parts:
        yield from ((pin.key, pin.label) for pin in part.pins)
        yield from _names(part.inside)


def _nodes(parts: list[Part], numbers: dict[str, str], indent: str) -> Iterator[str]:
    for part in parts:
        number = numbers[part.path] = f"b{len(numbers)}"
        if part.open:
            yield f'{indent}subgraph {number}["{quote(part.name)}"]'
            yield from _nodes(part.inside, numbers, indent + "  ")
            yield f"{indent}end"
            continue
        before, after = _SHAPES.get(part.icon.shape, ('["', '"]'))
        text = f"{part.name}: {part.kind}" if part.name else part.icon.text
        yield f"{indent}{number}{before}{quote(text)}{after}"


def quote(text: str) -> str:
    """Text as Mermaid quotes it, by entities."""
    plain = visible(text, lines=False)
    return "".join(c if c.isalnum() or c in " _./,:=" else f"#{ord(c)};" for c in plain)
