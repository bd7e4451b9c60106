"""Cholesky factor of a symmetric positive definite matrix, and solutions with it: plain loops, in place."""

from __future__ import annotations

from math import sqrt

from .work import Array

# A pivot below this part of its diagonal element is none. Rounding leaves (n + 1) 1.1e-16 of the element in
# the pivot (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., 2002, theorem 10.3): 1e-14 is
# above that for up to some 90 joints.
SMALL = 1e-14


def factor(A: Array, at: int, n: int) -> int:
    """A = L L^T in the lower triangle of A[:n, at : at + n], with 1 / L_ii on the diagonal; in place.

    Reads the lower triangle only. Returns -1, or the row where A is found not to be positive definite.
    """
    for j in range(n):
        diagonal = A[j, at + j]
        pivot = diagonal
        for k in range(j):
            pivot -= A[j, at + k] * A[j, at + k]
        if not pivot > SMALL * diagonal:
            return j
        inverse = 1.0 / sqrt(pivot)  # kept in the place of L_jj: solutions multiply instead of dividing
        A[j, at + j] = inverse
        for i in range(j + 1, n):
            total = A[i, at + j]
            for k in range(j):
                total -= A[i, at + k] * A[j, at + k]
            A[i, at + j] = total * inverse
    return -1


def forwards(L: Array, at: int, n: int, x: Array) -> None:
    """x = L^-1 x, with L as `factor` leaves it."""
    for i in range(n):
        total = x[i]
        for k in range(i):
            total -= L[i, at + k] * x[k]
        x[i] = total * L[i, at + i]


def backwards(L: Array, at: int, n: int, x: Array) -> None:
    """x = L^-T x, with L as `factor` leaves it."""
    for i in range(n - 1, -1, -1):
        total = x[i]
        for k in range(i + 1, n):
            total -= L[k, at + i] * x[k]
        x[i] = total * L[i, at + i]


def solve(L: Array, at: int, n: int, x: Array) -> None:
    """x = (L L^T)^-1 x, with L as `factor` leaves it."""
    forwards(L, at, n, x)
    backwards(L, at, n, x)


def forwards_row(L: Array, at: int, n: int, X: Array, r: int) -> None:
    """As `forwards`, on the row r of X."""
    for i in range(n):
        total = X[r, i]
        for k in range(i):
            total -= L[i, at + k] * X[r, k]
        X[r, i] = total * L[i, at + i]


def invert(L: Array, n: int) -> None:
    """The inverse (L L^T)^-1, both triangles, in place of L as `factor` leaves it."""
    for j in range(n):  # L^-1 in the lower triangle
        for i in range(j + 1, n):
            total = 0.0
            for k in range(j, i):
                total -= L[i, k] * L[k, j]
            L[i, j] = total * L[i, i]
    for i in range(n):  # L^-T L^-1, from the first row on: row i needs rows from i on only
        for j in range(i + 1):
            total = 0.0
            for k in range(i, n):
                total += L[k, i] * L[k, j]
            L[i, j] = total
    for i in range(n):
        for j in range(i):
            L[j, i] = L[i, j]
