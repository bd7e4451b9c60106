"""Odometry: the pose after an increment of distance and heading, and its derivatives, for compiled code."""

from __future__ import annotations

from math import cos, sin

from ..mechanics.work import Array
from ..wheels.arcs import arc

NEAR = 0.05  # rad: below it the series, whose first term left out is 1e-14 of the sum

Gradients = tuple[float, float, float, float, float, float]


def moved(pose: Array, distance: float, turn: float, next_pose: Array) -> None:
    """The pose at the end of an arc of this length, over which the heading turns by `turn`; exact.

    With (a, b) the chord of an arc of length 1,

        x + distance (a cos theta - b sin theta),   y + distance (a sin theta + b cos theta),   theta + turn

    The heading is not wrapped.
    """
    a, b = arc(turn)
    c, s = cos(pose[2]), sin(pose[2])
    next_pose[0] = pose[0] + distance * (a * c - b * s)
    next_pose[1] = pose[1] + distance * (a * s + b * c)
    next_pose[2] = pose[2] + turn


def moved_to(pose: Array, distance: float, turn: float, next_pose: Array) -> tuple[float, float]:
    """The same, and cosine and sine of the heading at the end, where the chord is (a, -b)."""
    a, b = arc(turn)
    theta = pose[2] + turn
    c, s = cos(theta), sin(theta)
    next_pose[0] = pose[0] + distance * (a * c + b * s)
    next_pose[1] = pose[1] + distance * (a * s - b * c)
    next_pose[2] = theta
    return c, s


def arc_slopes(turn: float) -> tuple[float, float]:
    """d/dturn of the chord `arc(turn)`, forwards and to the left."""
    square = turn * turn
    if square < NEAR * NEAR:
        forwards = -turn / 3.0 * (1.0 - square / 10.0 * (1.0 - square / 28.0 * (1.0 - square / 54.0)))
        left = 0.5 - square / 8.0 * (1.0 - square / 18.0 * (1.0 - square / 40.0))
        return forwards, left
    a, b = arc(turn)
    return (cos(turn) - a) / turn, (sin(turn) - b) / turn


def motion_gradients(heading: float, distance: float, turn: float) -> Gradients:
    """dx, dy of `moved`, d(x, y)/d(distance), d(x, y)/d(turn).

    The other derivatives follow: d(x, y)/d(heading) = (-dy, dx), and the heading grows by turn itself.
    """
    a, b = arc(turn)
    da, db = arc_slopes(turn)
    c, s = cos(heading), sin(heading)
    x, y = a * c - b * s, a * s + b * c
    return (
        distance * x, distance * y, x, y, distance * (da * c - db * s), distance * (da * s + db * c)
    )  # fmt: skip
