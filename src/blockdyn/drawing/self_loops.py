"""Wires from a block to itself are routed below it, like all feedback, one inside another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from .marks import Point
from .sketch import EAST, WEST, Line, Part, owner

_APART = 9.0  # px from the block's name to the first, and from one to the next
_BESIDE, _FURTHER = 8.0, 4.0  # px from the block to where the first turns, and more for each other


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
    """The height that the loops of a block take below its name."""
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
