"""Constrained forward dynamics: rows of equations on the joint rates, kept by forces that do no work."""

from __future__ import annotations

from math import sqrt

from .bodies import positions
from .cholesky import backwards, factor, forwards, forwards_row
from .forward_dynamics import factored
from .inertias import inertias
from .jacobian_rate import jacobian_and_drift
from .mass_matrix import lower_mass_matrix
from .work import MATRIX, Array

REDUNDANT = 1e-8  # of a row's length: with less of its own, a row says nothing that the others do not


def constrained_dynamics(
    arm: Array, q: Array, qd: Array, tau: Array, wrench: Array, terms: int, rows: Array, target: Array,
    work: Array, basis: Array, lower: Array, multipliers: Array, qdd: Array,
) -> int:  # fmt: skip
    """M qdd + c + g + f = tau + J^T wrench + rows^T multipliers, with rows qdd = target.

    rows (m, n), target (m,). Written: multipliers (m,), qdd (n,). Scratch: basis (m, n), lower (m, m).
    The rows are made orthogonal in the metric of M^-1 (Gram and Schmidt, twice), which is exact where the
    product rows M^-1 rows^T would square the condition. A row that depends on those before it gets
    multiplier 0.
    Returns how many such rows there are, or -1 - j where the mass matrix is singular along joint j.
    Murray, Li, Sastry, A Mathematical Introduction to Robotic Manipulation, 1994, section 6.1.
    """
    n, m = rows.shape[1], rows.shape[0]
    singular = factored(arm, q, qd, tau, wrench, terms, work, qdd)
    if singular >= 0:
        return -1 - singular
    forwards(work, MATRIX, n, qdd)
    redundant = _orthogonal(work, rows, basis, lower)
    for r in range(m):  # along each direction of the basis: the motion wanted less the motion there is
        if lower[r, r] == 0.0:
            multipliers[r] = 0.0
            continue
        wanted, found = target[r], 0.0
        for i in range(n):
            found += basis[r, i] * qdd[i]
        for k in range(r):
            wanted -= lower[r, k] * (multipliers[k] + _along(basis, k, qdd))
        multipliers[r] = wanted / lower[r, r] - found
    for r in range(m):
        for i in range(n):
            qdd[i] += multipliers[r] * basis[r, i]
    backwards(work, MATRIX, n, qdd)
    _solve_transposed(lower, multipliers)
    return redundant


def least_motion(
    arm: Array, q: Array, rows: Array, target: Array, work: Array, basis: Array, lower: Array, change: Array
) -> int:
    """The change (n,) of rows change = target with the least kinetic energy: projection onto the constraints.

    With target = rows qd, qd - change keeps the constraints; with the violation of the constraints as target,
    q - change is Newton's step back to them. Returns as `constrained_dynamics`.
    """
    n, m = rows.shape[1], rows.shape[0]
    positions(arm, q, work)
    inertias(arm, work)
    lower_mass_matrix(arm, work, work, MATRIX)
    singular = factor(work, MATRIX, n)
    if singular >= 0:
        return -1 - singular
    redundant = _orthogonal(work, rows, basis, lower)
    for i in range(n):
        change[i] = 0.0
    for r in range(m):
        if lower[r, r] == 0.0:
            continue
        wanted = target[r]
        for k in range(r):
            wanted -= lower[r, k] * _along(basis, k, change)
        for i in range(n):
            change[i] += wanted / lower[r, r] * basis[r, i]
    backwards(work, MATRIX, n, change)
    return redundant


def tool_constraint(
    arm: Array,
    q: Array,
    qd: Array,
    Je: Array,
    Je_dot: Array,
    work: Array,
    J: Array,
    rows: Array,
    drift: Array,
) -> None:
    """From equations Je [v; w] = 0 on the tool's velocity (world axes) to rows qd = 0 on the joints'.

    Je and its time derivative Je_dot are (m, 6), J (6, n) is scratch. Written: rows = Je J (m, n) and
    drift = d(rows)/dt qd (m,), so that target = -drift keeps the equations.
    """
    n, m = J.shape[1], Je.shape[0]
    a0, a1, a2, a3, a4, a5 = jacobian_and_drift(arm, q, qd, work, J)
    for r in range(m):
        drift[r] = (
            Je[r, 0] * a0 + Je[r, 1] * a1 + Je[r, 2] * a2 + Je[r, 3] * a3 + Je[r, 4] * a4 + Je[r, 5] * a5
        )
        for i in range(n):
            total, rate = 0.0, 0.0
            for k in range(6):
                total += Je[r, k] * J[k, i]
                rate += Je_dot[r, k] * J[k, i]
            rows[r, i] = total
            drift[r] += rate * qd[i]


def baumgarte(
    rows: Array, qd: Array, drift: Array, violation: Array, damping: float, frequency: float, target: Array
) -> None:
    """target = -drift - 2 damping frequency rows qd - frequency^2 violation, written into target (m,).

    Violations then decay as exp(-frequency t) with damping 1. Baumgarte, Stabilization of constraints and
    integrals of motion in dynamical systems, Comp. Meth. Appl. Mech. Eng. 1(1), 1972.
    """
    for r in range(rows.shape[0]):
        rate = 0.0
        for i in range(rows.shape[1]):
            rate += rows[r, i] * qd[i]
        target[r] = -drift[r] - 2.0 * damping * frequency * rate - frequency * frequency * violation[r]


def _orthogonal(work: Array, rows: Array, basis: Array, lower: Array) -> int:
    """rows L^-T = lower basis, L the factor of M, the basis orthonormal; a dependent row gets diagonal 0."""
    n, m = rows.shape[1], rows.shape[0]
    redundant = 0
    for r in range(m):
        for i in range(n):
            basis[r, i] = rows[r, i]
        forwards_row(work, MATRIX, n, basis, r)
        for k in range(m):
            lower[r, k] = 0.0
        whole = _length(basis, r)
        for _ in range(2):  # the second time removes what rounding left
            for k in range(r):
                along = 0.0
                for i in range(n):
                    along += basis[r, i] * basis[k, i]
                lower[r, k] += along
                for i in range(n):
                    basis[r, i] -= along * basis[k, i]
        own = _length(basis, r)
        if own > REDUNDANT * whole:
            lower[r, r] = own
            for i in range(n):
                basis[r, i] /= own
        else:
            redundant += 1
            for i in range(n):
                basis[r, i] = 0.0
    return redundant


def _length(A: Array, r: int) -> float:
    total = 0.0
    for i in range(A.shape[1]):
        total += A[r, i] * A[r, i]
    return sqrt(total)


def _along(basis: Array, r: int, x: Array) -> float:
    total = 0.0
    for i in range(x.shape[0]):
        total += basis[r, i] * x[i]
    return total


def _solve_transposed(lower: Array, x: Array) -> None:
    """x = lower^-T x, where rows with diagonal 0 count for nothing."""
    for r in range(x.shape[0] - 1, -1, -1):
        if lower[r, r] == 0.0:
            x[r] = 0.0
            continue
        for k in range(r + 1, x.shape[0]):
            x[r] -= lower[k, r] * x[k]
        x[r] /= lower[r, r]
