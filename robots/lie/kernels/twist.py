"""Twists (linear, angular) and wrenches (force, moment): adjoints, the Lie bracket, changes of frame."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def adjoint(T: Array, A: Array) -> None:
    """A = [R, [p] R; 0, R] moves twists from the frame T to where T is expressed; A^-T moves wrenches."""
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


def move_twist(T: Array, V: Array, U: Array) -> None:
    """U = Ad(T) V. U may be V."""
    v0 = V[0]
    v1 = V[1]
    v2 = V[2]
    w0 = T[0, 0] * V[3] + T[0, 1] * V[4] + T[0, 2] * V[5]
    w1 = T[1, 0] * V[3] + T[1, 1] * V[4] + T[1, 2] * V[5]
    w2 = T[2, 0] * V[3] + T[2, 1] * V[4] + T[2, 2] * V[5]
    U[0] = T[0, 0] * v0 + T[0, 1] * v1 + T[0, 2] * v2 + T[1, 3] * w2 - T[2, 3] * w1
    U[1] = T[1, 0] * v0 + T[1, 1] * v1 + T[1, 2] * v2 + T[2, 3] * w0 - T[0, 3] * w2
    U[2] = T[2, 0] * v0 + T[2, 1] * v1 + T[2, 2] * v2 + T[0, 3] * w1 - T[1, 3] * w0
    U[3] = w0
    U[4] = w1
    U[5] = w2


def move_wrench(T: Array, F: Array, G: Array) -> None:
    """G = Ad(T)^-T F: the wrench F, given in the frame T, where T is expressed. G may be F."""
    m0 = F[3]
    m1 = F[4]
    m2 = F[5]
    f0 = T[0, 0] * F[0] + T[0, 1] * F[1] + T[0, 2] * F[2]
    f1 = T[1, 0] * F[0] + T[1, 1] * F[1] + T[1, 2] * F[2]
    f2 = T[2, 0] * F[0] + T[2, 1] * F[1] + T[2, 2] * F[2]
    G[0] = f0
    G[1] = f1
    G[2] = f2
    G[3] = T[0, 0] * m0 + T[0, 1] * m1 + T[0, 2] * m2 + T[1, 3] * f2 - T[2, 3] * f1
    G[4] = T[1, 0] * m0 + T[1, 1] * m1 + T[1, 2] * m2 + T[2, 3] * f0 - T[0, 3] * f2
    G[5] = T[2, 0] * m0 + T[2, 1] * m1 + T[2, 2] * m2 + T[0, 3] * f1 - T[1, 3] * f0
