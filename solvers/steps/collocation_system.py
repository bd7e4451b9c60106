"""The matrices of a step of Radau IIA, real / h I - J and (re + i im) / h I - J: dense ones, or sparse ones.

Sparse ones are I - c J times 1 / c, with c = h / real and h / (re + i im).
"""

from __future__ import annotations

from .. import layout
from ..backend import Code
from ..fields import Floats
from ..layout import Collocation, Memory
from ..linear_algebra.dense import factor, factor_complex, solve, solve_complex
from ..linear_algebra.sparse import (
    factor_complex_sparse,
    factor_sparse,
    solve_complex_sparse,
    solve_sparse,
)
from ..methods.radau5 import NUMBERS
from .coloured import MISSING, coloured_jacobian
from .jacobian import jacobian
from .unstable import is_unstable, is_unstable_sparse

REAL, RE, IM = NUMBERS.real, NUMBERS.pair.real, NUMBERS.pair.imag
SIZE = RE * RE + IM * IM


def renew(code: Code, m: Memory, s: Collocation) -> int:
    """The Jacobian; 0, UNSTRUCTURED, or -1 where a block fails."""
    if s.sparse == 0:
        failed = jacobian(code, m, s)
    else:
        failed = coloured_jacobian(code, m, s, s.t, m.x)
        if failed == MISSING and s.structured == 1:
            s.structured = 0
            return layout.UNSTRUCTURED
        s.structured = min(s.structured, 1)
    if failed < 0:
        s.detail = failed
        return -1
    return 0


def factor_matrices(s: Collocation, n: int, h: float) -> bool:
    """The factors of both matrices; False where one is singular."""
    if s.sparse == 1:
        regular = bool(factor_sparse(s, h / REAL)) and not is_unstable_sparse(s)
        return regular and bool(factor_complex_sparse(s, h * RE / SIZE, -h * IM / SIZE))
    J, LU, M, N = s.J, s.LU, s.LU_real, s.LU_imaginary
    for j in range(n):
        for i in range(n):
            LU[j, i] = M[j, i] = -J[j, i]
            N[j, i] = 0.0
        LU[j, j] += REAL / h
        M[j, j] += RE / h
        N[j, j] = IM / h
    s.factorizations += 1
    regular = bool(factor(LU, s.pivots)) and bool(factor_complex(M, N, s.complex_pivots))
    return regular and not is_unstable(s, n, REAL / h)


def solve_real(s: Collocation, h: float, row: int) -> None:
    """The solution for the right side in a row of U, in its place."""
    if s.sparse == 0:
        solve(s.LU, s.pivots, s.U, row, 0)
    else:
        b = s.U[row]
        for i in range(b.size):
            b[i] *= h / REAL
        solve_sparse(s, b)


def solve_pair(s: Collocation, h: float, first: Floats, second: Floats) -> None:
    """The same for the complex matrix."""
    if s.sparse == 0:
        solve_complex(s.LU_real, s.LU_imaginary, s.complex_pivots, first, second)
    else:
        a, b = h * RE / SIZE, -h * IM / SIZE
        for i in range(first.size):
            x, y = first[i], second[i]
            first[i], second[i] = a * x - b * y, a * y + b * x
        solve_complex_sparse(s, first, second)
