"""Wires that lead back are routed below the blocks of their loop."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from .marks import Point
from .sketch import Line, Part, owner

_APART = 9.0  # px from lane to lane
_BESIDE = 4.0  # px from a pin to where its wire turns


@dataclass(frozen=True, slots=True)
class Box:
    """Edges of a part: left, top, right and low."""

    left: float
    top: float
    right: float
    low: float


def lanes(
    parts: Sequence[Part],
    lines: Sequence[Line],
    back: set[int],
    boxes: dict[str, Box],
    pins: dict[str, Point],
) -> dict[int, list[Point]]:
    """The corners of the wires of one level that lead back, by their number.

    A lane lies below the blocks that its loop goes through, and below the blocks wired with these alone, and
    below lanes that are shorter: the loops of a cascade lie inside one another.
    """
    import networkx as nx

    names = {part.path for part in parts}
    ends = {
        number: (owner(line.source), owner(line.target))
        for number, line in enumerate(lines)
        if owner(line.source) in names and owner(line.target) in names
    }
    forward = nx.DiGraph(pair for number, pair in ends.items() if number not in back)
    forward.add_nodes_from(names)
    components = nx.strongly_connected_components(nx.DiGraph(ends.values()))
    groups = _groups(forward, {path for loop in components if len(loop) > 1 for path in loop})

    def size(number: int) -> tuple[float, float, int]:
        line = lines[number]
        (x, y), (to_x, _) = pins[line.source], pins[line.target]
        return round(x - to_x, 1), -y, number

    corners: dict[int, list[Point]] = {}
    taken: dict[int, tuple[set[str], float, float, float]] = {}
    heads: dict[str, set[str]] = {}
    tails: dict[str, set[str]] = {}
    for number in sorted((n for n in back if n in ends), key=size):
        line = lines[number]
        source, target = ends[number]
        if target not in heads:
            heads[target] = nx.descendants(forward, target) | {target}
        if source not in tails:
            tails[source] = nx.ancestors(forward, source) | {source}
        around = (heads[target] & tails[source]) | {source, target}
        around = around.union(*(group for group, near in groups if near and near <= around))
        (x, y), (to_x, to_y) = pins[line.source], pins[line.target]
        right, left = x + _BESIDE, to_x - _BESIDE
        low = max(boxes[path].low for path in around if boxes[path].right > left and boxes[path].left < right)
        for others, from_x, until, height in taken.values():
            if others & around and from_x < right and until > left:
                low = max(low, height)
        low += _APART
        taken[number] = around, left, right, low
        corners[number] = [(right, y), (right, low), (left, low), (left, to_y)]
    return corners


def _groups(forward: Any, loops: Collection[str]) -> list[tuple[set[str], set[str]]]:
    """Blocks on no loop, in groups that are wired together, each with the blocks on loops it meets."""
    import networkx as nx

    unlooped = forward.to_undirected().subgraph([path for path in forward if path not in loops])
    groups = []
    for group in nx.connected_components(unlooped):
        near = {other for path in group for other in nx.all_neighbors(forward, path)}
        groups.append((group, near & set(loops)))
    return groups
