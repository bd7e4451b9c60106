"""Cholesky's factor of a covariance, as a kernel."""

from __future__ import annotations

from math import sqrt

from ..contract.parameter import Array


def cholesky(n: int, A: Array, L: Array, least: float) -> int:
    """A = L L' of the first n rows; L is lower triangular, and may be A itself.

    A pivot that is not above `least` times its diagonal element makes a column of zeros. Returns the number
    of such columns: 0 if A is positive definite.
    """
    zeros = 0
    for i in range(n):
        for j in range(i + 1):
            value = A[i, j]
            for k in range(j):
                value -= L[i, k] * L[j, k]
            if i != j:
                L[i, j] = value / L[j, j] if L[j, j] > 0.0 else 0.0
            elif value > least * A[i, i]:
                L[i, i] = sqrt(value)
            else:
                L[i, i] = 0.0
                zeros += 1
        for j in range(i + 1, n):
            L[i, j] = 0.0
    return zeros
