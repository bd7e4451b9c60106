"""Inertias of bodies and of all that they carry, in world axes about each body's origin."""

from __future__ import annotations

from ..model.table import INERTIA, MASS, MOMENT, PARENT
from .bodies import rotate
from .work import FIRST, HEAVY, REACH, ROTATION, SECOND, Array


def moments(arm: Array, work: Array) -> None:
    """HEAVY and FIRST of every body; needs `positions`."""
    for i in range(arm.shape[0] - 1):
        work[i, HEAVY] = arm[i, MASS]
        x, y, z = rotate(work, i, ROTATION, arm[i, MOMENT], arm[i, MOMENT + 1], arm[i, MOMENT + 2])
        work[i, FIRST], work[i, FIRST + 1], work[i, FIRST + 2] = x, y, z


def inertias(arm: Array, work: Array) -> None:
    """HEAVY, FIRST and SECOND of every body; needs `positions`."""
    moments(arm, work)
    for i in range(arm.shape[0] - 1):
        a, b, c = work[i, ROTATION], work[i, ROTATION + 1], work[i, ROTATION + 2]
        d, e, f = work[i, ROTATION + 3], work[i, ROTATION + 4], work[i, ROTATION + 5]
        g, h, k = work[i, ROTATION + 6], work[i, ROTATION + 7], work[i, ROTATION + 8]
        xx, yy, zz = arm[i, INERTIA], arm[i, INERTIA + 1], arm[i, INERTIA + 2]
        xy, xz, yz = arm[i, INERTIA + 3], arm[i, INERTIA + 4], arm[i, INERTIA + 5]
        px, py, pz = a * xx + b * xy + c * xz, a * xy + b * yy + c * yz, a * xz + b * yz + c * zz
        qx, qy, qz = d * xx + e * xy + f * xz, d * xy + e * yy + f * yz, d * xz + e * yz + f * zz
        rx, ry, rz = g * xx + h * xy + k * xz, g * xy + h * yy + k * yz, g * xz + h * yz + k * zz
        work[i, SECOND] = px * a + py * b + pz * c
        work[i, SECOND + 1] = qx * d + qy * e + qz * f
        work[i, SECOND + 2] = rx * g + ry * h + rz * k
        work[i, SECOND + 3] = px * d + py * e + pz * f
        work[i, SECOND + 4] = px * g + py * h + pz * k
        work[i, SECOND + 5] = qx * g + qy * h + qz * k


def hand_over(arm: Array, work: Array, i: int) -> None:
    """Add what body i and all that it carries weigh to its parent; call from the last body to the first."""
    p = int(arm[i, PARENT])
    if p < 0:
        return
    m, cx, cy, cz = work[i, HEAVY], work[i, FIRST], work[i, FIRST + 1], work[i, FIRST + 2]
    x, y, z = work[i, REACH], work[i, REACH + 1], work[i, REACH + 2]
    tx, ty, tz = cx + 0.5 * m * x, cy + 0.5 * m * y, cz + 0.5 * m * z
    work[p, HEAVY] += m
    work[p, FIRST] += cx + m * x
    work[p, FIRST + 1] += cy + m * y
    work[p, FIRST + 2] += cz + m * z
    xx, yy, zz = 2.0 * x * tx, 2.0 * y * ty, 2.0 * z * tz
    work[p, SECOND] += work[i, SECOND] + yy + zz
    work[p, SECOND + 1] += work[i, SECOND + 1] + xx + zz
    work[p, SECOND + 2] += work[i, SECOND + 2] + xx + yy
    work[p, SECOND + 3] += work[i, SECOND + 3] - x * ty - y * tx
    work[p, SECOND + 4] += work[i, SECOND + 4] - x * tz - z * tx
    work[p, SECOND + 5] += work[i, SECOND + 5] - y * tz - z * ty
