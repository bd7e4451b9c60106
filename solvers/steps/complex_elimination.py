"""Elimination of complex matrices, real and imaginary parts apart, as `elimination` does it for real ones.

Source: Golub and Van Loan, Matrix Computations (2013), algorithm 3.4.1.
"""

from __future__ import annotations

from typing import Any

from ..backend import Jit
from ..fields import Floats, Integers


def make_complex_elimination(
    jit: Jit,
) -> tuple[Any, Any]:
    @jit
    def factor(M: Floats, N: Floats, pivots: Integers) -> bool:
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

    @jit
    def solve(M: Floats, N: Floats, pivots: Integers, real: Floats, imaginary: Floats) -> None:
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

    return factor, solve
