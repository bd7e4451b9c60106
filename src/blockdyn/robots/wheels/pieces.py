"""Planar paths consist of lines and arcs, each a row of numbers; splines become tangent arcs.

A row is x, y, heading, curvature, 1/m, positive to the left, and length, m, of one piece, as a point
traverses it, and 1 or -1 if a vehicle drives it forwards or backwards. Arcs turn by a quarter of a circle
at most.
"""

from __future__ import annotations

from itertools import pairwise
from math import asin, atan2, ceil, cos, hypot, pi, sin, sqrt

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InvalidRobot
from ..model.poses import Array
from .motion import arc_end


def pieces_through(waypoints: ArrayLike, place: str) -> Array:
    """Lines between consecutive points, (k, 2), m: (k - 1, 6). Raises InvalidRobot."""
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


def pieces_of_arcs(start: object, arcs: object, place: str) -> Array:
    """Arcs and lines in sequence from a pose x, y, heading: rows of length, m, and curvature, 1/m.

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
    """The nearest position on an extended piece to a point: s, m, and the point's distance to its left, m."""
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
    """The last position along a piece, extended, at a distance from a point: s, m.

    The nearest s if no position is at this distance.
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


BETWEEN = np.linspace(0.0, 1.0, 9)[1:-1]  # parameters at which a part of the spline is compared with its arcs
HALVINGS = 12  # of the spline between two points, at most


def spline_arcs(points: object, place: str, *, closed: bool, tolerance: float) -> tuple[Array, Array]:
    """The starting pose, (3,), and rows of a length, m, and a curvature, 1/m, (n, 2).

    The spline is parametrized by the lengths of the chords, with curvature 0 at both ends, or, if
    `closed`, with continuous first and second derivatives at its start. Two arcs with the tangents at both
    ends replace each part; parts are halved until all arcs are within the `tolerance`, m.
    Raises InvalidRobot. Source: Meek, Walton, Approximating Smooth Planar Curves by Arc Splines, Journal of
    Computational and Applied Mathematics 59(2), 1995, 221-231, doi:10.1016/0377-0427(94)00029-Z.
    """
    from scipy.interpolate import CubicSpline

    rows = np.asarray(points, np.float64)
    if rows.ndim != 2 or rows.shape[1] != 2 or len(rows) < (3 if closed else 2):
        least = "three or more rows x, y, to be closed" if closed else "two or more rows x, y"
        raise InvalidRobot(place, f"found the shape {rows.shape}", least)
    if closed and (rows[0] != rows[-1]).any():
        rows = np.vstack([rows, rows[:1]])
    chords = np.hypot(*np.diff(rows, axis=0).T)
    if not (chords > 0.0).all():
        i = int(np.argmin(chords > 0.0))
        actual = f"the points {i + 1} and {i + 2} are both ({rows[i, 0]:g}, {rows[i, 1]:g})"
        raise InvalidRobot(place, actual, "points that differ from the one before")
    knots = np.concatenate([[0.0], np.cumsum(chords)])
    curve = CubicSpline(knots, rows, bc_type="periodic" if closed else "natural")
    slope = curve.derivative()

    arcs: list[list[float]] = []
    todo = [(a, b, 0) for a, b in pairwise(knots)][::-1]
    while todo:
        a, b, depth = todo.pop()
        ends, tangents = curve([a, b]), slope([a, b])
        sizes = np.hypot(*tangents.T)
        pair = biarc(ends, tangents / sizes[:, None]) if sizes.all() else None
        if pair is not None and _error(curve(a + (b - a) * BETWEEN), ends, tangents, pair) <= tolerance:
            arcs += pair
        elif depth < HALVINGS:
            middle = 0.5 * (a + b)
            todo += [(middle, b, depth + 1), (a, middle, depth + 1)]
        else:
            x, y = ends[0]
            actual = f"the spline turns too sharply near ({x:g}, {y:g}) for arcs within {tolerance:g} m"
            raise InvalidRobot(place, actual, "points at greater distances there, or a greater tolerance")
    dx, dy = slope(0.0)
    return np.array([*rows[0], atan2(dy, dx)]), np.array(arcs)


def biarc(ends: Array, tangents: Array) -> list[list[float]] | None:
    """Two arcs from end to end, (2, 2), tangent to unit vectors, (2, 2): rows of length and curvature.

    Their junction has the same distance along both tangents. None if an arc would be a half circle.
    """
    chord, both = ends[1] - ends[0], tangents.sum(axis=0)
    square, along, spread = chord @ chord, chord @ both, 4.0 - both @ both  # 4 - both^2 = 2 (1 - t0 t1)
    root = along + np.sqrt(along * along + spread * square)
    if not root > 0.0:
        return None
    reach = square / root  # from both ends to the corners; the root of spread r^2 + 2 along r = square
    junction = 0.5 * (ends[0] + ends[1] + reach * (tangents[0] - tangents[1]))
    rows = []
    for begin, end, tangent, way in (
        (ends[0], junction, tangents[0], 1.0),
        (junction, ends[1], tangents[1], -1.0),
    ):
        step = end - begin
        size = hypot(*step)
        angle = way * atan2(tangent[0] * step[1] - tangent[1] * step[0], tangent @ step)
        if not size > 0.0 or abs(angle) > 0.5 * np.pi:
            return None
        rows.append([size / float(np.sinc(angle / np.pi)), 2.0 * np.sin(angle) / size])
    return rows


def _error(between: Array, ends: Array, tangents: Array, pair: list[list[float]]) -> float:
    """The greatest distance of points of the spline from the two arcs, m."""
    (x, y), (dx, dy) = ends[0], tangents[0]
    first = np.array([x, y, atan2(dy, dx), pair[0][1], pair[0][0]])
    (x, y), (dx, dy) = ends[1], -tangents[1]
    second = np.array([x, y, atan2(dy, dx), -pair[1][1], pair[1][0]])  # driven from its end
    apart = 0.0
    for px, py in between:
        s, left = foot(first, px, py)
        apart = max(apart, abs(left) if s <= first[4] else abs(foot(second, px, py)[1]))
    return apart
