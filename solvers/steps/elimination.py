"""Elimination: Gauss's method with partial pivoting, for matrices that are kept by columns.

Every inner loop runs down a column, where numbers lie behind each other, and columns whose factor is 0 are
passed over. Source: Golub and Van Loan, Matrix Computations (2013), algorithm 3.4.1.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def make_elimination(jit: Callable[[Any], Any]) -> tuple[Any, Any]:
    @jit
    def factor(M: Any, pivots: Any) -> bool:
        """The triangular factors of a matrix in its place, M[j] its column j; False where it is singular."""
        n = pivots.size
        for k in range(n):
            p = k
            for i in range(k + 1, n):
                if abs(M[k, i]) > abs(M[k, p]):
                    p = i
            pivots[k] = p
            pivot = M[k, p]
            if not abs(pivot) > 0.0:
                return False
            if p != k:
                for j in range(n):
                    M[j, k], M[j, p] = M[j, p], M[j, k]
            for i in range(k + 1, n):
                M[k, i] /= pivot
            for j in range(k + 1, n):
                times = M[j, k]
                if times != 0.0:
                    for i in range(k + 1, n):
                        M[j, i] -= times * M[k, i]
        return True

    @jit
    def solve(M: Any, pivots: Any, B: Any, row: int, first: int) -> None:
        """The solution for the right side in B[row, first:], in its place."""
        n = pivots.size
        for k in range(n):
            p = first + pivots[k]
            B[row, first + k], B[row, p] = B[row, p], B[row, first + k]
        for k in range(n):
            times = B[row, first + k]
            if times != 0.0:
                for i in range(k + 1, n):
                    B[row, first + i] -= times * M[k, i]
        for k in range(n - 1, -1, -1):
            times = B[row, first + k] / M[k, k]
            B[row, first + k] = times
            if times != 0.0:
                for i in range(k):
                    B[row, first + i] -= times * M[k, i]

    return factor, solve
