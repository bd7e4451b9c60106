"""The Jacobian where a step begins: slopes by states and by the time, exact or by differences.

A program with tangents gives the columns, LANES at a time; the columns of its algebraic loops follow from
the implicit function theorem. Without tangents, or where a derivative is not finite (a root's at 0),
differences take their place.

Source: Griewank and Walther, Evaluating Derivatives (2008), chapter 3; Hairer and Wanner, Solving Ordinary
Differential Equations II (1996), section IV.8, on the size of differences.
"""

from __future__ import annotations

import numpy as np

from ...native.pieces import mark_cold
from ...native.tangent.code import LANES
from ..backend import Code
from ..fields import Floats
from ..layout import DenseJacobian, Memory
from ..linear_algebra.dense import factor, solve
from ..program import derivative, tangent

NUDGE = 6e-6  # of a state: the cube root of the spacing of doubles, the best for central differences
SOON = 1e-3  # of a step: how far the time goes


def seed(m: Memory, s: DenseJacobian, first: int, total: int, value: float) -> None:
    """Let the directions from number `first` on go along their states, cut signals, or the time."""
    n, cuts = m.x.size, s.cuts
    for lane in range(min(LANES, total - first)):
        d = first + lane
        if d < n:
            s.states_d[d, lane] = value
        elif d < n + cuts.shape[0]:
            s.signals_d[cuts[d - n, 0], lane] = value
        else:
            s.time_d[lane] = value


def directions(code: Code, m: Memory, s: DenseJacobian) -> int:
    """All columns, of the open loops too where there are some."""
    n, cuts = m.x.size, s.cuts
    unknowns = cuts.shape[0]
    total = n + unknowns + s.timed
    J, wide, slopes_d, signals_d = s.J, s.wide, s.slopes_d, s.signals_d
    for first in range(0, total, LANES):
        seed(m, s, first, total, 1.0)
        for k in range(unknowns):
            for lane in range(LANES):
                signals_d[cuts[k, 1], lane] = 0.0
        failed = tangent(code, s.t, s.time_d, m.x, s.states_d, s.scratch, slopes_d, m, s.shadows)
        seed(m, s, first, total, 0.0)
        if failed < 0:
            return int(failed)
        for lane in range(min(LANES, total - first)):
            d = first + lane
            if unknowns > 0:
                for i in range(n):
                    wide[d, i] = slopes_d[i, lane]
                for k in range(unknowns):
                    wide[d, n + k] = signals_d[cuts[k, 1], lane]
            elif d < n:
                for i in range(n):
                    J[d, i] = slopes_d[i, lane]
            else:
                for i in range(n):
                    s.slopes_t[i] = slopes_d[i, lane]
    return 0


@mark_cold
def close(m: Memory, s: DenseJacobian) -> None:
    """The loops closed: v = c(v, x) changes by dv = (I - c_v)^-1 c_x dx."""
    n, unknowns, wide, M = m.x.size, s.cuts.shape[0], s.wide, s.loop
    for j in range(unknowns):
        for k in range(unknowns):
            M[j, k] = (1.0 if j == k else 0.0) - wide[n + j, n + k]
    regular = factor(M, s.loop_pivots)
    for d in range(n + s.timed):
        row = d if d < n else n + unknowns
        if regular:
            solve(M, s.loop_pivots, wide, row, n)
        for i in range(n):
            value = wide[row, i] if regular else np.nan
            for k in range(unknowns):
                value += wide[n + k, i] * wide[row, n + k]
            if d < n:
                s.J[d, i] = value
            else:
                s.slopes_t[i] = value


def jacobian(code: Code, m: Memory, s: DenseJacobian) -> int:
    """J and slopes_t at (t, x), whose slope is K[0]; 0, or a failure."""
    n = m.x.size
    s.jacobians += 1
    if s.exact == 0:
        return int(differences(code, m, s, True))
    if s.cuts.shape[0] > 0:
        failed = derivative(code, s.t, m.x, s.scratch, m)  # its loops are solved at this point
        s.evaluations += 1
        if failed < 0:
            return int(failed)
    failed = directions(code, m, s)
    if failed < 0:
        return int(failed)
    if s.cuts.shape[0] > 0:
        close(m, s)
    bad, J, slopes_t = 0, s.J, s.slopes_t
    for i in range(n):
        bad |= not abs(slopes_t[i]) < np.inf
        for j in range(n):
            bad |= not abs(J[i, j]) < np.inf
    if bad != 0:
        return int(differences(code, m, s, False))
    return 0


def finite(values: Floats) -> bool:
    """True if all numbers are finite."""
    total = 0.0
    for i in range(values.size):
        total += values[i] * 0.0
    return total == 0.0


@mark_cold
def column(code: Code, m: Memory, s: DenseJacobian, j: int, step: float, out: Floats) -> int:
    """Central differences by state j, or by the time where j is -1; one-sided ones at the edge of what is
    finite, and 0 where nothing is.
    """
    n, x, near = m.x.size, s.x_trial, s.x_new
    sides = 0
    for i in range(n):
        x[i] = m.x[i]
        out[i] = 0.0
    for way in (1.0, -1.0):
        t = s.t
        if j < 0:
            t += way * step
        else:
            x[j] = m.x[j] + way * step
        failed = derivative(code, t, x, near, m)
        s.evaluations += 1
        if failed < 0:
            return int(failed)
        if failed == 0 and finite(near):
            sides += 1
            for i in range(n):
                out[i] += way * (near[i] - s.K[0, i])
    for i in range(n):
        out[i] /= max(sides, 1) * step
    return 0


@mark_cold
def differences(code: Code, m: Memory, s: DenseJacobian, every: bool) -> int:
    """Differences for every column, or for those that are not finite; 0, or the program's status."""
    for j in range(m.x.size):
        if every or not finite(s.J[j]):
            size = max(abs(m.x[j]), abs(s.h * s.K[0, j]), s.atol[j])
            failed = column(code, m, s, j, NUDGE * size, s.J[j])
            if failed < 0:
                return int(failed)
    if every or not finite(s.slopes_t):
        return int(column(code, m, s, -1, SOON * s.h, s.slopes_t))
    return 0
