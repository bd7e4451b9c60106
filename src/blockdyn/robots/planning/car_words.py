"""The words of Dubins and of Reeds and Shepp in compiled code: shortest sequences of arcs and lines.

Lengths are in turning radii. The start is the origin, its heading +x, so its left circle has the centre
(0, 1). The goal is (x, y, phi). 1 - cos(phi) is computed as 2 sin^2(phi / 2),
so curves between almost equal poses stay accurate.

A word follows from the vector between the centres of its first and last circle: the angle at the first circle
is the direction of that vector turned by an angle of a right triangle with known sides. Angles and sides of a
triangle come from the same numbers, so the curve ends at the goal even if the triangle is almost flat.

A word is solved by the vector Z between the centres of its first and last circle, as a complex number. With
t the first arc, its absolute value depends only on the middle segments, and gives their length; its
direction then gives t, and the heading at the goal the last arc.

    L+ S+ L+     Z = p e^(it)                        L+ S+ R+     Z = (p - 2i) e^(it)
    L+ R- L      Z = -4 sin(p/2) e^(i(t + p/2))      L+ R+ L-     Z = 4 sin(p/2) e^(i(t - p/2))
    L+ R+ L- R-  Z = 2i (1 - 2 cos p) e^(i(t - p))   L+ R- L- R+  Z = -2i (2 - e^(ip)) e^(it)
    L+ R- S- L-  Z = -(2 + i(2 + p)) e^(it)          L+ R- S- R-  Z = -i (2 + p) e^(it)
    L+ S+ L+ R-  Z = (2 + p) e^(it)                  L+ S+ R+ L-  Z = (2 + p - 2i) e^(it)
    L+ R- S- L- R+   Z = -(2 + i(4 + p)) e^(it)

Arcs next to a straight line are pi/2 in words of more than three segments.
"""

from __future__ import annotations

from math import atan2, cos, floor, inf, pi, sin, sqrt

import numpy as np
from numpy.typing import NDArray

TURN = 2.0 * pi
ROUNDING = 1e-14  # rad: accuracy of an arc, a sum of a few angles of up to pi


def wrap_angle(angle: float) -> float:
    """The direction in [-pi, pi]."""
    if -pi <= angle <= pi:
        return angle
    return angle - TURN * floor(angle / TURN + 0.5)


def arc(angle: float) -> float:
    """The direction in [0, 2 pi): an angle below 0 by rounding is 0, not a full turn."""
    angle -= TURN * floor(angle / TURN)
    return 0.0 if angle > TURN - ROUNDING else angle


def to_left_circle(x: float, y: float, phi: float) -> tuple[float, float]:
    """The vector between the centres of the left circles at the start and at the goal."""
    half = sin(0.5 * phi)
    return x - sin(phi), y - 2.0 * half * half


def to_right_circle(x: float, y: float, phi: float) -> tuple[float, float, float]:
    """The vector from the left circle at the start to the right one at the goal, and its square minus 4.

    Circles on opposite sides touch if the latter is 0.
    """
    half = sin(0.5 * phi)
    across, rise = x + sin(phi), y + 2.0 * half * half
    return across, rise - 2.0, across * across + rise * (rise - 4.0)


Array = NDArray[np.float64]

DUBINS = ("LSL", "LSR", "LRL")

Word = tuple[float, int, float, float, float]
"""The length, the index in WORDS, and the lengths of the three segments, in turning radii."""


def shortest_from_left(x: float, y: float, phi: float) -> Word:
    """The shortest of the three words that begin with a left turn."""
    across, along = to_left_circle(x, y, phi)
    distance, direction = sqrt(across * across + along * along), atan2(along, across)
    t, q = arc(direction), arc(phi - direction)
    best = t + distance + q, 0, t, distance, q
    if distance <= 4.0:
        # the middle circle touches both others and turns by more than pi; the three centres form a triangle
        corner = atan2(sqrt((4.0 - distance) * (4.0 + distance)), distance)
        t, p, q = (
            arc(direction + corner + 0.5 * pi),
            pi + 2.0 * corner,
            arc(phi - direction + corner + 0.5 * pi),
        )
        if t + p + q < best[0]:
            best = t + p + q, 2, t, p, q
    across, along, excess = to_right_circle(x, y, phi)
    if excess > -ROUNDING:
        p = sqrt(max(excess, 0.0))
        t = arc(atan2(along, across) + atan2(2.0, p))
        q = arc(t - phi)
        if t + p + q < best[0]:
            best = t + p + q, 1, t, p, q
    return best


def dubins_rows(starts: Array, goals: Array, radius: float, rows: Array) -> int:
    """Fill rows (n, 4): the word, from 3 on the mirror images, and its three lengths, in turning radii."""
    for k in range(rows.shape[0]):
        dx, dy = (goals[k, 0] - starts[k, 0]) / radius, (goals[k, 1] - starts[k, 1]) / radius
        c, s, phi = cos(starts[k, 2]), sin(starts[k, 2]), wrap_angle(goals[k, 2] - starts[k, 2])
        x, y = c * dx + s * dy, c * dy - s * dx
        left = shortest_from_left(x, y, phi)
        right = shortest_from_left(x, -y, -phi)
        if left[0] <= right[0]:
            rows[k, 0], rows[k, 1], rows[k, 2], rows[k, 3] = left[1], left[2], left[3], left[4]
        else:
            rows[k, 0], rows[k, 1], rows[k, 2], rows[k, 3] = 3 + right[1], right[2], right[3], right[4]
    return 0


