"""Poses, 4x4: products, inverses, the exponential of SE(3) and its logarithm.

Twists are (linear, angular): V = (v, w). Results must not be among the arguments.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .angle import cotangent_rest, sinc, sine_rest, versine
from .rotation import exp3, rotation_vector, square_of_skew

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
    T[0, 3], T[1, 3], T[2, 3] = skewed(a, sine_rest(t), w0, w1, w2, V[0], V[1], V[2])
    last_row(T)


def log6(T: Array, V: Array) -> None:
    """V with exp [V] = T and |w| <= pi."""
    w0, w1, w2 = rotation_vector(T)
    b = cotangent_rest(w0 * w0 + w1 * w1 + w2 * w2)
    V[0], V[1], V[2] = skewed(-0.5, b, w0, w1, w2, T[0, 3], T[1, 3], T[2, 3])
    V[3] = w0
    V[4] = w1
    V[5] = w2


def skewed(
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
