"""Nearness of a Jacobian to a singular pose: its determinant, and its reciprocal condition."""

from __future__ import annotations

from math import sqrt

from ..parameter import Array

NEAR = 1e-6  # least over largest singular value, below which a Jacobian counts as singular


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
        product *= work[k, k] / unit
        for i in range(k + 1, n):
            factor = work[i, k] / work[k, k]
            for j in range(k + 1, n):
                work[i, j] -= factor * work[k, j]
    return product


def nearly_singular(A: Array, inverse: Array) -> bool:
    """Whether 1 / (|A| |A^-1|), Frobenius norms, is below NEAR."""
    return not NEAR * length(A) * length(inverse) < 1.0


def length(A: Array) -> float:
    """The Frobenius norm of A."""
    total = 0.0
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            total += A[i, j] * A[i, j]
    return sqrt(total)
