"""Gauss's method eliminates with partial pivoting in matrices that are kept by columns.

Every inner loop runs down a column, where numbers are adjacent, in a solution down two at once. Columns whose
factor is 0 are passed over. The diagonal of real factors has the inverse pivots. Complex matrices keep their
real and imaginary parts separately. Source: Golub and Van Loan, Matrix Computations (2013), algorithm 3.4.1.
"""

from __future__ import annotations

import numpy as np

from ..fields import Floats, Integers


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


def factor_complex(M: Floats, N: Floats, pivots: Integers) -> bool:
    """The factors of M + iN in its place, M[j] + i N[j] its column j; False where it is singular."""
    n = pivots.size
    for k in range(n):
        p = k
        for i in range(k + 1, n):
            if abs(M[k, i]) + abs(N[k, i]) > abs(M[k, p]) + abs(N[k, p]):
                p = i
        pivots[k] = p
        real, imaginary = M[k, p], N[k, p]
        size = real * real + imaginary * imaginary
        if not size > 0.0:
            return False
        real, imaginary = real / size, -imaginary / size
        if p != k:
            for j in range(n):
                M[j, k], M[j, p] = M[j, p], M[j, k]
                N[j, k], N[j, p] = N[j, p], N[j, k]
        for i in range(k + 1, n):
            a, b = M[k, i], N[k, i]
            M[k, i] = a * real - b * imaginary
            N[k, i] = a * imaginary + b * real
        for j in range(k + 1, n):
            a, b = M[j, k], N[j, k]
            if a != 0.0 or b != 0.0:
                for i in range(k + 1, n):
                    M[j, i] -= a * M[k, i] - b * N[k, i]
                    N[j, i] -= a * N[k, i] + b * M[k, i]
    return True


def solve_complex(M: Floats, N: Floats, pivots: Integers, real: Floats, imaginary: Floats) -> None:
    """The solution for the right side real + i imaginary, in its place."""
    n = pivots.size
    for k in range(n):
        p = pivots[k]
        real[k], real[p] = real[p], real[k]
        imaginary[k], imaginary[p] = imaginary[p], imaginary[k]
    for k in range(n):
        a, b = real[k], imaginary[k]
        if a != 0.0 or b != 0.0:
            for i in range(k + 1, n):
                real[i] -= a * M[k, i] - b * N[k, i]
                imaginary[i] -= a * N[k, i] + b * M[k, i]
    for k in range(n - 1, -1, -1):
        c, d = M[k, k], N[k, k]
        size = c * c + d * d
        a = (real[k] * c + imaginary[k] * d) / size
        b = (imaginary[k] * c - real[k] * d) / size
        real[k], imaginary[k] = a, b
        if a != 0.0 or b != 0.0:
            for i in range(k):
                real[i] -= a * M[k, i] - b * N[k, i]
                imaginary[i] -= a * N[k, i] + b * M[k, i]
