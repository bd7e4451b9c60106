"""Singularity of a pose is measured by its Jacobian: manipulability, determinant, reciprocal condition.

The determinant of a square Jacobian changes sign at most singular poses, which locates them. Otherwise, and
without a determinant, the square of the reciprocal condition is a parabola in time whose minimum is located.
"""

from __future__ import annotations

from math import sqrt

from .bodies import Array


def manipulability(J: Array, first: int, last: int, rows: Array) -> float:
    """sqrt(det(J J^T)) of the rows first to last - 1: the product of their singular values.

    Computed as the product of the parts of each row orthogonal to the rows before it, so that it is accurate
    down to 0. `rows` has the shape of J and is overwritten. Yoshikawa, Manipulability of Robotic Mechanisms,
    Int. J. Robotics Research 4(2), 1985.
    """
    n = J.shape[1]
    if n < last - first:
        return 0.0
    volume = 1.0
    for r in range(first, last):
        for i in range(n):
            rows[r, i] = J[r, i]
        for _ in range(2):  # the second pass removes the remainder from rounding
            for b in range(first, r):
                along, square = 0.0, 0.0
                for i in range(n):
                    along += rows[r, i] * rows[b, i]
                    square += rows[b, i] * rows[b, i]
                if square > 0.0:
                    for i in range(n):
                        rows[r, i] -= along / square * rows[b, i]
        square = 0.0
        for i in range(n):
            square += rows[r, i] * rows[r, i]
        volume *= sqrt(square)
    return volume


# Least over largest singular value, below which a Jacobian counts as singular: joint rates are then a million
# times those for an equal velocity in the best direction, and have lost six digits.
NEAR = 1e-6
WORST = 1e300  # above it the product of two norms may have overflowed


def determinant(A: Array, work: Array) -> float:
    """det A over (|A| / sqrt(n))^n, Frobenius norm: smooth, from -1 to 1; by elimination with pivoting."""
    n = A.shape[0]
    for i in range(n):
        for j in range(n):
            work[i, j] = A[i, j]
    unit = length(A) / sqrt(float(n))
    if not unit > 0.0:
        return unit
    product = 1.0
    for k in range(n):
        p = k
        for i in range(k + 1, n):
            if abs(work[i, k]) > abs(work[p, k]):
                p = i
        if work[p, k] == 0.0:
            return 0.0
        if p != k:
            product = -product
            for j in range(k, n):
                work[k, j], work[p, j] = work[p, j], work[k, j]
        product *= work[k, k] / unit  # pivot by pivot, so that no product overflows or underflows
        for i in range(k + 1, n):
            factor = work[i, k] / work[k, k]
            for j in range(k + 1, n):
                work[i, j] -= factor * work[k, j]
    return product


def closeness(A: Array, inverse: Array) -> float:
    """1 / (|A| |A^-1|), Frobenius norms: at most 1 / n, 0 if A is singular."""
    product = length(A) * length(inverse)
    return 1.0 / product if product < WORST else 0.0


def above(ratio: float) -> float:
    """A function that falls through 0 when the ratio, which is small near a singularity, falls below NEAR."""
    return ratio * ratio - NEAR * NEAR


def length(A: Array) -> float:
    """The Frobenius norm of A."""
    total = 0.0
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            total += A[i, j] * A[i, j]
    return sqrt(total)
