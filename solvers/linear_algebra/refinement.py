"""Refinement: solutions of linear equations whose rounding errors a run would keep.

Reactions keep sums w'x of states: w'J = 0. The equations (1 / (h gamma) I - J) u = r leave an error of h
gamma times the rounding error of |J| |u| in w'u: for long steps it is far larger than a rounding error of
u, and no later step takes it back. Where it is not small in the smallest absolute tolerance, residuals are
summed up in pairs of doubles and solved for as well.

Sources: T. J. Dekker, Numerische Mathematik 18 (1971) 224-242, doi:10.1007/BF01397083 (exact products);
N. J. Higham, Accuracy and Stability of Numerical Algorithms (2002), chapter 12 (iterative refinement).
"""

from __future__ import annotations

import numpy as np

from ...native.pieces import mark_cold
from ..layout import DenseJacobian, Memory
from .dense import solve

ROUNDING = 2.0**-53
SHARE = 0.01  # of the smallest absolute tolerance: smaller rounding errors are lost in the method's error
TIMES = 2  # the first residual has an error of h |J| roundings, the second of one rounding
SPLIT = 2.0**27 + 1.0  # a double's halves have 26 bits each, whose products are exact


def add_product(high: float, low: float, a: float, b: float) -> tuple[float, float]:
    """The pair of doubles that is a pair plus a product."""
    product = a * b
    a_high = SPLIT * a - (SPLIT * a - a)
    b_high = SPLIT * b - (SPLIT * b - b)
    a_low, b_low = a - a_high, b - b_high
    error = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low
    total = high + product
    part = total - high
    error += (high - (total - part)) + (product - part)
    return total, low + error


def is_rough(m: Memory, s: DenseJacobian, diagonal: float) -> bool:
    """True if the rounding error of the first increment may matter."""
    n, J, U, atol = m.x.size, s.J, s.U, s.atol
    largest, least = 0.0, np.inf
    for i in range(n):
        total = 0.0
        for j in range(n):
            total += abs(J[j, i] * U[0, j])
        largest = max(largest, total)
        if atol[i] > 0.0:
            least = min(least, atol[i])
    return bool(ROUNDING * largest > SHARE * least * diagonal)


@mark_cold
def refine(m: Memory, s: DenseJacobian, row: int, diagonal: float) -> None:
    """Refine the increment in U[row], whose right side is in scratch."""
    n, J, U, right = m.x.size, s.J, s.U, s.scratch
    spare = U.shape[0] - 1
    for _ in range(TIMES):
        for i in range(n):
            high, low = add_product(right[i], 0.0, -diagonal, U[row, i])
            for j in range(n):
                high, low = add_product(high, low, J[j, i], U[row, j])
            U[spare, i] = high + low
        solve(s.LU, s.pivots, U, spare, 0)
        for i in range(n):
            U[row, i] += U[spare, i]
