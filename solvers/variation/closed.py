"""Tangents of a program's functions are taken with its algebraic loops solved.

A loop v = F(v, u) changes by dv = (I - F_v)^-1 F_u du. Source: Griewank and Walther, Evaluating Derivatives
(2008), chapter 15.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..backend import Backend, Code, Function, Tangent
from ..fields import Floats
from ..layout import Memory
from ..linear_algebra.dense import factor, solve
from .fields import Variation


def make_closed(backend: Backend) -> Callable[[Tangent, Function], Any]:
    """`closed(tangent, function)`: the tangent whose loops are open with them solved for. It is called with
    the tangents of the signals too: (code, t, time_d, x, states_d, dx, slopes_d, m, shadows, signals_d).
    """
    jit, variation = backend.jit, backend.variation

    def closed(tangent: Tangent, function: Function) -> Any:
        @backend.apart
        def solved(
            code: Code, t: float, time_d: Floats, x: Floats, x_d: Floats, dx: Floats, dx_d: Floats, m: Memory,
            shadows: int, w_d: Floats,
        ) -> int:  # fmt: skip
            v: Variation = variation(code)
            cuts, M, right, bare_w = v.cuts, v.loop, v.loop_right, v.bare_w
            lanes, unknowns = v.lanes, cuts.shape[0]
            failed = function(code, t, x, dx, m)  # the loops are solved at this point
            if failed < 0:
                return int(failed)
            for k in range(unknowns):
                for lane in range(lanes):
                    w_d[cuts[k, 0], lane] = w_d[cuts[k, 1], lane] = 0.0
            failed = tangent(code, t, time_d, x, x_d, dx, dx_d, m, shadows)
            if failed < 0:
                return int(failed)
            for lane in range(lanes):
                for k in range(unknowns):
                    right[lane, k] = w_d[cuts[k, 1], lane]
            for first in range(0, unknowns, lanes):
                count = min(lanes, unknowns - first)
                bare_w[:, :] = 0.0
                for lane in range(count):
                    bare_w[cuts[first + lane, 0], lane] = 1.0
                failed = tangent(code, t, v.bare_time, x, v.bare_x, dx, dx_d, m, v.bare)
                if failed < 0:
                    return int(failed)
                for lane in range(count):
                    for k in range(unknowns):
                        M[first + lane, k] = (1.0 if k == first + lane else 0.0) - bare_w[cuts[k, 1], lane]
            bare_w[:, :] = 0.0  # constant signals are read from there
            if not factor(M, v.loop_pivots):
                v.singular_at = t if v.singular == 0 else v.singular_at
                v.singular += 1
            for lane in range(lanes):
                solve(M, v.loop_pivots, right, lane, 0)
                for k in range(unknowns):
                    w_d[cuts[k, 0], lane] = right[lane, k]
            return int(tangent(code, t, time_d, x, x_d, dx, dx_d, m, shadows))

        @jit
        def either(
            code: Code, t: float, time_d: Floats, x: Floats, x_d: Floats, dx: Floats, dx_d: Floats, m: Memory,
            shadows: int, w_d: Floats,
        ) -> int:  # fmt: skip
            if variation(code).cuts.shape[0] > 0:
                return int(solved(code, t, time_d, x, x_d, dx, dx_d, m, shadows, w_d))
            return int(tangent(code, t, time_d, x, x_d, dx, dx_d, m, shadows))

        return either

    return closed
