"""Curves of sines, for compiled code: position and yaw with their derivatives, from those of the phase."""

from __future__ import annotations

from math import atan2, cos, sin

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

Slopes = tuple[float, float, float, float, float]

PHASE_DEGREE = 8
STILL = 1e-300  # a squared length below which a direction is none


def phase_at(row: Array, t: float) -> tuple[float, float, float, float, float]:
    """The phase and its derivatives up to the fourth: of a row (begin, c0 ... c8), at time t."""
    tau = t - row[0]
    u = u1 = u2 = u3 = u4 = 0.0
    for k in range(PHASE_DEGREE, -1, -1):
        # Horner's rule for all derivatives at once: each takes up what the lower one was
        u4 = u4 * tau + u3
        u3 = u3 * tau + u2
        u2 = u2 * tau + u1
        u1 = u1 * tau + u
        u = u * tau + row[1 + k]
    return u, u1, 2.0 * u2, 6.0 * u3, 24.0 * u4


# A row of `waves` (3, 5) is (centre, slope, amplitude, ratio, shift) of a coordinate:
# centre + slope u + amplitude sin(ratio u + shift), of the phase u in rad. `facing` is the yaw, rad, and
# whether it counts from the direction of the curve (1), from against it (-1), or from +x (0).


def slopes(waves: Array, i: int, u: float) -> Slopes:
    """Coordinate i and its derivatives by the phase."""
    n, angle = waves[i, 3], waves[i, 3] * u + waves[i, 4]
    s, c = waves[i, 2] * sin(angle), waves[i, 2] * cos(angle)
    return (
        waves[i, 0] + waves[i, 1] * u + s, waves[i, 1] + n * c,
        -n * n * s, -n * n * n * c, n * n * n * n * s,
    )  # fmt: skip


def bends(facing: Array, x: Slopes, y: Slopes) -> tuple[float, float]:
    """How the direction of the curve turns with the phase, and the derivative of that."""
    if facing[1] == 0.0:
        return 0.0, 0.0
    _, x1, x2, x3, _ = x
    _, y1, y2, y3, _ = y
    square = max(x1 * x1 + y1 * y1, STILL)
    turn = (x1 * y2 - y1 * x2) / square
    return turn, (x1 * y3 - y1 * x3) / square - 2.0 * turn * (x1 * x2 + y1 * y2) / square


def curve_at(
    waves: Array, facing: Array, row: Array, t: float,
    position: Array, velocity: Array, acceleration: Array, jerk: Array, snap: Array,
) -> tuple[float, float, float]:  # fmt: skip
    """Position and its derivatives; returns the yaw, its rate, and the rate of that.

    By the chain rule up to the fourth derivative (Faa di Bruno).
    """
    u, u1, u2, u3, u4 = phase_at(row, t)
    curve = slopes(waves, 0, u), slopes(waves, 1, u), slopes(waves, 2, u)
    for i in range(3):
        f, f1, f2, f3, f4 = curve[i]
        position[i], velocity[i] = f, f1 * u1
        acceleration[i] = f2 * u1 * u1 + f1 * u2
        jerk[i] = f3 * u1 * u1 * u1 + 3.0 * f2 * u1 * u2 + f1 * u3
        snap[i] = f4 * u1 * u1 * u1 * u1 + 6.0 * f3 * u1 * u1 * u2
        snap[i] += f2 * (3.0 * u2 * u2 + 4.0 * u1 * u3) + f1 * u4
    x, y, _ = curve
    yaw = facing[0] if facing[1] == 0.0 else facing[0] + atan2(facing[1] * y[1], facing[1] * x[1])
    turn, turn1 = bends(facing, x, y)
    return yaw, turn * u1, turn1 * u1 * u1 + turn * u2


def along_curve(waves: Array, facing: Array, rows: Array, times: Array, vectors: Array, angles: Array) -> int:
    """Fill vectors (k, 5, 3), angles (k, 3) at the instants `times` (k,), whose phases are `rows` (k, 10)."""
    for k in range(times.size):
        v = vectors[k]
        angles[k, 0], angles[k, 1], angles[k, 2] = curve_at(
            waves, facing, rows[k], times[k], v[0], v[1], v[2], v[3], v[4]
        )
    return times.size
