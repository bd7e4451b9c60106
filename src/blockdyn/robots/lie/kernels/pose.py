"""Poses, 4x4, with the exponential of SE(3), its logarithm and its Jacobian; adjoints and brackets of twists.

Twists are (linear, angular): V = (v, w). A result must not share memory with an argument.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .angle import cosine_rest, cotangent_rest, mixed_rest, sinc, sine_rest, versine
from .rotation import exp3, left_jacobian3, left_jacobian3_inverse, rotation_vector, square_of_skew

Array = NDArray[np.float64]


def last_row(T: Array) -> None:
    """The last row of a pose, 0 0 0 1."""
    T[3, 0] = 0.0
    T[3, 1] = 0.0
    T[3, 2] = 0.0
    T[3, 3] = 1.0


def compose(A: Array, B: Array, C: Array) -> None:
    """C = A B."""
    for i in range(3):
        for j in range(4):
            C[i, j] = A[i, 0] * B[0, j] + A[i, 1] * B[1, j] + A[i, 2] * B[2, j]
        C[i, 3] += A[i, 3]
    last_row(C)


def invert(A: Array, B: Array) -> None:
    """B = the inverse of A."""
    for i in range(3):
        for j in range(3):
            B[i, j] = A[j, i]
        B[i, 3] = -(A[0, i] * A[0, 3] + A[1, i] * A[1, 3] + A[2, i] * A[2, 3])
    last_row(B)


def between(A: Array, B: Array, C: Array) -> None:
    """C = A^-1 B: the pose B as seen from A."""
    d0 = B[0, 3] - A[0, 3]
    d1 = B[1, 3] - A[1, 3]
    d2 = B[2, 3] - A[2, 3]
    for i in range(3):
        for j in range(3):
            C[i, j] = A[0, i] * B[0, j] + A[1, i] * B[1, j] + A[2, i] * B[2, j]
        C[i, 3] = A[0, i] * d0 + A[1, i] * d1 + A[2, i] * d2
    last_row(C)


def exp6(V: Array, T: Array) -> None:
    """T = exp [V]: the rotation exp [w], and J(w) v with J the left Jacobian of SO(3)."""
    w0 = V[3]
    w1 = V[4]
    w2 = V[5]
    t = w0 * w0 + w1 * w1 + w2 * w2
    a = versine(t)
    square_of_skew(sinc(t), a, w0, w1, w2, T)
    T[0, 3], T[1, 3], T[2, 3] = apply_skew_series(a, sine_rest(t), w0, w1, w2, V[0], V[1], V[2])
    last_row(T)


def log6(T: Array, V: Array) -> None:
    """V with exp [V] = T and |w| <= pi."""
    w0, w1, w2 = rotation_vector(T)
    b = cotangent_rest(w0 * w0 + w1 * w1 + w2 * w2)
    V[0], V[1], V[2] = apply_skew_series(-0.5, b, w0, w1, w2, T[0, 3], T[1, 3], T[2, 3])
    V[3] = w0
    V[4] = w1
    V[5] = w2


def apply_skew_series(
    a: float, b: float, w0: float, w1: float, w2: float, v0: float, v1: float, v2: float
) -> tuple[float, float, float]:
    """v + a w x v + b w x (w x v)."""
    c0 = w1 * v2 - w2 * v1
    c1 = w2 * v0 - w0 * v2
    c2 = w0 * v1 - w1 * v0
    return (
        v0 + a * c0 + b * (w1 * c2 - w2 * c1),
        v1 + a * c1 + b * (w2 * c0 - w0 * c2),
        v2 + a * c2 + b * (w0 * c1 - w1 * c0),
    )


def pose_from(p0: float, p1: float, p2: float, w0: float, w1: float, w2: float, T: Array) -> None:
    """T with origin p and orientation exp [w]."""
    exp3(w0, w1, w2, T)
    T[0, 3] = p0
    T[1, 3] = p1
    T[2, 3] = p2
    last_row(T)


def adjoint(T: Array, A: Array) -> None:
    """A = [R, [p] R; 0, R] maps twists from the frame T to its reference frame; A^-T maps wrenches."""
    for j in range(3):
        for i in range(3):
            A[i, j] = T[i, j]
            A[3 + i, 3 + j] = T[i, j]
            A[3 + i, j] = 0.0
        A[0, 3 + j] = T[1, 3] * T[2, j] - T[2, 3] * T[1, j]
        A[1, 3 + j] = T[2, 3] * T[0, j] - T[0, 3] * T[2, j]
        A[2, 3 + j] = T[0, 3] * T[1, j] - T[1, 3] * T[0, j]


def bracket(V: Array, A: Array) -> None:
    """A, 6x6, with A U = [V, U]: [[w], [v]; 0, [w]]."""
    for i in range(3):
        for j in range(3):
            A[3 + i, j] = 0.0
    for block in range(3):
        row = 3 if block == 2 else 0
        column = 0 if block == 0 else 3
        start = 0 if block == 1 else 3
        for i in range(3):
            A[row + i, column + i] = 0.0
            j = (i + 1) % 3
            k = (i + 2) % 3
            A[row + i, column + j] = -V[start + k]
            A[row + i, column + k] = V[start + j]


def left_jacobian6(V: Array, J: Array) -> None:
    """J with the twist of exp [V], in fixed axes (space), = J(V) dV/dt: [J3, Q; 0, J3], Q by columns.

    Source: Barfoot, State Estimation for Robotics (2017), equation 7.86, order (linear, angular).
    """
    left_jacobian3(V[3], V[4], V[5], J)
    for j in range(3):
        J[0, 3 + j], J[1, 3 + j], J[2, 3 + j] = coupling(V, 1.0 * (j == 0), 1.0 * (j == 1), 1.0 * (j == 2))
    lower_half(J)


def left_jacobian6_inverse(V: Array, J: Array) -> None:
    """J with dV/dt = J(V) twist: inverse of left_jacobian6, [K, -K Q K; 0, K], K the inverse for SO(3)."""
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

    a, b, c are sine_rest, cosine_rest and mixed_rest.
    """
    w0 = V[3]
    w1 = V[4]
    w2 = V[5]
    t = w0 * w0 + w1 * w1 + w2 * w2
    a = sine_rest(t)
    b = cosine_rest(t)
    c = mixed_rest(t)
    # V (1/2 + a W + b W W) u, then W (a V + (a - 3 b) V W + c V W W) u, then W W (b V + c V W) u
    x0, x1, x2 = cross_product(w0, w1, w2, u0, u1, u2)
    y0, y1, y2 = cross_product(w0, w1, w2, x0, x1, x2)
    p0, p1, p2 = cross_product(V[0], V[1], V[2], u0, u1, u2)
    q0, q1, q2 = cross_product(V[0], V[1], V[2], x0, x1, x2)
    r0, r1, r2 = cross_product(V[0], V[1], V[2], y0, y1, y2)
    d = a - 3.0 * b
    e0, e1, e2 = cross_product(
        w0, w1, w2, a * p0 + d * q0 + c * r0, a * p1 + d * q1 + c * r1, a * p2 + d * q2 + c * r2
    )
    f0, f1, f2 = cross_product(w0, w1, w2, b * p0 + c * q0, b * p1 + c * q1, b * p2 + c * q2)
    g0, g1, g2 = cross_product(w0, w1, w2, f0, f1, f2)
    return (
        0.5 * p0 + a * q0 + b * r0 + e0 + g0,
        0.5 * p1 + a * q1 + b * r1 + e1 + g1,
        0.5 * p2 + a * q2 + b * r2 + e2 + g2,
    )


def cross_product(
    a0: float, a1: float, a2: float, b0: float, b1: float, b2: float
) -> tuple[float, float, float]:
    """a x b."""
    return a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0
