"""Curves of sines, for compiled code: position and yaw with their derivatives, from those of the phase."""

from __future__ import annotations

from math import atan2, cos, sin

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

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


def slopes(waves: Array, i: int, u: float) -> tuple[float, float, float, float, float]:
    """Coordinate i and its derivatives by the phase."""
    n, angle = waves[i, 3], waves[i, 3] * u + waves[i, 4]
    s, c = waves[i, 2] * sin(angle), waves[i, 2] * cos(angle)
    return (
        waves[i, 0] + waves[i, 1] * u + s, waves[i, 1] + n * c,
        -n * n * s, -n * n * n * c, n * n * n * n * s,
    )  # fmt: skip


# The chain rule up to the fourth derivative (Faa di Bruno).


def curve_position(waves: Array, row: Array, t: float, out: Array) -> None:
    """The position, m."""
    u, _, _, _, _ = phase_at(row, t)
    for i in range(3):
        out[i] = slopes(waves, i, u)[0]


def curve_velocity(waves: Array, row: Array, t: float, out: Array) -> None:
    """Its first derivative."""
    u, u1, _, _, _ = phase_at(row, t)
    for i in range(3):
        out[i] = slopes(waves, i, u)[1] * u1


def curve_acceleration(waves: Array, row: Array, t: float, out: Array) -> None:
    """Its second derivative."""
    u, u1, u2, _, _ = phase_at(row, t)
    for i in range(3):
        _, f1, f2, _, _ = slopes(waves, i, u)
        out[i] = f2 * u1 * u1 + f1 * u2


def curve_jerk(waves: Array, row: Array, t: float, out: Array) -> None:
    """Its third derivative."""
    u, u1, u2, u3, _ = phase_at(row, t)
    for i in range(3):
        _, f1, f2, f3, _ = slopes(waves, i, u)
        out[i] = f3 * u1 * u1 * u1 + 3.0 * f2 * u1 * u2 + f1 * u3


def curve_snap(waves: Array, row: Array, t: float, out: Array) -> None:
    """Its fourth derivative."""
    u, u1, u2, u3, u4 = phase_at(row, t)
    for i in range(3):
        _, f1, f2, f3, f4 = slopes(waves, i, u)
        out[i] = f4 * u1 * u1 * u1 * u1 + 6.0 * f3 * u1 * u1 * u2
        out[i] += f2 * (3.0 * u2 * u2 + 4.0 * u1 * u3) + f1 * u4


def curve_yaw(waves: Array, facing: Array, row: Array, t: float) -> float:
    """The yaw, rad."""
    if facing[1] == 0.0:
        return facing[0]  # type: ignore[no-any-return]
    u, _, _, _, _ = phase_at(row, t)
    return facing[0] + atan2(facing[1] * slopes(waves, 1, u)[1], facing[1] * slopes(waves, 0, u)[1])  # type: ignore[no-any-return]


def bends(waves: Array, facing: Array, u: float) -> tuple[float, float]:
    """How the direction of the curve turns with the phase, and the derivative of that."""
    if facing[1] == 0.0:
        return 0.0, 0.0
    _, x1, x2, x3, _ = slopes(waves, 0, u)
    _, y1, y2, y3, _ = slopes(waves, 1, u)
    square = max(x1 * x1 + y1 * y1, STILL)
    turn = (x1 * y2 - y1 * x2) / square
    return turn, (x1 * y3 - y1 * x3) / square - 2.0 * turn * (x1 * x2 + y1 * y2) / square


def curve_yaw_rate(waves: Array, facing: Array, row: Array, t: float) -> float:
    """The rate of the yaw, rad/s."""
    u, u1, _, _, _ = phase_at(row, t)
    return bends(waves, facing, u)[0] * u1


def curve_yaw_acceleration(waves: Array, facing: Array, row: Array, t: float) -> float:
    """The rate of the yaw rate, rad/s2."""
    u, u1, u2, _, _ = phase_at(row, t)
    turn, turn1 = bends(waves, facing, u)
    return turn1 * u1 * u1 + turn * u2


def along_curve(waves: Array, facing: Array, rows: Array, times: Array, vectors: Array, angles: Array) -> int:
    """Fill vectors (k, 5, 3), angles (k, 3) at the instants `times` (k,), whose phases are `rows` (k, 10)."""
    for k in range(times.size):
        row, t = rows[k], times[k]
        curve_position(waves, row, t, vectors[k, 0])
        curve_velocity(waves, row, t, vectors[k, 1])
        curve_acceleration(waves, row, t, vectors[k, 2])
        curve_jerk(waves, row, t, vectors[k, 3])
        curve_snap(waves, row, t, vectors[k, 4])
        angles[k, 0] = curve_yaw(waves, facing, row, t)
        angles[k, 1] = curve_yaw_rate(waves, facing, row, t)
        angles[k, 2] = curve_yaw_acceleration(waves, facing, row, t)
    return times.size
