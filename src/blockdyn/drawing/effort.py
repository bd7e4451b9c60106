"""Effort of following the wires of a layout, by their corners, crossings and length."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from .marks import Point

_LENGTH = 250.0  # px of wire that are as bad as a corner
_CROSSING = 1.0  # corners that a crossing is as bad as
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
