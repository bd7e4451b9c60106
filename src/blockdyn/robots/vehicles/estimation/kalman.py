"""A Kalman filter processes scalar measurements in sequence, in Joseph's form."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

from ...lie.kernels.quaternion import quaternion_of_vector, quaternion_product
from ...mechanics.bodies import Array

Row = tuple[float, float, float]


class Correction(NamedTuple):
    """Estimate of n errors from the measurements at one time, and scratch arrays."""

    change: Array  # (n,), the error's mean, 0 at first
    gain: Array  # (n,)
    product: Array  # (n,)


def begin(c: Correction) -> None:
    """Reset the estimate to its value before any measurement."""
    for i in range(c.change.shape[0]):
        c.change[i] = 0.0


def observe(c: Correction, P: Array, at: int, h: Row, residual: float, variance: float) -> None:
    """Update with z = h e + noise, e being errors at, at + 1, at + 2: residual is z at the prior.

        K = P h' / s,   s = h P h' + variance,   change += K (residual - h change)
        P <- (I - K h) P (I - K h)' + K variance K'

    in two rank-one updates. Joseph's form stays positive for any rounding of K. Sequential updates with
    uncorrelated measurements equal one joint update.
    Source: Bierman, Factorization Methods for Discrete Sequential Estimation (1977), chapter II.
    """
    n = P.shape[0]
    s, innovation = variance, residual
    for i in range(n):
        c.product[i] = P[i, at] * h[0] + P[i, at + 1] * h[1] + P[i, at + 2] * h[2]
    for k in range(3):
        s += h[k] * c.product[at + k]
        innovation -= h[k] * c.change[at + k]
    for i in range(n):
        c.gain[i] = c.product[i] / s
        c.change[i] += c.gain[i] * innovation
    for i in range(n):
        for j in range(n):
            P[i, j] -= c.gain[i] * c.product[j]
    for i in range(n):
        c.product[i] = P[i, at] * h[0] + P[i, at + 1] * h[1] + P[i, at + 2] * h[2]
    for i in range(n):
        for j in range(i, n):
            P[i, j] += (variance * c.gain[i] - c.product[i]) * c.gain[j]
            P[j, i] = P[i, j]


def turn(q: Array, at: int, x: float, y: float, z: float, work: Array) -> None:
    """q <- q exp(x, y, z), normalised: the quaternion at index `at` rotates in body axes. work is (2, 4)."""
    for k in range(4):
        work[0, k] = q[at + k]
    quaternion_of_vector(x, y, z, work[1])
    quaternion_product(work[0], work[1], work[1])
    square = 0.0
    for k in range(4):
        square += work[1, k] * work[1, k]
    length = sqrt(square)
    for k in range(4):
        q[at + k] = work[1, k] / length


def reset(P: Array, at: int, x: float, y: float, z: float) -> None:
    """P <- G P G', G = I - [(x, y, z) / 2] on the errors of attitude, which refer to the new attitude.

    Source: Sola, Quaternion kinematics for the error-state Kalman filter, arXiv 1711.02508, section 6.3.
    """
    x, y, z = 0.5 * x, 0.5 * y, 0.5 * z
    for j in range(P.shape[0]):
        a, b, d = P[at, j], P[at + 1, j], P[at + 2, j]
        P[at, j] = a - (y * d - z * b)
        P[at + 1, j] = b - (z * a - x * d)
        P[at + 2, j] = d - (x * b - y * a)
    for i in range(P.shape[0]):
        a, b, d = P[i, at], P[i, at + 1], P[i, at + 2]
        P[i, at] = a - (y * d - z * b)
        P[i, at + 1] = b - (z * a - x * d)
        P[i, at + 2] = d - (x * b - y * a)


def due(clock: Array, count: float) -> bool:
    """True if a measurement is new at a tick; clock: ticks between two (0: none), tick of the first."""
    return bool(clock[0] > 0.0 and count >= clock[1] and (count - clock[1]) % clock[0] == 0.0)
