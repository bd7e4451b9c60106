"""Pieces: a path in the plane as lines and arcs, each a row of numbers.

A row is x, y, heading, curvature, 1/m, positive to the left, and length, m, of one piece, as a point goes
along it, and 1 or -1 where a vehicle is to drive it forwards or backwards. Arcs turn by a quarter of a circle
at most.
"""

from __future__ import annotations

from math import asin, atan2, ceil, cos, hypot, pi, sin, sqrt
from typing import Any

import numpy as np

from ..errors import InvalidRobot
from ..model.poses import Array
from .arcs import arc_end


def pieces_through(waypoints: Any, place: str) -> Array:
    """Lines from point to point, (k, 2), m: (k - 1, 6). Raises InvalidRobot."""
    points = np.asarray(waypoints, np.float64)
    if points.ndim != 2 or points.shape[1] != 2 or len(points) < 2:
        raise InvalidRobot(place, f"found the shape {points.shape}", "two or more rows x, y")
    steps = np.diff(points, axis=0)
    lengths = np.hypot(steps[:, 0], steps[:, 1])
    if not (lengths > 0.0).all():
        i = int(np.argmin(lengths > 0.0))
        x, y = points[i]
        expected = "points that differ from the one before: between equal points a path has no direction"
        raise InvalidRobot(place, f"the points {i + 1} and {i + 2} are both ({x:g}, {y:g})", expected)
    headings = np.arctan2(steps[:, 1], steps[:, 0])
    return np.column_stack([points[:-1], headings, np.zeros(len(steps)), lengths, np.ones(len(steps))])


def pieces_of_arcs(start: Any, arcs: Any, place: str) -> Array:
    """Arcs and lines from a pose x, y, heading, one after the other: rows of length, m, and curvature, 1/m.

    Lengths below 0 are driven backwards: a point on such a piece goes against the heading of the vehicle.
    Raises InvalidRobot.
    """
    rows, pose = np.asarray(arcs, np.float64), np.asarray(start, np.float64)
    if pose.shape != (3,):
        raise InvalidRobot("start", f"found the shape {pose.shape}", "x, y, heading")
    if rows.ndim != 2 or rows.shape[1] != 2 or len(rows) < 1:
        raise InvalidRobot(place, f"found the shape {rows.shape}", "rows of a length and a curvature")
    if not rows[:, 0].all():
        i = int(np.argmin(np.abs(rows[:, 0])))
        raise InvalidRobot(place, f"the length of row {i + 1} is 0 m", "a length, below 0 to drive backwards")
    x, y, heading = map(float, pose)
    pieces = []
    for length, curvature in rows:
        count = max(1, ceil(abs(length * curvature) / (pi / 2) - 1e-12))
        for _ in range(count):
            part = length / count
            way = 1.0 if length > 0.0 else -1.0
            pieces.append([x, y, heading + (0.0 if way > 0.0 else pi), way * curvature, abs(part), way])
            dx, dy = arc_end(part, 0.0, part * curvature, heading)
            x, y, heading = x + dx, y + dy, heading + part * curvature
    return np.array(pieces)


def point(piece: Array, s: float) -> tuple[float, float]:
    """The point of a piece at s, m, from its start."""
    x, y = arc_end(s, 0.0, s * piece[3], piece[2])
    return piece[0] + x, piece[1] + y


def foot(piece: Array, x: float, y: float) -> tuple[float, float]:
    """Where a piece, drawn on, is nearest to a point: s, m, and how far the point is to its left, m."""
    c, sn = cos(piece[2]), sin(piece[2])
    along, left = c * (x - piece[0]) + sn * (y - piece[1]), c * (y - piece[1]) - sn * (x - piece[0])
    curvature = piece[3]
    if curvature == 0.0:
        return along, left
    radius, way = 1.0 / abs(curvature), 1.0 if curvature > 0.0 else -1.0
    inwards = way * left  # the centre is at (0, way radius)
    away = hypot(along, radius - inwards)
    inside = (2.0 * radius * inwards - inwards * inwards - along * along) / (radius + away)
    return atan2(along, radius - inwards) * radius, way * inside


def last_at(piece: Array, x: float, y: float, distance: float) -> float:
    """Where the path, drawn on from a piece, is at a distance from a point for the last time: s, m.

    The nearest s where it is so nowhere.
    """
    s, left = foot(piece, x, y)
    if abs(left) >= distance:
        return s
    if piece[3] == 0.0:
        return s + sqrt(distance * distance - left * left)
    radius = 1.0 / abs(piece[3])
    away = radius - abs(left) if left * piece[3] > 0.0 else radius + abs(left)  # from the centre
    # distance^2 = left^2 + 4 away radius sin(angle/2)^2
    half = sqrt((distance * distance - left * left) / (4.0 * away * radius)) if away > 0.0 else 1.0
    return s + 2.0 * radius * asin(min(1.0, half))  # type: ignore[no-any-return]
