"""Wires of a drawing: the effort of following them, their junctions, and those from a block to itself."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from .marks import Point
from .sketch import EAST, WEST, Line, Part, owner

_LENGTH = 250.0  # px of wire that count as much as a corner
_CROSSING = 1.0  # corners that a crossing counts as
# Source: H. Purchase, "Metrics for graph drawing aesthetics", J. Visual Languages and Computing 13 (2002)


def effort(wires: Iterable[tuple[str, Sequence[Point]]]) -> float:
    """The effort of wires, each the key of its source with its corners; wires of one source do not cross."""
    corners, length = 0, 0.0
    across: list[tuple[float, float, float, str]] = []
    up: list[tuple[float, float, float, str]] = []
    for source, points in wires:
        corners += len(points) - 2
        for (x, y), (to_x, to_y) in pairwise(points):
            length += abs(to_x - x) + abs(to_y - y)
            if y == to_y:
                across.append((y, min(x, to_x), max(x, to_x), source))
            else:
                up.append((x, min(y, to_y), max(y, to_y), source))
    crossings = {
        (x, y)
        for y, left, right, source in across
        for x, top, low, other in up
        if source != other and left < x < right and top < y < low
    }
    return corners + _CROSSING * len(crossings) + length / _LENGTH


_NEAR = 0.3  # px: lines at this distance, from ELK's rounding, are one


def junctions(wires: Sequence[tuple[Line, Sequence[Point]]]) -> Iterator[tuple[Line, Point]]:
    """The points where the wires of one output continue in three or four directions, each with one wire.

    The wire is pale only if all wires at the point are pale.
    """
    of_source: dict[str, list[tuple[Line, Sequence[Point]]]] = defaultdict(list)
    for wire in wires:
        of_source[wire[0].source].append(wire)
    for several in of_source.values():
        if len(several) < 2:
            continue
        pieces = [(line, *pair) for line, points in several for pair in pairwise(points)]
        dots: list[Point] = []
        for at in (point for _, points in several for point in points[1:-1]):
            if any(_together(at, other) for other in dots):
                continue
            meeting = [(line, _directions(at, start, end)) for line, start, end in pieces]
            if len(set().union(*(ways for _, ways in meeting))) > 2:
                dots.append(at)
                yield min((line for line, ways in meeting if ways), key=lambda line: line.pale), at


def _together(a: Point, b: Point) -> bool:
    return abs(a[0] - b[0]) <= _NEAR and abs(a[1] - b[1]) <= _NEAR


def _directions(at: Point, start: Point, end: Point) -> set[tuple[int, int]]:
    """Directions in which a piece of a wire continues from a point on it."""
    ways = set()
    for along in (0, 1):
        across = 1 - along
        low, high = sorted((start[along], end[along]))
        if max(abs(start[across] - at[across]), abs(end[across] - at[across])) > _NEAR:
            continue
        if not low - _NEAR <= at[along] <= high + _NEAR:
            continue
        ways |= {(along, sign) for sign, far in ((-1, at[along] - low), (1, high - at[along])) if far > _NEAR}
    return ways


_APART = 9.0  # px from the block's name to the first, and from one to the next
_BESIDE, _FURTHER = 8.0, 4.0  # px from the block to the first corner, and more for each further wire


def self_loops(parts: Iterable[Part], lines: Sequence[Line]) -> dict[str, list[int]]:
    """The numbers of the wires from the right of a block to its left, the innermost first, by its path."""
    places = {
        pin.key: number for part in parts for number, pin in enumerate(part.pins) if pin.side in (EAST, WEST)
    }
    sides = {pin.key: pin.side for part in parts for pin in part.pins}
    loops: dict[str, list[int]] = {}
    for number, line in enumerate(lines):
        path = owner(line.source)
        ends = (sides.get(line.source), sides.get(line.target))
        if path == owner(line.target) and ends == (EAST, WEST) and line.target in places:
            loops.setdefault(path, []).append(number)
    for numbers in loops.values():
        numbers.sort(key=lambda number: -places[lines[number].target])
    return loops


def room_below(loops: Mapping[str, Sequence[int]], path: str) -> float:
    """The height of the loops of a block below its name."""
    return _APART * len(loops.get(path, ()))


def ways(
    numbers: Sequence[int], lines: Sequence[Line], pins: Mapping[str, Point], low: float
) -> list[list[Point]]:
    """The corners of the loops of one block, below the name that ends at `low`."""
    corners = []
    for rank, number in enumerate(numbers):
        (x, y), (to_x, to_y) = pins[lines[number].source], pins[lines[number].target]
        beside = _BESIDE + _FURTHER * rank
        below = low + _APART * (rank + 1) - 2
        right, left = x + beside, to_x - beside
        corners.append([(x, y), (right, y), (right, below), (left, below), (left, to_y), (to_x, to_y)])
    return corners
