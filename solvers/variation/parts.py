"""Parts: the derivatives of the state carried over a part of an accepted step.

Where the method is explicit they are those of its formula: S' = f_x S + f_p is solved with the run's own
steps (internal differentiation), or in parts of them where the error of S asks for it: a state at rest has no
error however long the steps, and beyond the bound of stability S would grow without end. Where the method is
implicit, that equation, which is linear, is solved by the collocation of Radau IIA of order 5 around the
states that the step has at its points: stable however stiff it is.

Source: H. G. Bock, Springer Series in Chemical Physics 18 (1981) 102-125; Hairer and Wanner, Solving Ordinary
Differential Equations II (1996), section IV.5.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import layout
from ..backend import Backend
from ..steps.control import GROW, LEAST_ERROR, SAFETY, SECOND, SHRINK
from ..steps.elimination import make_elimination
from ..steps.step import NEARLY
from .fields import POINTS

ROOT = np.sqrt(6.0)
NODES = np.array([(4.0 - ROOT) / 10.0, (4.0 + ROOT) / 10.0, 1.0])
WEIGHTS = np.array(
    [
        [(88.0 - 7.0 * ROOT) / 360.0, (296.0 - 169.0 * ROOT) / 1800.0, (-2.0 + 3.0 * ROOT) / 225.0],
        [(296.0 + 169.0 * ROOT) / 1800.0, (88.0 + 7.0 * ROOT) / 360.0, (-2.0 - 3.0 * ROOT) / 225.0],
        [(16.0 - ROOT) / 36.0, (16.0 + ROOT) / 36.0, 1.0 / 9.0],
    ]
)

LEAST_RTOL = 1e-12  # of derivatives: below it their error is rounding
MOST_REFUSED = 8  # parts in a row: then slopes are infinite, as that of a root at 0


def make_share(jit: Callable[[Any], Any]) -> Any:
    """`share(m, s, v, h)`: the error of S over rtol of the largest S so far, both in units of the state's
    tolerance, in the direction in which it is largest.
    """

    @jit
    def share(m: Any, s: Any, v: Any, h: float) -> float:
        stages_d, x_d, most_d = v.stages_d, v.x_d, v.most_d
        largest, two = 0.0, s.two_errors == 1
        for d in range(v.lanes - 1):
            error = error3 = size = 0.0
            for i in range(m.x.size):
                e = e3 = 0.0
                for j in range(s.stages):
                    e += s.E[j] * stages_d[j, i, d]
                    if two:
                        e3 += s.E3[j] * stages_d[j, i, d]
                scale = s.atol[i] + s.rtol * abs(m.x[i])
                error += (e / scale) ** 2
                error3 += (e3 / scale) ** 2
                size += (x_d[i, d] / scale) ** 2
            most = max(most_d[d], np.sqrt(size))
            if error > 0.0 and most > 0.0:
                if two:
                    error *= error / (error + SECOND * error3)
                largest = max(largest, h * np.sqrt(error) / (max(s.rtol, LEAST_RTOL) * most))
        return float(largest)

    return share


def make_explicit(backend: Backend, slopes_tangent: Any) -> Any:
    """`part(code, m, s, t, h)`: from S in begin_d at t, where the state is `begin`, to x_d a time h later."""
    jit, variation = backend.jit, backend.variation
    share = make_share(jit)

    @jit
    def combine(x_d: Any, begin_d: Any, stages_d: Any, A: Any, j: int, h: float) -> None:
        """Row by row, all directions side by side."""
        n, lanes = x_d.shape
        for i in range(n):
            for d in range(lanes):
                x_d[i, d] = 0.0
            for k in range(j):
                weight = A[j, k]
                for d in range(lanes):
                    x_d[i, d] += weight * stages_d[k, i, d]
            for d in range(lanes):
                x_d[i, d] = begin_d[i, d] + h * x_d[i, d]

    @jit
    def once(code: Any, m: Any, s: Any, t: float, h: float) -> int:
        """In one step, with the slopes at its end where the method has an error."""
        v = variation(code)
        n, last = m.x.size, s.stages - 1
        x, x_d, begin_d, stages_d, slopes, A = v.x, v.x_d, v.begin_d, v.stages_d, v.slopes, s.A
        for j in range(last + 1):
            for i in range(n):
                total = 0.0
                for k in range(j):
                    total += A[j, k] * slopes[k, i]
                x[i] = v.begin[i] + h * total
            combine(x_d, begin_d, stages_d, A, j, h)
            if j < last + s.adaptive:
                failed = slopes_tangent(
                    code, t + s.C[j] * h, v.time_d, x, x_d, slopes[j], stages_d[j], m, v.shadows, v.w_d
                )
                if failed < 0:
                    s.detail = failed
                    return layout.KERNEL_FAILED
        return 0

    @jit
    def keep(m: Any, s: Any, v: Any) -> None:
        """The end of a step is the begin of the next one."""
        for d in range(v.lanes - 1):
            size = 0.0
            for i in range(m.x.size):
                scale = s.atol[i] + s.rtol * abs(m.x[i])
                size += (v.x_d[i, d] / scale) ** 2
                v.begin_d[i, d] = v.x_d[i, d]
            v.most_d[d] = max(v.most_d[d], np.sqrt(size))
        for i in range(m.x.size):
            v.begin[i] = v.x[i]

    @jit
    def part(code: Any, m: Any, s: Any, t: float, h: float) -> int:
        v = variation(code)
        if s.adaptive == 0:
            return int(once(code, m, s, t, h))
        begin, end, refused = t, t + h, 0
        while begin < end:
            whole = refused == MOST_REFUSED or not 0.0 < v.length < NEARLY * (end - begin)
            length = end - begin if whole else v.length
            failed = once(code, m, s, begin, length)
            if failed != 0:
                return int(failed)
            error = share(m, s, v, length)
            factor = SAFETY * max(error, LEAST_ERROR) ** (-1.0 / s.estimate_order)
            following = length * min(GROW, max(SHRINK, factor))
            if error > 1.0 and refused < MOST_REFUSED:
                refused += 1
                v.length = following
                continue
            refused = 0
            begin = end if whole else begin + length
            v.length = max(v.length, following) if whole else following  # the step's end says nothing
            keep(m, s, v)
        return 0

    return part


def make_implicit(backend: Backend, slopes_tangent: Any, state_at: Any) -> Any:
    """The same by collocation: with Z_i = S_i - S at the points,

    Z_i = h sum_j a_ij (f_x(t_j) (S + Z_j) + f_p(t_j)),    S at the end = S + Z_3
    """
    jit, variation = backend.jit, backend.variation
    factor, solve = make_elimination(jit)

    @jit
    def columns(code: Any, m: Any, s: Any, t: float, j: int) -> int:
        """The Jacobian at a point."""
        v = variation(code)
        n, lanes, units, J, slopes_d = m.x.size, v.lanes, v.units_x, v.jacobian, v.slopes_d
        for first in range(0, n, lanes):
            count = min(lanes, n - first)
            for lane in range(count):
                units[first + lane, lane] = 1.0
            failed = slopes_tangent(
                code, t, v.bare_time, v.x, units, s.scratch, slopes_d, m, v.bare, v.bare_w
            )
            for lane in range(count):
                units[first + lane, lane] = 0.0
                for i in range(n):
                    J[j, first + lane, i] = slopes_d[i, lane]
            if failed < 0:
                return int(failed)
        return 0

    @jit
    def equations(code: Any, m: Any, s: Any, h: float) -> int:
        """The matrix of all points, and the right sides, from J and the slopes' derivatives with S."""
        v = variation(code)
        n, lanes, J, M, right, given = m.x.size, v.lanes - 1, v.jacobian, v.matrix, v.right, v.stages_d
        for j in range(POINTS):
            for b in range(n):
                column = M[j * n + b]
                for i in range(POINTS):
                    weight = h * WEIGHTS[i, j]
                    for a in range(n):
                        column[i * n + a] = -weight * J[j, b, a]
                column[j * n + b] += 1.0
        for d in range(lanes):
            for i in range(POINTS):
                for a in range(n):
                    total = 0.0
                    for j in range(POINTS):
                        total += WEIGHTS[i, j] * given[j, a, d]
                    right[d, i * n + a] = h * total
        if not factor(M, v.pivots):
            v.singular_at = s.t if v.singular == 0 else v.singular_at
            v.singular += 1
        for d in range(lanes):
            solve(M, v.pivots, right, d, 0)
        return 0

    @jit
    def part(code: Any, m: Any, s: Any, t: float, h: float) -> int:
        v = variation(code)
        n, lanes = m.x.size, v.lanes - 1
        for j in range(POINTS):
            time = s.t_new if t + NODES[j] * h >= s.t_new else t + NODES[j] * h
            failed = state_at(code, m, s, time)
            if failed != 0:
                return int(failed)
            for i in range(n):
                v.x[i] = s.x_trial[i]
                for d in range(lanes):
                    v.x_d[i, d] = v.begin_d[i, d]
            failed = slopes_tangent(
                code, time, v.time_d, v.x, v.x_d, s.scratch, v.stages_d[j], m, v.shadows, v.w_d
            )
            if failed >= 0:
                failed = columns(code, m, s, time, j)
            if failed < 0:
                s.detail = failed
                return layout.KERNEL_FAILED
        if n > 0:
            equations(code, m, s, h)
        for i in range(n):
            for d in range(lanes):
                v.x_d[i, d] = v.begin_d[i, d] + v.right[d, (POINTS - 1) * n + i]
        return 0

    return part
