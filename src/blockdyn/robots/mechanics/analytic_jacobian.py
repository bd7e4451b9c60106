"""Analytic Jacobian: the tool's velocity with the rates of three angles, or of a rotation vector."""

from __future__ import annotations

from ..lie.kernels.angles import euler_of, euler_rates, rpy_of, rpy_rates
from ..lie.kernels.rotation import left_jacobian3, rotation_vector
from ..lie.orders import ORDERS
from .frames import tool_pose
from .jacobian import columns
from .work import Array

EULER = 8  # angles ZYZ; below it the orders of roll, pitch, yaw that robots/lie knows
ROTATION_VECTOR = 9  # exponential coordinates
ANGLES = {**ORDERS, "rpy": ORDERS["zyx"], "euler": EULER, "exp": ROTATION_VECTOR}
SINGULAR = 1e-10  # of the determinant of the rates: the representation has lost a direction


def analytic_jacobian(arm: Array, q: Array, kind: int, work: Array, pose: Array, E: Array, J: Array) -> int:
    """[v; d phi/dt] = J(q) qd, into J (6, n): v of the tool's origin, phi of its orientation.

    phi is roll, pitch, yaw (`kind` an order of robots/lie), or EULER, or ROTATION_VECTOR. pose (4, 4) gets
    the tool's pose and E (3, 3) the matrix with omega = E d phi/dt.
    Returns -1, or 0 where the representation is singular, with rows 3 to 5 undefined.
    Siciliano et al., Robotics, 2009, section 3.6.
    """
    tool_pose(arm, q, work, pose)
    columns(arm, work, J)
    angle_rates(pose, kind, E)
    return to_rates(E, J)


def angle_rates(pose: Array, kind: int, E: Array) -> None:
    """E (3, 3) with omega = E d phi/dt at a pose; phi as in `analytic_jacobian`. Finite at every pose."""
    if kind == ROTATION_VECTOR:
        x, y, z = rotation_vector(pose)
        left_jacobian3(x, y, z, E)
    elif kind == EULER:
        x, y, z = euler_of(pose)
        euler_rates(x, y, E)
    else:
        x, y, z = rpy_of(pose, kind)
        rpy_rates(x, y, z, kind, E)


def to_rates(E: Array, J: Array) -> int:
    """Rows 3 to 5 of J, from omega to d phi/dt = E^-1 omega; -1, or 0 where E is singular."""
    ax, ay, az = _crossed_rows(E, 1, 2)
    det = E[0, 0] * ax + E[0, 1] * ay + E[0, 2] * az
    if not abs(det) > SINGULAR:
        return 0
    bx, by, bz = _crossed_rows(E, 2, 0)
    cx, cy, cz = _crossed_rows(E, 0, 1)
    s = 1.0 / det
    for i in range(J.shape[1]):  # E^-1 has the crossed rows as columns
        u, v, w = s * J[3, i], s * J[4, i], s * J[5, i]
        J[3, i], J[4, i], J[5, i] = (
            ax * u + bx * v + cx * w,
            ay * u + by * v + cy * w,
            az * u + bz * v + cz * w,
        )
    return -1


def _crossed_rows(E: Array, i: int, j: int) -> tuple[float, float, float]:
    return (
        E[i, 1] * E[j, 2] - E[i, 2] * E[j, 1],
        E[i, 2] * E[j, 0] - E[i, 0] * E[j, 2],
        E[i, 0] * E[j, 1] - E[i, 1] * E[j, 0],
    )
