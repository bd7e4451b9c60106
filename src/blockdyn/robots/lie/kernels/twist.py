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
