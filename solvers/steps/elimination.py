"""Elimination: Gauss's method with partial pivoting, for matrices that are kept by columns.

Every inner loop runs down a column, where numbers lie behind each other, that of a solution down two at once.
Columns whose factor is 0 are passed over. The diagonal of the factors has the inverse pivots. Source: Golub
and Van Loan, Matrix Computations (2013), algorithm 3.4.1.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..backend import Jit
from ..fields import Floats, Integers


def make_elimination(
    jit: Jit,
) -> tuple[Any, Any]:
    @jit
    def factor(M: Floats, pivots: Integers) -> bool:
        """The triangular factors of a matrix in its place, M[j] its column j; False where it is singular."""
        n = pivots.size
        for k in range(n):
            p = k
            for i in range(k + 1, n):
                if abs(M[k, i]) > abs(M[k, p]):
                    p = i
            pivots[k] = p
            pivot = M[k, p]
            inverse = 1.0 / pivot
            if not abs(inverse) < np.inf:
                return False
            if p != k:
                for j in range(n):
                    M[j, k], M[j, p] = M[j, p], M[j, k]
            for i in range(k + 1, n):
                M[k, i] *= inverse
            M[k, k] = inverse
            for j in range(k + 1, n):
                times = M[j, k]
                if times != 0.0:
                    for i in range(k + 1, n):
                        M[j, i] -= times * M[k, i]
        return True

    @jit
    def solve(M: Floats, pivots: Integers, B: Floats, row: int, first: int) -> None:
        """The solution for the right side in B[row, first:], in its place."""
        n = pivots.size
        for k in range(n):
            p = first + pivots[k]
            B[row, first + k], B[row, p] = B[row, p], B[row, first + k]
        for k in range(0, n - 1, 2):
            one = B[row, first + k]
            two = B[row, first + k + 1] - one * M[k, k + 1]
            B[row, first + k + 1] = two
            for i in range(k + 2, n):
                B[row, first + i] -= one * M[k, i] + two * M[k + 1, i]
        for k in range(n - 1, 0, -2):
            one = B[row, first + k] * M[k, k]
            two = (B[row, first + k - 1] - one * M[k, k - 1]) * M[k - 1, k - 1]
            B[row, first + k], B[row, first + k - 1] = one, two
            for i in range(k - 1):
                B[row, first + i] -= one * M[k, i] + two * M[k - 1, i]
        if n % 2 == 1:
            B[row, first] *= M[0, 0]

    return factor, solve
