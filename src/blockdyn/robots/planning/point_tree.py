"""A k-d tree of points in the plane that grows point by point, for compiled code.

`points` (n, 2); `below` (n, 2) are a point's two children, -1 where there is none; `axis` (n,) says which
coordinate parts them. Bentley, Communications of the ACM 18(9), 1975, 509-517, doi:10.1145/361002.361007.
"""

from __future__ import annotations

from typing import Any


def add_point(points: Any, below: Any, axis: Any, new: int) -> None:
    """Hang a point of the list in; point 0 is the root."""
    below[new, 0] = below[new, 1] = -1
    axis[new] = 0
    node = 0
    while new > 0:
        side = 1 if points[new, axis[node]] >= points[node, axis[node]] else 0
        if below[node, side] < 0:
            below[node, side] = new
            axis[new] = 1 - axis[node]
            break
        node = below[node, side]


def nearest_point(
    points: Any, below: Any, axis: Any, x: float, y: float, stack: Any, bounds: Any
) -> int:  # fmt: skip
    """The point nearest to (x, y); `stack` and `bounds` (n,) are scratch."""
    best, least = 0, (points[0, 0] - x) ** 2 + (points[0, 1] - y) ** 2
    stack[0], bounds[0], top = 0, 0.0, 0
    while top >= 0:
        node, bound = stack[top], bounds[top]
        top -= 1
        if bound >= least:
            continue
        while node >= 0:
            dx, dy = x - points[node, 0], y - points[node, 1]
            if dx * dx + dy * dy < least:
                best, least = node, dx * dx + dy * dy
            beyond = dx if axis[node] == 0 else dy
            side = 1 if beyond >= 0.0 else 0
            if below[node, 1 - side] >= 0:
                top += 1
                stack[top], bounds[top] = below[node, 1 - side], beyond * beyond
            node = below[node, side]
    return best


def points_within(
    points: Any, below: Any, axis: Any, x: float, y: float, radius: float, stack: Any, around: Any
) -> int:  # fmt: skip
    """Write the points within a radius of (x, y) into `around`, and give how many there are."""
    count, top = 0, 0
    stack[0] = 0
    while top >= 0:
        node = stack[top]
        top -= 1
        dx, dy = x - points[node, 0], y - points[node, 1]
        if dx * dx + dy * dy <= radius * radius:
            around[count] = node
            count += 1
        beyond = dx if axis[node] == 0 else dy
        for side in range(2):
            if below[node, side] >= 0 and ((side == 1) == (beyond >= 0.0) or abs(beyond) <= radius):
                top += 1
                stack[top] = below[node, side]
    return count
