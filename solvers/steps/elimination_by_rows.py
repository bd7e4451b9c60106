"""Gaussian elimination of a matrix by rows, of which pivots are chosen relative to given sizes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def make_elimination(jit: Callable[[Any], Any]) -> tuple[Any, Any]:
    """Gaussian elimination with partial pivoting: Golub, Van Loan, Matrix Computations (2013), sec. 3.4."""

    @jit
    def factor(M: Any, pivots: Any, sizes: Any) -> bool:
        """Triangular factors of a matrix by rows, of which pivots are chosen relative to `sizes`.

        False when the matrix is singular.
        """
        n = pivots.size
        for k in range(n):
            p = k
            for i in range(k + 1, n):
                if abs(M[i * n + k]) * sizes[p] > abs(M[p * n + k]) * sizes[i]:
                    p = i
            pivots[k] = p
            if p != k:
                sizes[k], sizes[p] = sizes[p], sizes[k]
                for j in range(n):
                    M[k * n + j], M[p * n + j] = M[p * n + j], M[k * n + j]
            if not abs(M[k * n + k]) > 0.0:
                return False
            for i in range(k + 1, n):
                M[i * n + k] /= M[k * n + k]
                for j in range(k + 1, n):
                    M[i * n + j] -= M[i * n + k] * M[k * n + j]
        return True

    @jit
    def solve(M: Any, pivots: Any, b: Any) -> None:
        """The solution of the factored system, in place of its right side."""
        n = pivots.size
        for k in range(n):
            p = int(pivots[k])
            b[k], b[p] = b[p], b[k]
        for k in range(n):
            for i in range(k + 1, n):
                b[i] -= M[i * n + k] * b[k]
        for k in range(n - 1, -1, -1):
            for j in range(k + 1, n):
                b[k] -= M[k * n + j] * b[j]
            b[k] /= M[k * n + k]

    return factor, solve
