"""Elimination: Gaussian elimination with row pivoting, for compiled code."""

from __future__ import annotations

from ..contract.parameter import Array
from .inverse_kernels import SINGULAR

# Golub, Van Loan, Matrix Computations (4th ed., 2013), sections 3.2 and 3.4. With the largest pivot of its
# column, multipliers are at most 1, so that rounding errors stay small.


def triangular(A: Array, work: Array) -> tuple[float, float]:
    """work = A, made upper triangular in its first columns; the determinant, and A's largest element.

    Columns of `work` after the columns of A hold right-hand sides, which are eliminated with it.
    """
    n = A.shape[0]
    largest, determinant = 0.0, 1.0
    for i in range(n):
        for j in range(n):
            work[i, j] = A[i, j]
            largest = max(largest, abs(A[i, j]))
    for k in range(n):
        p = k
        for i in range(k + 1, n):
            if abs(work[i, k]) > abs(work[p, k]):
                p = i
        if work[p, k] == 0.0:
            return 0.0, largest
        determinant *= work[p, k] if p == k else -work[p, k]
        for j in range(work.shape[1]):
            work[k, j], work[p, j] = work[p, j], work[k, j]
        for i in range(k + 1, n):
            factor = work[i, k] / work[k, k]
            for j in range(k, work.shape[1]):
                work[i, j] -= factor * work[k, j]
    return determinant, largest


def substitute_back(work: Array, n: int, largest: float, column: int) -> bool:
    """Column n + `column` of a triangular `work` becomes the solution; False if A is singular."""
    for i in range(n - 1, -1, -1):
        if not abs(work[i, i]) > SINGULAR * largest:  # `not >` catches NaN too
            return False
        for j in range(i + 1, n):
            work[i, n + column] -= work[i, j] * work[j, n + column]
        work[i, n + column] /= work[i, i]
    return True
