"""Mass matrix of an arm in joint coordinates and at its tool, with its Cholesky factor."""

from __future__ import annotations

from math import sqrt

from ..model.table import ARMATURE, PARENT, PRISMATIC
from .bodies import (
    COLUMNS,
    FIRST,
    HEAVY,
    MATRIX,
    REACH,
    ROTATION,
    SECOND,
    UNSIGNED,
    Array,
    count,
    gather_both,
    hand_over,
    inertias,
    positions,
)
from .kinematics import columns, resolve

# A pivot below this fraction of its diagonal element counts as 0. Rounding leaves (n + 1) 1.1e-16 of it in
# the pivot (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., 2002, theorem 10.3): 1e-14 is
# above this for up to about 90 joints.
SMALL = 1e-14


def factor(A: Array, at: int, n: int) -> int:
    """A = L L^T in the lower triangle of A[:n, at : at + n], with 1 / L_ii on the diagonal; in place.

    Reads the lower triangle only. Returns -1, or the row at which A is not positive definite.
    """
    for j in range(n):
        diagonal = A[j, at + j]
        pivot = diagonal
        for k in range(j):
            pivot -= A[j, at + k] * A[j, at + k]
        if not pivot > SMALL * diagonal:
            return j
        inverse = 1.0 / sqrt(pivot)  # stored in place of L_jj: solutions multiply instead of dividing
        A[j, at + j] = inverse
        for i in range(j + 1, n):
            total = A[i, at + j]
            for k in range(j):
                total -= A[i, at + k] * A[j, at + k]
            A[i, at + j] = total * inverse
    return -1


def forwards(L: Array, at: int, n: int, x: Array) -> None:
    """x = L^-1 x, with L from `factor`."""
    for i in range(n):
        total = x[i]
        for k in range(i):
            total -= L[i, at + k] * x[k]
        x[i] = total * L[i, at + i]


def backwards(L: Array, at: int, n: int, x: Array) -> None:
    """x = L^-T x, with L from `factor`."""
    for i in range(n - 1, -1, -1):
        total = x[i]
        for k in range(i + 1, n):
            total -= L[k, at + i] * x[k]
        x[i] = total * L[i, at + i]


def solve(L: Array, at: int, n: int, x: Array) -> None:
    """x = (L L^T)^-1 x, with L from `factor`."""
    forwards(L, at, n, x)
    backwards(L, at, n, x)


def forwards_row(L: Array, at: int, n: int, X: Array, r: int) -> None:
    """Like `forwards`, on the row r of X."""
    for i in range(n):
        total = X[r, i]
        for k in range(i):
            total -= L[i, at + k] * X[r, k]
        X[r, i] = total * L[i, at + i]


def invert(L: Array, n: int) -> None:
    """The inverse (L L^T)^-1, both triangles, in place of L from `factor`."""
    for j in range(n):  # L^-1 in the lower triangle
        for i in range(j + 1, n):
            total = 0.0
            for k in range(j, i):
                total -= L[i, k] * L[k, j]
            L[i, j] = total * L[i, i]
    for i in range(n):  # L^-T L^-1, from the first row: row i needs only rows i to n - 1
        for j in range(i + 1):
            total = 0.0
            for k in range(i, n):
                total += L[k, i] * L[k, j]
            L[i, j] = total
    for i in range(n):
        for j in range(i):
            L[j, i] = L[i, j]


TINY = 1e-14  # of an inertia's trace: a smaller inertia about an axis is rounding, e.g. mass on the axis


def mass_matrix(arm: Array, q: Array, work: Array, M: Array) -> None:
    """M(q), with the armatures on its diagonal, written into M (n, n); both triangles.

    Walker, Orin, Efficient Dynamic Computer Simulation of Robotic Mechanisms, J. Dyn. Sys. Meas. Control
    104(3), 1982; Featherstone, Rigid Body Dynamics Algorithms, 2008, section 6.2.
    """
    positions(arm, q, work)
    inertias(arm, work)
    lower_mass_matrix(arm, work, M, 0)
    for i in range(M.shape[0]):
        for j in range(i):
            M[j, i] = M[i, j]


