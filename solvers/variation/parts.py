"""The derivatives of the state are carried over a part of an accepted step.

Where the method is explicit they are those of its formula: S' = f_x S + f_p is solved with the run's own
steps (internal differentiation). Where it is implicit, that equation, which is linear, is solved by the
collocation of Radau IIA of order 5 around the states that the step has at its points: stable however stiff it
is. Its error is that of the embedded formula of order 3, filtered once (equation IV.8.20 of the book).
An attempted step has stages that serve the derivatives too, so that none is taken twice.

Source: H. G. Bock, Springer Series in Chemical Physics 18 (1981) 102-125; Hairer and Wanner, Solving Ordinary
Differential Equations II (1996), section IV.5.
"""

from __future__ import annotations

import numpy as np

from .. import layout
from ..backend import Attempt, Code
from ..fields import Floats
from ..layout import Memory, Work
from ..linear_algebra.dense import factor, solve
from ..program import evaluate
from ..steps.control import SECOND
from .controlled import make_part, share
from .fields import (
    AT_BEGIN,
    AT_END,
    NOWHERE,
    POINTS,
    Variation,
    add,
    sizes,
    slopes_tangent,
    start,
    state_at,
    variation,
)

ROOT = np.sqrt(6.0)
NODES = np.array([(4.0 - ROOT) / 10.0, (4.0 + ROOT) / 10.0, 1.0])
WEIGHTS = np.array(
    [
        [(88.0 - 7.0 * ROOT) / 360.0, (296.0 - 169.0 * ROOT) / 1800.0, (-2.0 + 3.0 * ROOT) / 225.0],
        [(296.0 + 169.0 * ROOT) / 1800.0, (88.0 + 7.0 * ROOT) / 360.0, (-2.0 - 3.0 * ROOT) / 225.0],
        [(16.0 - ROOT) / 36.0, (16.0 + ROOT) / 36.0, 1.0 / 9.0],
    ]
)
REAL = 1.0 / (3.0 + 3.0 ** (2.0 / 3.0) - 3.0 ** (1.0 / 3.0))  # of WEIGHTS, its real eigenvalue
ERROR = REAL / 3.0 * np.array([-13.0 - 7.0 * ROOT, -13.0 + 7.0 * ROOT, -1.0])
ERROR_ORDER = 4  # of a step's error by the embedded formula


def once(code: Code, m: Memory, s: Work, t: float, h: float, watched: bool) -> int:
    """Step from S in begin_d at t, where the state is `begin`, to v.x and trial_d a time h later.

    The slopes there are taken where the method has an error. If it is `watched`, zero crossings are kept.
    """
    v: Variation = variation(code)
    n, last, length = m.x.size, s.stages - 1, m.x.size * v.lanes
    x, slopes, A = v.x, v.slopes, s.A
    if v.first_stage == AT_END:
        for i in range(n):
            slopes[0, i] = slopes[last, i]
        for e in range(length):
            v.stage_rows[0, e] = v.stage_rows[last, e]
    for j in range(last + 1):
        for i in range(n):
            total = 0.0
            for k in range(j):
                total += A[j, k] * slopes[k, i]
            x[i] = v.begin[i] + h * total
        for e in range(length):
            v.trial_row[e] = v.begin_row[e]
        add(v.trial_row, A[j], v.stage_rows, j, h, length)
        if (j == last and s.adaptive == 0) or (j == 0 and v.first_stage != NOWHERE):
            continue
        failed = slopes_tangent(
            code, t + s.C[j] * h, v.time_d, x, v.trial_d, slopes[j], v.stages_d[j], m, v.shadows, v.w_d
        )
        if failed < 0:
            s.detail = failed
            return layout.KERNEL_FAILED
        if watched:
            for q in range(m.g.size):
                s.G[j, q] = m.g[q]
    v.first_stage = AT_BEGIN
    return 0


def sum_errors(m: Memory, s: Work, v: Variation, weights: Floats, h: float) -> None:
    """Sum the stages with the weights of an error estimate, into slopes_row."""
    length = m.x.size * v.lanes
    for e in range(length):
        v.slopes_row[e] = 0.0
    add(v.slopes_row, weights, v.stage_rows, s.stages, h, length)


def largest_error(code: Code, m: Memory, s: Work, t: float, h: float) -> tuple[int, float, int]:
    """The largest error of a step by the method's own estimate; see `controlled.make_part`."""
    v: Variation = variation(code)
    sum_errors(m, s, v, s.E, h)
    sizes(m, s, v.slopes_d, v.errors)
    if s.two_errors == 1:
        sum_errors(m, s, v, s.E3, h)
        sizes(m, s, v.slopes_d, v.sizes)
        for d in range(v.lanes):
            if v.errors[d] > 0.0:
                one, other = v.errors[d] ** 2, v.sizes[d] ** 2
                v.errors[d] = one / np.sqrt(one + SECOND * other)
    return 0, share(m, s, v), s.estimate_order


