"""Poses are interpolated, moved by small motions, and compared."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .angle import sinc, versine
from .pose import between, compose, exp6, last_row, log6
from .quaternion import quaternion_parts, vector_of_quaternion
from .rotation import square_of_skew

Array = NDArray[np.float64]


def interpolate(A: Array, B: Array, s: float, C: Array) -> None:
    """C = pose from A (s = 0) to B (s = 1): the origin on a line, the rotation about one axis (slerp)."""
    w0, w1, w2 = turn_between(A, B)
    t = s * s * (w0 * w0 + w1 * w1 + w2 * w2)
    square_of_skew(sinc(t), versine(t), s * w0, s * w1, s * w2, C)
    for j in range(3):
        c0 = C[0, j]
        c1 = C[1, j]
        c2 = C[2, j]
        for i in range(3):
            C[i, j] = A[i, 0] * c0 + A[i, 1] * c1 + A[i, 2] * c2
    for i in range(3):
        C[i, 3] = A[i, 3] + s * (B[i, 3] - A[i, 3])
    last_row(C)


def turn_between(A: Array, B: Array) -> tuple[float, float, float]:
    """The rotation vector of A^T B, in the axes of A."""
    p, px, py, pz = quaternion_parts(A)
    q, qx, qy, qz = quaternion_parts(B)
    s = p * q + px * qx + py * qy + pz * qz
    x = p * qx - px * q - py * qz + pz * qy
    y = p * qy + px * qz - py * q - pz * qx
    z = p * qz - px * qy + py * qx - pz * q
    if s < 0.0 or (s == 0.0 and (z < 0.0 or (z == 0.0 and (y < 0.0 or (y == 0.0 and x < 0.0))))):
        return vector_of_quaternion(-s, -x, -y, -z)
    return vector_of_quaternion(s, x, y, z)


def interpolate_screw(A: Array, B: Array, s: float, C: Array, V: Array, work: Array) -> None:
    """C = A exp(s log(A^-1 B)): along one screw. V (6) and work (4, 4) are scratch."""
    between(A, B, C)
    log6(C, V)
    for i in range(6):
        V[i] *= s
    exp6(V, work)
    compose(A, work, C)


def delta_world(A: Array, B: Array, d: Array) -> None:
    """d = the small motion from A to B in world axes: p_B - p_A, and the skew part of R_B R_A^T."""
    for i in range(3):
        d[i] = B[i, 3] - A[i, 3]
        j = (i + 1) % 3
        k = (i + 2) % 3
        d[3 + i] = 0.0
        for m in range(3):
            d[3 + i] += 0.5 * (B[k, m] * A[j, m] - B[j, m] * A[k, m])


def delta_body(A: Array, B: Array, d: Array) -> None:
    """d = the small motion from A to B in the axes of A: the upper part of A^-1 B - I."""
    d0 = B[0, 3] - A[0, 3]
    d1 = B[1, 3] - A[1, 3]
    d2 = B[2, 3] - A[2, 3]
    for i in range(3):
        d[i] = A[0, i] * d0 + A[1, i] * d1 + A[2, i] * d2
        j = (i + 1) % 3
        k = (i + 2) % 3
        d[3 + i] = 0.0
        for m in range(3):
            d[3 + i] += 0.5 * (A[m, k] * B[m, j] - A[m, j] * B[m, k])


def pose_error(A: Array, B: Array, d: Array) -> None:
    """d = the motion from A to B, in world axes and without approximation: p_B - p_A, and log(R_B R_A^T)."""
    for i in range(3):
        d[i] = B[i, 3] - A[i, 3]
    w0, w1, w2 = turn_between(A, B)
    for i in range(3):
        d[3 + i] = A[i, 0] * w0 + A[i, 1] * w1 + A[i, 2] * w2


def pose_of_delta(d: Array, T: Array) -> None:
    """T = I + [d]: the pose after a small motion d, to first order; orthonormal only in the limit."""
    for i in range(3):
        T[i, i] = 1.0
        T[i, 3] = d[i]
        j = (i + 1) % 3
        k = (i + 2) % 3
        T[i, j] = -d[3 + k]
        T[i, k] = d[3 + j]
    last_row(T)
