"""Constrained forward dynamics: forces without work maintain linear equations on the joint rates."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

from .bodies import MATRIX, Array, inertias, positions
from .forward_dynamics import factor_mass_matrix
from .jacobian_rate import jacobian_and_drift
from .mass_matrix import backwards, factor, forwards, forwards_row, lower_mass_matrix

# Relative to a row's length: a row with a smaller independent part is dependent. It is the root of the
# rounding error of a double: rounding of rows with 16 digits stays below it, and an almost dependent row
# gives multipliers with at least half of these digits.
REDUNDANT = 1e-8


class Equations(NamedTuple):
    """Equations A x = target on the rates or accelerations x of the joints, and workspace to solve them."""

    A: Array  # (m, n)
    target: Array  # (m,)
    basis: Array  # (m, n): of the rows, orthonormal in the metric of M^-1
    lower: Array  # (m, m): A L^-T = lower basis, with L the factor of M


def constrained_dynamics(
    arm: Array, q: Array, qd: Array, tau: Array, wrench: Array, terms: int, equations: Equations,
    work: Array, multipliers: Array, qdd: Array,
) -> int:  # fmt: skip
    """M qdd + c + g + f = tau + J^T wrench + A^T multipliers, with A qdd = target.

    Written: multipliers (m,), qdd (n,); the factor of M stays in work, the basis in equations.
    The rows are made orthogonal in the metric of M^-1 (Gram and Schmidt, twice), which is accurate; the
    product A M^-1 A^T would square the condition. A row that depends on earlier rows gets multiplier 0.
    Returns the number of such rows, or -1 - j if the mass matrix is singular along joint j.
    Murray, Li, Sastry, A Mathematical Introduction to Robotic Manipulation, 1994, section 6.1.
    """
    target, basis, lower = equations.target, equations.basis, equations.lower
    m, n = basis.shape
    singular = factor_mass_matrix(arm, q, qd, tau, wrench, terms, work, qdd)
    if singular >= 0:
        return -1 - singular
    forwards(work, MATRIX, n, qdd)  # below, qdd is L^T qdd: M is 1, and the basis is orthonormal
    redundant = _orthogonal(work, equations)
    for r in range(m):  # along each direction of the basis: required minus free motion
        if lower[r, r] == 0.0:
            multipliers[r] = 0.0
            continue
        required, free = target[r], 0.0
        for i in range(n):
            free += basis[r, i] * qdd[i]
        for k in range(r):
            required -= lower[r, k] * (multipliers[k] + _project_on_row(basis, k, qdd))
        multipliers[r] = required / lower[r, r] - free
    for r in range(m):
        for i in range(n):
            qdd[i] += multipliers[r] * basis[r, i]
    backwards(work, MATRIX, n, qdd)
    _solve_transpose(lower, multipliers)
    return redundant


def least_motion(arm: Array, q: Array, equations: Equations, work: Array, change: Array) -> int:
    """The change (n,) of A change = target with the least kinetic energy: projection onto the constraints.

    With target = A qd, qd - change keeps the constraints; with the violation of the constraints as target,
    q - change is Newton's step back to them. Returns as `constrained_dynamics`.
    """
    target, basis, lower = equations.target, equations.basis, equations.lower
    m, n = basis.shape
    positions(arm, q, work)
    inertias(arm, work)
    lower_mass_matrix(arm, work, work, MATRIX)
    singular = factor(work, MATRIX, n)
    if singular >= 0:
        return -1 - singular
    redundant = _orthogonal(work, equations)
    for i in range(n):
        change[i] = 0.0
    for r in range(m):
        if lower[r, r] == 0.0:
            continue
        required = target[r]
        for k in range(r):
            required -= lower[r, k] * _project_on_row(basis, k, change)
        for i in range(n):
            change[i] += required / lower[r, r] * basis[r, i]
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
    """Convert equations Je [v; w] = 0 on the tool's velocity (world axes) to rows qd = 0 on joint rates.

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


def _orthogonal(work: Array, equations: Equations) -> int:
    """A L^-T = lower basis, L the factor of M, the basis orthonormal; a dependent row gets diagonal 0.

    Gram and Schmidt's sums are taken twice: the second pass removes components along other directions that
    rounding left in the first. Giraud, Langou, Rozloznik, Computers and Mathematics with Applications
    50, 2005.
    """
    rows, basis, lower = equations.A, equations.basis, equations.lower
    m, n = rows.shape
    redundant = 0
    for r in range(m):
        for i in range(n):
            basis[r, i] = rows[r, i]
        forwards_row(work, MATRIX, n, basis, r)
        for k in range(m):
            lower[r, k] = 0.0
        length = _length(basis, r)
        for _ in range(2):
            for k in range(r):
                along = 0.0
                for i in range(n):
                    along += basis[r, i] * basis[k, i]
                lower[r, k] += along
                for i in range(n):
                    basis[r, i] -= along * basis[k, i]
        remainder = _length(basis, r)
        if remainder > REDUNDANT * length:
            lower[r, r] = remainder
            for i in range(n):
                basis[r, i] /= remainder
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


def _project_on_row(basis: Array, r: int, x: Array) -> float:
    total = 0.0
    for i in range(x.shape[0]):
        total += basis[r, i] * x[i]
    return total


def _solve_transpose(lower: Array, x: Array) -> None:
    """x = lower^-T x, where rows with diagonal 0 are ignored."""
    for r in range(x.shape[0] - 1, -1, -1):
        if lower[r, r] == 0.0:
            x[r] = 0.0
            continue
        for k in range(r + 1, x.shape[0]):
            x[r] -= lower[k, r] * x[k]
        x[r] /= lower[r, r]
