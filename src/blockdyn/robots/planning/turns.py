"""Turns: angles of arcs and the circles at both ends of a curve, for compiled code.

Lengths are in turning radii. The start is the origin, its heading +x, so its left circle has the centre
(0, 1). The goal is (x, y, phi). Where cos(phi) would be subtracted from 1, 2 sin^2(phi / 2) stands instead:
curves between poses that are almost the same keep their digits.
"""

from __future__ import annotations

from math import floor, pi, sin

TURN = 2.0 * pi
ROUNDING = 1e-14  # rad: angles of arcs are sums of a few angles, each up to pi, and are known no better


def wrapped(angle: float) -> float:
    """The same direction in [-pi, pi]."""
    if -pi <= angle <= pi:
        return angle
    return angle - TURN * floor(angle / TURN + 0.5)


def arc(angle: float) -> float:
    """The same direction in [0, 2 pi): what is less than 0 by rounding is 0, not a full turn."""
    angle -= TURN * floor(angle / TURN)
    return 0.0 if angle > TURN - ROUNDING else angle


def to_left_circle(x: float, y: float, phi: float) -> tuple[float, float]:
    """From the centre of the left circle at the start to that of the left circle at the goal."""
    half = sin(0.5 * phi)
    return x - sin(phi), y - 2.0 * half * half


def to_right_circle(x: float, y: float, phi: float) -> tuple[float, float, float]:
    """From the left circle at the start to the right one at the goal, and the square of this less 4.

    Circles on two sides touch where that is 0.
    """
    half = sin(0.5 * phi)
    across, rise = x + sin(phi), y + 2.0 * half * half
    return across, rise - 2.0, across * across + rise * (rise - 4.0)
