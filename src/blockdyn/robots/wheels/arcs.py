"""Arcs: motion in the plane on circles and lines, as fast as one likes."""

from __future__ import annotations

import math

NEAR = 0.05  # rad: below it the series, whose first term left out is 1e-17 of the sum


def arc(turn: float) -> tuple[float, float]:
    """The chord of an arc of length 1 that turns by `turn`, forwards and to the left.

        a = sin(turn)/turn,   b = (1 - cos(turn))/turn

    A point that moves by (s, n) in its own axes while these turn by `turn`, in constant proportions, is then
    at (s a - n b, s b + n a): the exponential map of SE(2). Source: Lynch, Park, Modern Robotics (2017),
    section 13.3.1.
    """
    square = turn * turn
    if square < NEAR * NEAR:
        a = 1.0 - square / 6.0 * (1.0 - square / 20.0 * (1.0 - square / 42.0))
        b = 0.5 * turn * (1.0 - square / 12.0 * (1.0 - square / 30.0 * (1.0 - square / 56.0)))
        return a, b
    half = math.sin(0.5 * turn)
    return math.sin(turn) / turn, 2.0 * half * half / turn


def arc_end(s: float, n: float, turn: float, heading: float) -> tuple[float, float]:
    """Where a motion by (s, n) in its own axes ends that turns by `turn`, begun with that heading."""
    a, b = arc(turn)
    along, across = s * a - n * b, s * b + n * a
    cosine, sine = math.cos(heading), math.sin(heading)
    return cosine * along - sine * across, sine * along + cosine * across
