"""Landmarks: range and bearing of a point from a pose, the inverse, derivatives, for compiled code."""

from __future__ import annotations

from math import atan2, cos, hypot, sin

from ..lie.kernels.angles import wrapped
from ..mechanics.work import Array


def range_bearing(pose: Array, x: float, y: float) -> tuple[float, float]:
    """The distance of a point, m, and its direction from the heading, rad, from -pi up to pi."""
    dx, dy = x - pose[0], y - pose[1]
    return hypot(dx, dy), wrapped(atan2(dy, dx) - pose[2])


def range_bearing_slopes(pose: Array, x: float, y: float, H: Array) -> None:
    """H (2, 5): the derivatives of range and bearing by x, y, heading of the pose and x, y of the point.

    The distance must not be 0.
    """
    dx, dy = x - pose[0], y - pose[1]
    square = dx * dx + dy * dy
    r = hypot(dx, dy)
    H[0, 0], H[0, 1], H[0, 2] = -dx / r, -dy / r, 0.0
    H[1, 0], H[1, 1], H[1, 2] = dy / square, -dx / square, -1.0
    H[0, 3], H[0, 4] = dx / r, dy / r
    H[1, 3], H[1, 4] = -dy / square, dx / square


def placed(pose: Array, distance: float, bearing: float) -> tuple[float, float]:
    """The point seen at this range and bearing from a pose."""
    angle = pose[2] + bearing
    return pose[0] + distance * cos(angle), pose[1] + distance * sin(angle)
