"""Joint-space mass matrix by the composite rigid body algorithm."""

from __future__ import annotations

from ..model.table import ARMATURE, PARENT, PRISMATIC
from .bodies import positions
from .inertias import hand_over, inertias
from .work import FIRST, HEAVY, REACH, ROTATION, SECOND, Array

TINY = 1e-14  # of an inertia's trace: what an axis has of it below that is rounding, as of mass on the axis


def mass_matrix(arm: Array, q: Array, work: Array, M: Array) -> None:
    """M(q), with the armatures on its diagonal, written into M (n, n); both triangles.

    Walker, Orin, Efficient Dynamic Computer Simulation of Robotic Mechanisms, J. Dyn. Sys. Meas. Control
    104(3), 1982; Featherstone, Rigid Body Dynamics Algorithms, 2008, section 6.2. Leaves `positions` in work.
    """
    n = arm.shape[0] - 1
    positions(arm, q, work)
    inertias(arm, work)
    lower_mass_matrix(arm, work, M, 0)
    for i in range(n):
        for j in range(i):
            M[j, i] = M[i, j]


def lower_mass_matrix(arm: Array, work: Array, M: Array, at: int) -> None:
    """The lower triangle of the mass matrix into M[:n, at : at + n]; needs `positions`, `inertias`.

    M may be work itself, at MATRIX.
    """
    for i in range(arm.shape[0] - 2, -1, -1):
        hand_over(arm, work, i)
        ax, ay, az = work[i, ROTATION + 2], work[i, ROTATION + 5], work[i, ROTATION + 8]
        cx, cy, cz = work[i, FIRST], work[i, FIRST + 1], work[i, FIRST + 2]
        if arm[i, PRISMATIC] != 0.0:
            m = work[i, HEAVY]
            fx, fy, fz = m * ax, m * ay, m * az
            tx, ty, tz = cy * az - cz * ay, cz * ax - cx * az, cx * ay - cy * ax
            M[i, at + i] = m + arm[i, ARMATURE]
        else:
            fx, fy, fz = ay * cz - az * cy, az * cx - ax * cz, ax * cy - ay * cx
            xy, xz, yz = work[i, SECOND + 3], work[i, SECOND + 4], work[i, SECOND + 5]
            tx = work[i, SECOND] * ax + xy * ay + xz * az
            ty = xy * ax + work[i, SECOND + 1] * ay + yz * az
            tz = xz * ax + yz * ay + work[i, SECOND + 2] * az
            moment = ax * tx + ay * ty + az * tz
            if abs(moment) < TINY * abs(work[i, SECOND] + work[i, SECOND + 1] + work[i, SECOND + 2]):
                moment = 0.0
            M[i, at + i] = moment + arm[i, ARMATURE]
        _row(arm, work, i, fx, fy, fz, tx, ty, tz, M, at)


def _row(
    arm: Array, work: Array, i: int, fx: float, fy: float, fz: float, tx: float, ty: float, tz: float,
    M: Array, at: int,
) -> None:  # fmt: skip
    """What the force and torque that joint i needs does at the joints below it."""
    for j in range(i):
        M[i, at + j] = 0.0
    j, k = int(arm[i, PARENT]), i
    while j >= 0:
        x, y, z = work[k, REACH], work[k, REACH + 1], work[k, REACH + 2]
        tx, ty, tz = tx + y * fz - z * fy, ty + z * fx - x * fz, tz + x * fy - y * fx
        ax, ay, az = work[j, ROTATION + 2], work[j, ROTATION + 5], work[j, ROTATION + 8]
        if arm[j, PRISMATIC] != 0.0:
            M[i, at + j] = ax * fx + ay * fy + az * fz
        else:
            M[i, at + j] = ax * tx + ay * ty + az * tz
        j, k = int(arm[j, PARENT]), j