def columns(code: Code, m: Memory, s: Work, t: float, j: int) -> int:
    """The Jacobian at a point."""
    v: Variation = variation(code)
    n, lanes, units, J, slopes_d = m.x.size, v.lanes, v.units_x, v.jacobian, v.slopes_d
    for first in range(0, n, lanes):
        count = min(lanes, n - first)
        for lane in range(count):
            units[first + lane, lane] = 1.0
        failed = slopes_tangent(code, t, v.bare_time, v.x, units, s.scratch, slopes_d, m, v.bare, v.bare_w)
        for lane in range(count):
            units[first + lane, lane] = 0.0
            for i in range(n):
                J[j, first + lane, i] = slopes_d[i, lane]
        if failed < 0:
            return int(failed)
    return 0


def equations(code: Code, m: Memory, s: Work, h: float) -> int:
    """The matrix of all points, and the right sides, from J and the slopes' derivatives with S."""
    v: Variation = variation(code)
    n, lanes, J, M, right, given = m.x.size, v.lanes, v.jacobian, v.matrix, v.right, v.stages_d
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


def collocate(code: Code, m: Memory, s: Work, t: float, h: float, watched: bool) -> int:
    """The same by collocation: with Z_i = S_i - S at the points,

    Z_i = h sum_j a_ij (f_x(t_j) (S + Z_j) + f_p(t_j)),    S at the end = S + Z_3
    """
    v: Variation = variation(code)
    n, lanes = m.x.size, v.lanes
    v.first_stage = NOWHERE
    for j in range(POINTS):
        time = s.t_new if t + NODES[j] * h >= s.t_new else t + NODES[j] * h
        failed = state_at(code, m, s, time)
        if failed != 0:
            return int(failed)
        for i in range(n):
            v.x[i] = s.x_trial[i]
        failed = slopes_tangent(
            code, time, v.time_d, v.x, v.begin_d, s.scratch, v.stages_d[j], m, v.shadows, v.w_d
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
            v.trial_d[i, d] = v.begin_d[i, d] + v.right[d, (POINTS - 1) * n + i]
    return 0


def largest_collocation_error(code: Code, m: Memory, s: Work, t: float, h: float) -> tuple[int, float, int]:
    """The largest error of a step by the embedded formula of order 3, filtered once."""
    v: Variation = variation(code)
    n, begun, right, J = m.x.size, v.slopes_d, v.right, v.jacobian[POINTS - 1]
    failed = slopes_tangent(code, t, v.time_d, v.begin, v.begin_d, s.scratch, begun, m, v.shadows, v.w_d)
    if failed < 0:
        s.detail = failed
        return layout.KERNEL_FAILED, 0.0, ERROR_ORDER
    M, pivots = v.matrix[:n, :n], v.pivots[:n]
    for b in range(n):
        for a in range(n):
            M[b, a] = (1.0 if a == b else 0.0) - h * REAL * J[b, a]
    factor(M, pivots)
    for d in range(v.lanes):
        for i in range(n):
            e = h * REAL * begun[i, d]
            for j in range(POINTS):
                e += ERROR[j] * right[d, j * n + i]
            right[d, i] = e
        solve(M, pivots, right, d, 0)
        total = 0.0
        for i in range(n):
            total += (right[d, i] / (s.atol[i] + s.rtol[i] * abs(m.x[i]))) ** 2
        v.errors[d] = np.sqrt(total)
    return 0, share(m, s, v), ERROR_ORDER


explicit_part = make_part(once, largest_error)
collocated_part = make_part(collocate, largest_collocation_error)


def implicit_part(code: Code, m: Memory, s: Work, t: float, h: float, tried: bool) -> int:
    """The part of an implicit step, whose stages are never those of the run."""
    return collocated_part(code, m, s, t, h, False)


def make_followed(attempt: Attempt) -> Attempt:
    """`attempt` with derivatives, where the method has an error and nothing a history."""

    def followed(code: Code, m: Memory, s: Work, t_new: float, h: float) -> int:
        v: Variation = variation(code)
        v.tried = np.nan
        if s.adaptive == 0 or s.delays.shape[0] > 0:
            return int(attempt(code, m, s, t_new, h))
        last = s.stages - 1
        s.h_taken, s.dense, s.back_used = h, 0, 0
        start(m, v, m.x, v.x_row)
        s.evaluations += last
        if once(code, m, s, s.t, h, True) != 0:
            return -1
        for i in range(m.x.size):
            s.x_new[i] = v.x[i]
            for j in range(1, last):
                s.K[j, i] = v.slopes[j, i]
        failed = evaluate(code, t_new, s.x_new, s.K[last], m)
        for q in range(m.g.size):
            s.G[last, q] = m.g[q]
        if failed < 0:
            s.detail = failed
            return -1
        if failed == 0:
            v.tried = t_new
        return int(failed)

    return followed
