"""Spline arcs: a cubic spline through points in the plane, as arcs that are tangent to each other."""

from __future__ import annotations

from itertools import pairwise
from math import atan2, hypot
from typing import Any

import numpy as np

from ..errors import InvalidRobot
from ..model.poses import Array
from .pieces import foot

BETWEEN = np.linspace(0.0, 1.0, 9)[1:-1]  # where a piece of the spline is compared with its arcs
HALVINGS = 12  # of the spline between two points, at most


def spline_arcs(points: Any, place: str, *, closed: bool, tolerance: float) -> tuple[Array, Array]:
    """The pose at which it begins, (3,), and rows of a length, m, and a curvature, 1/m, (n, 2).

    The spline is parametrized by the lengths of the chords, with curvature 0 at both ends, or, where it is
    `closed`, with all derivatives to the second where it meets its start. Each part of it is replaced by two
    arcs with its tangents at both ends, and halved until all arcs are within the `tolerance`, m, of it.
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
        told = f"the points {i + 1} and {i + 2} are both ({rows[i, 0]:g}, {rows[i, 1]:g})"
        raise InvalidRobot(place, told, "points that differ from the one before")
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
            told = f"the spline turns too sharply near ({x:g}, {y:g}) for arcs within {tolerance:g} m"
            raise InvalidRobot(place, told, "points that lie farther apart there, or a greater tolerance")
    dx, dy = slope(0.0)
    return np.array([*rows[0], atan2(dy, dx)]), np.array(arcs)


def biarc(ends: Array, tangents: Array) -> list[list[float]] | None:
    """Two arcs from end to end, (2, 2), tangent to unit vectors, (2, 2): rows of length and curvature.

    Their junction has the same distance along both tangents. None where an arc would turn by a half circle.
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
