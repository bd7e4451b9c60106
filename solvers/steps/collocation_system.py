"""The matrices of a step of Radau IIA, real / h I - J and (re + i im) / h I - J: dense ones, or sparse ones.

Sparse ones are those of I - c J times 1 / c, with c = h / real and h / (re + i im).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from .. import layout
from ..backend import Backend, Code
from ..fields import Floats
from ..layout import Collocation, Memory
from ..methods.radau5 import NUMBERS
from .coloured import MISSING, make_coloured
from .complex_elimination import make_complex_elimination
from .complex_sparse import make_complex_sparse
from .elimination import make_elimination
from .jacobian import make_jacobian
from .sparse import make_sparse
from .unstable import make_unstable


class System(NamedTuple):
    """renew          (code, m, s): the Jacobian; 0, UNSTRUCTURED, or -1 where a block fails
    factors        (s, n, h): False where one is singular
    solve          (s, h, row): for the right side in a row of U, in its place
    solve_complex  (s, h, real, imaginary): the same for the complex matrix
    """

    renew: Any
    factors: Any
    solve: Callable[..., None]
    solve_complex: Any


def make_system(backend: Backend) -> System:
    jit = backend.jit
    jacobian, coloured = make_jacobian(backend), make_coloured(backend)
    factor, dense = make_elimination(jit)
    is_unstable, is_unstable_sparse = make_unstable(jit)
    factor_complex, dense_complex = make_complex_elimination(jit)
    factor_sparse, sparse = make_sparse(jit)
    factor_complex_sparse, sparse_complex = make_complex_sparse(jit)
    real, re, im = NUMBERS.real, NUMBERS.pair.real, NUMBERS.pair.imag
    size = re * re + im * im

    @jit
    def renew(code: Code, m: Memory, s: Collocation) -> int:
        if s.sparse == 0:
            failed = jacobian(code, m, s)
        else:
            failed = coloured(code, m, s, s.t, m.x)
            if failed == MISSING and s.structured == 1:
                s.structured = 0
                return layout.UNSTRUCTURED
            s.structured = min(s.structured, 1)
        if failed < 0:
            s.detail = failed
            return -1
        return 0

    @jit
    def factors(s: Collocation, n: int, h: float) -> bool:
        if s.sparse == 1:
            regular = bool(factor_sparse(s, h / real)) and not is_unstable_sparse(s)
            return regular and bool(factor_complex_sparse(s, h * re / size, -h * im / size))
        J, LU, M, N = s.J, s.LU, s.LU_real, s.LU_imaginary
        for j in range(n):
            for i in range(n):
                LU[j, i] = M[j, i] = -J[j, i]
                N[j, i] = 0.0
            LU[j, j] += real / h
            M[j, j] += re / h
            N[j, j] = im / h
        s.factorizations += 1
        regular = bool(factor(LU, s.pivots)) and bool(factor_complex(M, N, s.complex_pivots))
        return regular and not is_unstable(s, n, real / h)

    @jit
    def solve(s: Collocation, h: float, row: int) -> None:
        if s.sparse == 0:
            dense(s.LU, s.pivots, s.U, row, 0)
        else:
            b = s.U[row]
            for i in range(b.size):
                b[i] *= h / real
            sparse(s, b)

    @jit
    def solve_complex(s: Collocation, h: float, first: Any, second: Floats) -> None:
        if s.sparse == 0:
            dense_complex(s.LU_real, s.LU_imaginary, s.complex_pivots, first, second)
        else:
            a, b = h * re / size, -h * im / size
            for i in range(first.size):
                x, y = first[i], second[i]
                first[i], second[i] = a * x - b * y, a * y + b * x
            sparse_complex(s, first, second)

    return System(renew, factors, solve, solve_complex)