REEDS_SHEPP = ("LSL", "LSR", "LRL", "LRLR", "LRSL", "LRSR", "LSLR", "LSRL", "LRSLR")
QUARTER = 0.5 * pi


def offer(best: Array, word: int, way: float, a: float, b: float, c: float, d: float, e: float) -> None:
    """Keep a shorter word in best (7,): length, word, signed lengths; way -1 drives it backwards."""
    length = abs(a) + abs(b) + abs(c) + abs(d) + abs(e)
    if length < best[0]:
        best[0], best[1] = length, word
        best[2], best[3], best[4], best[5], best[6] = way * a, way * b, way * c, way * d, way * e


def between_left_circles(best: Array, mirror: int, way: float, x: float, y: float, phi: float) -> None:
    """Offer the words that begin and end on a left circle, forwards at first."""
    across, along = to_left_circle(x, y, phi)
    distance, direction = sqrt(across * across + along * along), atan2(along, across)
    offer(best, mirror, way, arc(direction), distance, arc(phi - direction), 0.0, 0.0)
    if distance <= 4.0:
        half = atan2(distance, sqrt((4.0 - distance) * (4.0 + distance)))
        t = direction + pi - half
        offer(best, 2 + mirror, way, arc(t), -2.0 * half, wrap_angle(phi - t - 2.0 * half), 0.0, 0.0)
        t = direction + half
        offer(best, 2 + mirror, way, arc(t), 2.0 * half, -arc(t - phi - 2.0 * half), 0.0, 0.0)
    side = sqrt(max((distance - 2.0) * (distance + 2.0), 0.0))
    if side >= 2.0 - ROUNDING:
        p = max(side - 2.0, 0.0)
        t = direction - pi - atan2(side, 2.0)
        offer(best, 4 + mirror, way, arc(t), -QUARTER, -p, -arc(t + QUARTER - phi), 0.0)
        t = direction + atan2(2.0, side)
        offer(best, 7 + mirror, way, arc(t), p, QUARTER, -arc(t - QUARTER - phi), 0.0)


def to_the_right_circle(best: Array, mirror: int, way: float, x: float, y: float, phi: float) -> None:
    """Offer the words that begin on a left circle and end on a right one, forwards at first."""
    across, along, excess = to_right_circle(x, y, phi)
    distance, direction = sqrt(across * across + along * along), atan2(along, across)
    side = sqrt(max(excess, 0.0))
    if excess > -ROUNDING:
        t = direction + atan2(2.0, side)
        offer(best, 1 + mirror, way, arc(t), side, arc(t - phi), 0.0, 0.0)
        p = max(distance - 2.0, 0.0)
        t = direction + QUARTER
        offer(best, 5 + mirror, way, arc(t), -QUARTER, -p, -arc(phi - t - QUARTER), 0.0)
        offer(best, 6 + mirror, way, arc(direction), p, QUARTER, -arc(phi - direction - QUARTER), 0.0)
    if excess < ROUNDING:
        p = 2.0 * atan2(sqrt(max(-excess, 0.0)), sqrt(excess + 8.0 * (2.0 + distance)))
        t = direction + QUARTER + p
        offer(best, 3 + mirror, way, arc(t), p, -p, -arc(phi - t + 2.0 * p), 0.0)
    if -ROUNDING < excess <= 16.0:
        p = 2.0 * atan2(side, sqrt(32.0 - excess))
        t = direction + QUARTER + atan2(sin(p), 2.0 - cos(p))
        offer(best, 3 + mirror, way, arc(t), -p, -p, arc(t - phi), 0.0)
    if side >= 4.0 - ROUNDING:
        t = direction - pi - atan2(side, 2.0)
        offer(best, 8 + mirror, way, arc(t), -QUARTER, -max(side - 4.0, 0.0), -QUARTER, arc(t - phi))


def reeds_shepp_rows(starts: Array, goals: Array, radius: float, best: Array, rows: Array) -> int:
    """Fill rows (n, 6): the word, from 9 on the mirror images, and five signed lengths, in turning radii.

    best (7,) is scratch.
    """
    for k in range(rows.shape[0]):
        dx, dy = (goals[k, 0] - starts[k, 0]) / radius, (goals[k, 1] - starts[k, 1]) / radius
        c, s, phi = cos(starts[k, 2]), sin(starts[k, 2]), wrap_angle(goals[k, 2] - starts[k, 2])
        x, y = c * dx + s * dy, c * dy - s * dx
        best[0] = best[2] = inf
        best[1] = 0.0
        for variant in range(4):
            way, side = 1.0 - 2.0 * (variant % 2), 1.0 - 2.0 * (variant // 2)
            mirror = 9 * (variant // 2)
            between_left_circles(best, mirror, way, way * x, side * y, way * side * phi)
            to_the_right_circle(best, mirror, way, way * x, side * y, way * side * phi)
        for i in range(6):
            rows[k, i] = best[1 + i]
    return 0
