"""Detect unstable modes, where an implicit method would take a mode that grows for one that has settled.

Over a step with h lambda >> 1 the solution leaves a branch that repels it by exp(h lambda), while implicit
methods stay on it: their R(z) is small on both sides, and so are their error estimates. Their matrices
1 / (h gamma) - J show it. The determinant is positive for short steps, and changes its sign where the step
passes 1 / (gamma lambda). A state that depends on none of the others, or on which none depends, is a mode of
its own.

Source: Hairer and Wanner, Solving Ordinary Differential Equations II (1996), section IV.3, on R(z) to the
right of the imaginary axis.
"""

from __future__ import annotations

import numpy as np

from ..fields import Floats
from ..layout import DenseJacobian, Implicit, SparseJacobian

TRUSTED = 1e9  # times the largest inverse pivot may be the smallest one: beyond, rounding decides signs
CANCELLED = 1e-10  # of the largest number in its row: signs of smaller pivots are due to rounding


def is_negative_sparse(inverses: Floats) -> bool:
    """True if the product of inverse pivots, all on the diagonal, is negative."""
    least, product = np.inf, 1
    for value in inverses:
        least = min(least, abs(value))
    for value in inverses:
        if value < 0.0 and abs(value) <= TRUSTED * least:
            product = -product
    return product < 0


def is_negative(s: DenseJacobian, n: int, diagonal: float) -> bool:
    """True if the determinant of diagonal - J is negative beyond rounding, by its factors in LU."""
    J, LU, pivots, largest = s.J, s.LU, s.pivots, s.scratch
    for i in range(n):
        largest[i] = diagonal
        for j in range(n):
            largest[i] = max(largest[i], abs(J[j, i]))
    product = 1
    for k in range(n):
        p = pivots[k]
        largest[k], largest[p] = largest[p], largest[k]
        if abs(LU[k, k]) * largest[k] * CANCELLED > 1.0:
            return False
        if (LU[k, k] < 0.0) != (p != k):
            product = -product
    return product < 0


def moves(s: Implicit, n: int) -> bool:
    """True if the state moves, or time may move it: a state at rest stays on its branch."""
    for i in range(n):
        if s.K[0, i] != 0.0:
            return True
    return bool(s.timed == 1)


def is_uncoupled(J: Floats, i: int) -> bool:
    """True if a state depends on none of the others, or none on it."""
    row = column = True
    for j in range(J.shape[0]):
        if j != i:
            row = row and J[j, i] == 0.0
            column = column and J[i, j] == 0.0
    return row or column


def is_unstable(s: DenseJacobian, n: int, diagonal: float) -> bool:
    """True if a mode grows too fast for the step whose matrix, diagonal - J, has just been factored."""
    grows = is_negative(s, n, diagonal)
    for i in range(n):
        grows = grows or (s.J[i, i] > diagonal and is_uncoupled(s.J, i))
    return bool(grows and moves(s, n))


def is_unstable_sparse(s: SparseJacobian) -> bool:
    """The same for a sparse matrix, from its determinant only."""
    return bool(is_negative_sparse(s.diagonal) and moves(s, s.diagonal.size))
