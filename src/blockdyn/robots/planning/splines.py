"""Splines: cubic splines through points, as paths that a car can drive."""

from __future__ import annotations

from typing import Any

from ...base.checked import guarded
from ..errors import InvalidRobot
from ..wheels.spline_arcs import spline_arcs
from .arc_path import ArcPath
from .arguments import numbers, positive
from .errors import PlanningError, refusal

POINTS = "points x, y of which each differs from the one before, m"


@guarded(refusal)
def spline(points: Any, *, closed: bool = False, tolerance: float = 1e-4) -> ArcPath:
    """Arcs within a tolerance, m, of the cubic spline through points, (k, 2), m.

    The spline has curvature 0 at both ends; if it is `closed`, it continues to its first point and meets its
    start with the same direction and curvature. Each part of it is
    replaced by two arcs with its tangents at both ends. Raises PlanningError. Source: Meek, Walton, Journal
    of Computational and Applied Mathematics 59(2), 1995, 221-231, doi:10.1016/0377-0427(94)00029-Z.
    """
    rows = numbers("points", points, POINTS)
    if rows.ndim != 2 or rows.shape[1] != 2:
        raise PlanningError("points", f"numbers of shape {rows.shape}", POINTS)
    within = positive("tolerance", tolerance, "m")
    try:
        start, arcs = spline_arcs(rows, "points", closed=closed, tolerance=within)
    except InvalidRobot as error:
        raise PlanningError("points", f"a list where {error.actual}", error.expected) from None
    return ArcPath(start, arcs[:, 1].copy(), arcs[:, 0].copy())