def lower_mass_matrix(arm: Array, work: Array, M: Array, at: int) -> None:
    """The lower triangle of the mass matrix into M[:n, at : at + n]; needs `positions`, `inertias`.

    M may be work itself, at MATRIX.
    """
    n, joints = count(arm), arm.shape[0] - 1
    if n == joints:
        _lower_of_joints(arm, work, M, at)
    else:
        wide = MATRIX + n + COLUMNS
        _lower_of_joints(arm, work, work, wide)
        for i in range(joints):
            for j in range(i):
                work[j, wide + i] = work[i, wide + j]
        gather_both(arm, work, M, at)
    for i in range(n):
        M[i, at + i] += arm[i, ARMATURE]


def _lower_of_joints(arm: Array, work: Array, M: Array, at: int) -> None:
    """The lower triangle of the mass matrix of the joints, without motors."""
    for i in range(arm.shape[0] - 2, -1, -1):
        hand_over(arm, work, i)
        ax, ay, az = work[i, ROTATION + 2], work[i, ROTATION + 5], work[i, ROTATION + 8]
        cx, cy, cz = work[i, FIRST], work[i, FIRST + 1], work[i, FIRST + 2]
        if arm[i, PRISMATIC] != 0.0:
            m = work[i, HEAVY]
            fx, fy, fz = m * ax, m * ay, m * az
            tx, ty, tz = cy * az - cz * ay, cz * ax - cx * az, cx * ay - cy * ax
            M[i, at + i] = m
        else:
            fx, fy, fz = ay * cz - az * cy, az * cx - ax * cz, ax * cy - ay * cx
            xy, xz, yz = work[i, SECOND + 3], work[i, SECOND + 4], work[i, SECOND + 5]
            tx = work[i, SECOND] * ax + xy * ay + xz * az
            ty = xy * ax + work[i, SECOND + 1] * ay + yz * az
            tz = xz * ax + yz * ay + work[i, SECOND + 2] * az
            moment = ax * tx + ay * ty + az * tz
            trace = work[i, SECOND] + work[i, SECOND + 1] + work[i, SECOND + 2]
            M[i, at + i] = without_rounding(moment, trace)
        _row(arm, work, i, fx, fy, fz, tx, ty, tz, M, at)


def without_rounding(moment: float, trace: float) -> float:
    """An inertia about an axis; 0 if it is rounding compared with the trace of the inertia."""
    return 0.0 if abs(moment) < TINY * abs(trace) else moment


def _row(
    arm: Array, work: Array, i: int, fx: float, fy: float, fz: float, tx: float, ty: float, tz: float,
    M: Array, at: int,
) -> None:  # fmt: skip
    """Components at the joints below joint i of the force and torque at joint i."""
    for j in range(i):
        M[i, at + j] = 0.0
    j, k = int(arm[i, PARENT]), i
    while j >= 0:
        x, y, z = work[k, REACH], work[k, REACH + 1], work[k, REACH + 2]
        tx, ty, tz = tx + y * fz - z * fy, ty + z * fx - x * fz, tz + x * fy - y * fx
        ax, ay, az = work[j, ROTATION + 2], work[j, ROTATION + 5], work[j, ROTATION + 8]
        if arm[j, PRISMATIC] != 0.0:
            M[i, at + j] = ax * fx + ay * fy + az * fz + UNSIGNED
        else:
            M[i, at + j] = ax * tx + ay * ty + az * tz + UNSIGNED
        j, k = int(arm[j, PARENT]), j


def cartesian_inertia(arm: Array, q: Array, frame: int, work: Array, J: Array, A: Array) -> int:
    """(J M^-1 J^T)^-1, written into A (6, 6), with the Jacobian in the given frame; J (6, n) is overwritten.

    Khatib, A Unified Approach for Motion and Force Control of Robot Manipulators, IEEE J. Robotics and
    Automation 3(1), 1987. Returns -1; or a joint along which the mass matrix is singular; or n plus the first
    row of the Jacobian that depends on earlier rows (n < 6, or a singular pose), with A undefined.
    """
    n = J.shape[1]
    positions(arm, q, work)
    columns(arm, work, J)
    resolve(arm, frame, work, J)
    inertias(arm, work)
    lower_mass_matrix(arm, work, work, MATRIX)
    singular = factor(work, MATRIX, n)
    if singular >= 0:
        return singular
    for r in range(6):
        forwards_row(work, MATRIX, n, J, r)
        for c in range(r + 1):
            total = 0.0
            for k in range(n):
                total += J[r, k] * J[c, k]
            A[r, c] = total
    singular = factor(A, 0, 6)
    if singular >= 0:
        return int(n + singular)
    invert(A, 6)
    return -1
