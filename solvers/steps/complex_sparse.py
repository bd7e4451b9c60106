"""Sparse factors of the complex matrix I - (a + ib) J, as `sparse` has them of a real one.

Source: Davis, Direct Methods for Sparse Linear Systems (2006), sections 3.2 and 6.2.
"""

from __future__ import annotations

from typing import Any

from ..backend import Jit
from ..fields import Floats
from ..layout import SparseJacobian
from .sparse import GROWTH


def make_complex_sparse(
    jit: Jit,
) -> tuple[Any, Any]:
    @jit
    def factor(s: SparseJacobian, a: float, b: float) -> bool:
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

    @jit
    def solve(s: SparseJacobian, real: Floats, imaginary: Floats) -> None:
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

    return factor, solve
