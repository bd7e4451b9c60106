"""The six words of Dubins, for compiled code: LSL, LSR, LRL and their mirror images RSR, RSL, RLR.

Each follows from the vector between the centres of its first and last circle: the angle at the first circle
is the direction of that vector turned by an angle of a right triangle whose sides are known. Angles and sides
of one triangle come from the same numbers, so that the curve ends at the goal also where the triangle is
almost flat.
"""

from __future__ import annotations

from math import atan2, cos, pi, sin, sqrt

import numpy as np
from numpy.typing import NDArray

from .turns import ROUNDING, arc, to_left_circle, to_right_circle, wrapped

Array = NDArray[np.float64]

WORDS = ("LSL", "LSR", "LRL")

Word = tuple[float, int, float, float, float]
"""The length, which of WORDS, and the lengths of the three segments, in turning radii."""


def shortest_from_left(x: float, y: float, phi: float) -> Word:
    """The shortest of the three words that begin with a left turn."""
    across, along = to_left_circle(x, y, phi)
    distance, direction = sqrt(across * across + along * along), atan2(along, across)
    t, q = arc(direction), arc(phi - direction)
    best = t + distance + q, 0, t, distance, q
    if distance <= 4.0:
        # the middle circle touches both at the longer side of the triangle of the three centres
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
        c, s, phi = cos(starts[k, 2]), sin(starts[k, 2]), wrapped(goals[k, 2] - starts[k, 2])
        x, y = c * dx + s * dy, c * dy - s * dx
        left = shortest_from_left(x, y, phi)
        right = shortest_from_left(x, -y, -phi)
        if left[0] <= right[0]:
            rows[k, 0], rows[k, 1], rows[k, 2], rows[k, 3] = left[1], left[2], left[3], left[4]
        else:
            rows[k, 0], rows[k, 1], rows[k, 2], rows[k, 3] = 3 + right[1], right[2], right[3], right[4]
    return 0
