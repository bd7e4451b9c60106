"""Sparse elimination factors I - c J, whose entries and order of elimination are known, and I - (a + ib) J.

Pivots are on the diagonal: the steps of a method are shortened until these will do, and I - c J tends
to I. The diagonal of the factors has the inverse pivots. Source: Davis, Direct Methods for Sparse Linear
Systems (2006), sections 3.2 and 6.2.
"""

from __future__ import annotations

from ..fields import Floats
from ..layout import SparseJacobian

GROWTH = 1e8  # of a factor over its pivot: beyond, half of the digits are lost


def factor_sparse(s: SparseJacobian, c: float) -> bool:
    """The factors of I - c J; False where a pivot is too small, in units of the tolerances."""
    columns_at, rows_of, entries, order, place = s.columns_at, s.rows_of, s.entries, s.order, s.place_of
    lower_at, lower_rows, lower = s.lower_at, s.lower_rows, s.lower
    upper_at, upper_rows, upper = s.upper_at, s.upper_rows, s.upper
    column, diagonal = s.column, s.diagonal
    n = order.size
    s.factorizations += 1
    for k in range(n):
        column[k] = 0.0
    for k in range(n):
        state = order[k]
        for p in range(columns_at[state], columns_at[state + 1]):
            column[place[rows_of[p]]] = -c * entries[p]
        column[k] += 1.0
        for p in range(upper_at[k], upper_at[k + 1]):
            j = upper_rows[p]
            times = column[j]
            upper[p] = times
            column[j] = 0.0
            if times != 0.0:
                for q in range(lower_at[j], lower_at[j + 1]):
                    column[lower_rows[q]] -= lower[q] * times
        pivot = column[k]
        column[k] = 0.0
        most = GROWTH * abs(pivot) / s.atol[state]
        for q in range(lower_at[k], lower_at[k + 1]):
            i = lower_rows[q]
            if not abs(column[i]) <= most * s.atol[order[i]]:
                return False
            lower[q] = column[i] / pivot if column[i] != 0.0 else 0.0
            column[i] = 0.0
        if not abs(pivot) > 0.0:
            return False
        diagonal[k] = 1.0 / pivot
    return True


def solve_sparse(s: SparseJacobian, b: Floats) -> None:
    """The solution for a right side, in its place."""
    lower_at, lower_rows, lower = s.lower_at, s.lower_rows, s.lower
    upper_at, upper_rows, upper = s.upper_at, s.upper_rows, s.upper
    column, diagonal, order = s.column, s.diagonal, s.order
    n = order.size
    for k in range(n):
        column[k] = b[order[k]]
    for k in range(n):
        times = column[k]
        for q in range(lower_at[k], lower_at[k + 1]):
            column[lower_rows[q]] -= lower[q] * times
    for k in range(n - 1, -1, -1):
        times = column[k] * diagonal[k]
        column[k] = times
        for p in range(upper_at[k], upper_at[k + 1]):
            column[upper_rows[p]] -= upper[p] * times
    for k in range(n):
        b[order[k]] = column[k]


def factor_complex_sparse(s: SparseJacobian, a: float, b: float) -> bool:
    """The factors; False where a pivot is too small."""
    columns_at, rows_of, entries, order, place = s.columns_at, s.rows_of, s.entries, s.order, s.place_of
    lower_at, lower_rows, (L, M) = s.lower_at, s.lower_rows, (s.lower_pair[0], s.lower_pair[1])
    upper_at, upper_rows, (U, V) = s.upper_at, s.upper_rows, (s.upper_pair[0], s.upper_pair[1])
    c, d = s.column_pair[0], s.column_pair[1]
    n = order.size
    for k in range(n):
        c[k] = d[k] = 0.0
    for k in range(n):
        state = order[k]
        for p in range(columns_at[state], columns_at[state + 1]):
            c[place[rows_of[p]]] = -a * entries[p]
            d[place[rows_of[p]]] = -b * entries[p]
        c[k] += 1.0
        for p in range(upper_at[k], upper_at[k + 1]):
            j = upper_rows[p]
            x, y = c[j], d[j]
            U[p], V[p] = x, y
            c[j] = d[j] = 0.0
            if x != 0.0 or y != 0.0:
                for q in range(lower_at[j], lower_at[j + 1]):
                    c[lower_rows[q]] -= L[q] * x - M[q] * y
                    d[lower_rows[q]] -= L[q] * y + M[q] * x
        x, y = c[k], d[k]
        c[k] = d[k] = 0.0
        size = x * x + y * y
        if not size > 0.0:
            return False
        s.diagonal_pair[0, k], s.diagonal_pair[1, k] = x / size, -y / size
        for q in range(lower_at[k], lower_at[k + 1]):
            i = lower_rows[q]
            L[q], M[q] = (c[i] * x + d[i] * y) / size, (d[i] * x - c[i] * y) / size
            c[i] = d[i] = 0.0
            if not (abs(L[q]) + abs(M[q])) * s.atol[order[k]] <= GROWTH * s.atol[order[i]]:
                return False
    return True


def solve_complex_sparse(s: SparseJacobian, real: Floats, imaginary: Floats) -> None:
    """The solution for the right side real + i imaginary, in its place."""
    lower_at, lower_rows, (L, M) = s.lower_at, s.lower_rows, (s.lower_pair[0], s.lower_pair[1])
    upper_at, upper_rows, (U, V) = s.upper_at, s.upper_rows, (s.upper_pair[0], s.upper_pair[1])
    c, d, order, diagonal = s.column_pair[0], s.column_pair[1], s.order, s.diagonal_pair
    n = order.size
    for k in range(n):
        c[k], d[k] = real[order[k]], imaginary[order[k]]
    for k in range(n):
        x, y = c[k], d[k]
        for q in range(lower_at[k], lower_at[k + 1]):
            c[lower_rows[q]] -= L[q] * x - M[q] * y
            d[lower_rows[q]] -= L[q] * y + M[q] * x
    for k in range(n - 1, -1, -1):
        e, f = diagonal[0, k], diagonal[1, k]
        x, y = c[k] * e - d[k] * f, d[k] * e + c[k] * f
        c[k], d[k] = x, y
        for p in range(upper_at[k], upper_at[k + 1]):
            c[upper_rows[p]] -= U[p] * x - V[p] * y
            d[upper_rows[p]] -= U[p] * y + V[p] * x
    for k in range(n):
        real[order[k]], imaginary[order[k]] = c[k], d[k]
