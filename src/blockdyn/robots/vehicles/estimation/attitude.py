"""Attitude and gyroscope bias are estimated from directions by a complementary filter or an EKF."""

from __future__ import annotations

from math import sqrt

from ...lie.kernels.rotation import exp3
from ...mechanics.bodies import Array
from .kalman import Correction, begin, observe, reset, turn

BIAS = 4  # index of the bias in x = (s, x, y, z, bias)
LAST = 7  # index of the gyroscope's last reading


def lean(R: Array, measured: Array, direction: Array, weight: float, towards: Array) -> None:
    """towards += weight v x R' d, v and d of unit length: the rotation from estimate to measurement.

    A vector of length 0 adds nothing.
    """
    square = measured[0] * measured[0] + measured[1] * measured[1] + measured[2] * measured[2]
    direction_square = direction[0] * direction[0] + direction[1] * direction[1] + direction[2] * direction[2]
    if square == 0.0 or direction_square == 0.0:
        return
    k = weight / sqrt(square * direction_square)
    a = R[0, 0] * direction[0] + R[1, 0] * direction[1] + R[2, 0] * direction[2]
    b = R[0, 1] * direction[0] + R[1, 1] * direction[1] + R[2, 1] * direction[2]
    c = R[0, 2] * direction[0] + R[1, 2] * direction[1] + R[2, 2] * direction[2]
    towards[0] += k * (measured[1] * c - measured[2] * b)
    towards[1] += k * (measured[2] * a - measured[0] * c)
    towards[2] += k * (measured[0] * b - measured[1] * a)


def complementary_step(
    x: Array, gyroscope: Array, towards: Array, proportional: float, integral: float, step: float, work: Array
) -> None:
    """One step of dq/dt = q (0, w - b + kP e) / 2, db/dt = -kI e, with e the sum of `lean`.

    Source: Mahony, Hamel, Pflimlin, Nonlinear complementary filters on the special orthogonal group, IEEE
    Transactions on Automatic Control 53(5), 2008, equations 32.
    """
    a = step * (gyroscope[0] - x[BIAS] + proportional * towards[0])
    b = step * (gyroscope[1] - x[BIAS + 1] + proportional * towards[1])
    c = step * (gyroscope[2] - x[BIAS + 2] + proportional * towards[2])
    turn(x, 0, a, b, c, work)
    for i in range(3):
        x[BIAS + i] -= step * integral * towards[i]


def observe_direction(
    c: Correction, P: Array, R: Array, measured: Array, vector: Array, variances: Array
) -> None:
    """A world vector seen in body axes, y = R' vector + noise: with R' = exp(-[e]) R'^, h is [R'^ vector]."""
    a = R[0, 0] * vector[0] + R[1, 0] * vector[1] + R[2, 0] * vector[2]
    b = R[0, 1] * vector[0] + R[1, 1] * vector[1] + R[2, 1] * vector[2]
    d = R[0, 2] * vector[0] + R[1, 2] * vector[1] + R[2, 2] * vector[2]
    observe(c, P, 0, (0.0, -d, b), measured[0] - a, variances[0])
    observe(c, P, 0, (d, 0.0, -a), measured[1] - b, variances[1])
    observe(c, P, 0, (-b, a, 0.0), measured[2] - d, variances[2])


def correct_attitude(c: Correction, x: Array, P: Array, work: Array) -> None:
    """Add the estimated error to attitude and bias, and reset the error to 0."""
    turn(x, 0, c.change[0], c.change[1], c.change[2], work)
    reset(P, 0, c.change[0], c.change[1], c.change[2])
    for i in range(3):
        x[BIAS + i] += c.change[3 + i]
    begin(c)


def advance_attitude(
    x: Array, P: Array, gyroscope: Array, growth: Array, step: float, R: Array, turned: Array, work: Array
) -> None:
    """Attitude and covariance after one step: q <- q exp(w T), P <- F P F' + diag(growth).

        F = | exp(-[w] T)   -T |      w = 3/2 gyroscope - 1/2 its last reading - bias
            |     0          I |

    w is the rate at the middle of the step, from two readings (Adams, Bashforth). Source: Markley,
    Attitude error representations for Kalman filtering, Journal of Guidance, Control, and Dynamics 26(2),
    2003, with the rotation vector as the error.
    """
    remember(x, LAST, gyroscope)
    a = step * (1.5 * gyroscope[0] - 0.5 * x[LAST] - x[BIAS])
    b = step * (1.5 * gyroscope[1] - 0.5 * x[LAST + 1] - x[BIAS + 1])
    c = step * (1.5 * gyroscope[2] - 0.5 * x[LAST + 2] - x[BIAS + 2])
    turn(x, 0, a, b, c, work)
    exp3(a, b, c, R)
    carry(P, R, step, turned)
    carry(turned, R, step, P)
    for i in range(6):
        P[i, i] += growth[i]
    for i in range(3):
        x[LAST + i] = gyroscope[i]


def remember(x: Array, at: int, reading: Array) -> None:
    """Before the first step, use the present reading as the last one; x[-1] is then 1."""
    if x[-1] == 0.0:
        for i in range(reading.shape[0]):
            x[at + i] = reading[i]
        x[-1] = 1.0


def carry(P: Array, R: Array, step: float, turned: Array) -> None:
    """(F P)' of the 6 x 6 F above; twice gives F P F' for symmetric P."""
    for j in range(6):
        for i in range(3):
            part = R[0, i] * P[0, j] + R[1, i] * P[1, j] + R[2, i] * P[2, j]
            turned[j, i] = part - step * P[3 + i, j]
            turned[j, 3 + i] = P[3 + i, j]
