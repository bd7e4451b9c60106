"""The 48 words of Reeds and Shepp, for compiled code: twelve, each driven forwards or backwards, or mirrored.

A word is solved by the vector Z between the centres of its first and last circle, as a complex number. With
t the first arc, its absolute value depends on the segments in the middle alone, and gives their length; its
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

from math import atan2, cos, inf, pi, sin, sqrt

import numpy as np
from numpy.typing import NDArray

from .turns import ROUNDING, arc, to_left_circle, to_right_circle, wrapped

Array = NDArray[np.float64]

WORDS = ("LSL", "LSR", "LRL", "LRLR", "LRSL", "LRSR", "LSLR", "LSRL", "LRSLR")
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
        offer(best, 2 + mirror, way, arc(t), -2.0 * half, wrapped(phi - t - 2.0 * half), 0.0, 0.0)
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
        c, s, phi = cos(starts[k, 2]), sin(starts[k, 2]), wrapped(goals[k, 2] - starts[k, 2])
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
