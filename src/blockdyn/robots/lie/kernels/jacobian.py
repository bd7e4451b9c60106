"""The left Jacobian of SE(3) and its inverse: between a twist and the rates of exponential coordinates."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .angle import cosine_rest, mixed_rest, sine_rest
from .rotation import left_jacobian3, left_jacobian3_inverse

Array = NDArray[np.float64]


def left_jacobian6(V: Array, J: Array) -> None:
    """J with the twist of exp [V], in fixed axes (space), = J(V) dV/dt: [J3, Q; 0, J3], Q by columns.

    Source: Barfoot, State Estimation for Robotics (2017), equation 7.86, order (linear, angular).
    """
    left_jacobian3(V[3], V[4], V[5], J)
    for j in range(3):
        J[0, 3 + j], J[1, 3 + j], J[2, 3 + j] = coupling(V, 1.0 * (j == 0), 1.0 * (j == 1), 1.0 * (j == 2))
    lower_half(J)


def left_jacobian6_inverse(V: Array, J: Array) -> None:
    """J with dV/dt = J(V) twist: the inverse of the former, [K, -K Q K; 0, K] with K that of SO(3)."""
    left_jacobian3_inverse(V[3], V[4], V[5], J)
    for j in range(3):
        c0, c1, c2 = coupling(V, J[0, j], J[1, j], J[2, j])
        for i in range(3):
            J[i, 3 + j] = -(J[i, 0] * c0 + J[i, 1] * c1 + J[i, 2] * c2)
    lower_half(J)


def lower_half(J: Array) -> None:
    """The lower half of a 6x6: zero, and a copy of the upper left."""
    for i in range(3):
        for j in range(3):
            J[3 + i, j] = 0.0
            J[3 + i, 3 + j] = J[i, j]


def coupling(V: Array, u0: float, u1: float, u2: float) -> tuple[float, float, float]:
    """Q u, where Q = [v]/2 + a (WV + VW + WVW) + b (WWV + VWW - 3 WVW) + c (WVWW + WWVW), W = [w], V = [v].

    a, b, c are the rests of sine and cosine and their mixture.
    """
    w0 = V[3]
    w1 = V[4]
    w2 = V[5]
    t = w0 * w0 + w1 * w1 + w2 * w2
    a = sine_rest(t)
    b = cosine_rest(t)
    c = mixed_rest(t)
    # V (1/2 + a W + b W W) u, then W (a V + (a - 3 b) V W + c V W W) u, then W W (b V + c V W) u
    x0, x1, x2 = crossed(w0, w1, w2, u0, u1, u2)
    y0, y1, y2 = crossed(w0, w1, w2, x0, x1, x2)
    p0, p1, p2 = crossed(V[0], V[1], V[2], u0, u1, u2)
    q0, q1, q2 = crossed(V[0], V[1], V[2], x0, x1, x2)
    r0, r1, r2 = crossed(V[0], V[1], V[2], y0, y1, y2)
    d = a - 3.0 * b
    e0, e1, e2 = crossed(
        w0, w1, w2, a * p0 + d * q0 + c * r0, a * p1 + d * q1 + c * r1, a * p2 + d * q2 + c * r2
    )
    f0, f1, f2 = crossed(w0, w1, w2, b * p0 + c * q0, b * p1 + c * q1, b * p2 + c * q2)
    g0, g1, g2 = crossed(w0, w1, w2, f0, f1, f2)
    return (
        0.5 * p0 + a * q0 + b * r0 + e0 + g0,
        0.5 * p1 + a * q1 + b * r1 + e1 + g1,
        0.5 * p2 + a * q2 + b * r2 + e2 + g2,
    )


def crossed(a0: float, a1: float, a2: float, b0: float, b1: float, b2: float) -> tuple[float, float, float]:
    """a x b."""
    return a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0
