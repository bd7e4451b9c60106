"""Junctions mark with a dot the points at which wires of one output part."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

from .marks import Point
from .sketch import Line

_NEAR = 0.3  # px: lines at this distance, from ELK's rounding, are one


def junctions(wires: Sequence[tuple[Line, Sequence[Point]]]) -> Iterator[tuple[Line, Point]]:
    """The points where the wires of one output continue in three directions or four, each with one of the
    wires; one that is pale only where all are that meet there.
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
