"""Bias torque in world axes: what the joints need where qdd = 0, on top of positions known already."""

from __future__ import annotations

from ..model.table import GRAVITY as FALL, PARENT, PRISMATIC, TIP
from .effort import hand_on, take
from .frames import tool_point
from .friction import friction_of
from .work import (
    FORCE,
    FRICTION,
    GRAVITY,
    HEAVY,
    ORIGIN,
    PUSH,
    REACH,
    ROTATION,
    TORQUE,
    TURN,
    TURN_RATE,
    Array,
)  # fmt: skip


def bias(arm: Array, qd: Array, wrench: Array, terms: int, work: Array, h: Array) -> None:
    """h = c(q, qd) + g(q) + f(qd) - J^T wrench, written into h (n,).

    Needs `positions` and `inertias` of the bodies alone; leaves them as they are. Newton-Euler without any
    rotation, since all is in world axes.
    """
    drift(arm, qd, terms & GRAVITY, work)
    touch(arm, wrench, work)
    _gather(arm, qd, terms, work, h)


def touch(arm: Array, wrench: Array, work: Array) -> None:
    """Take the wrench on the tool from what the body that carries it needs."""
    tip = int(arm[arm.shape[0] - 1, TIP])
    if tip >= 0:
        x, y, z = tool_point(arm, work)
        x, y, z = x - work[tip, ORIGIN], y - work[tip, ORIGIN + 1], z - work[tip, ORIGIN + 2]
        force, torque = (-wrench[0], -wrench[1], -wrench[2]), (-wrench[3], -wrench[4], -wrench[5])
        hand_on(work, tip, (x, y, z), force, torque)


def drift(arm: Array, qd: Array, gravity: int, work: Array) -> None:
    """TURN, TURN_RATE and PUSH where qdd = 0, FORCE and TORQUE that each body alone takes for them."""
    n = arm.shape[0] - 1
    gx, gy, gz = 0.0, 0.0, 0.0
    if gravity:
        gx, gy, gz = -arm[n, FALL], -arm[n, FALL + 1], -arm[n, FALL + 2]
    for i in range(n):
        p = int(arm[i, PARENT])
        wx, wy, wz, ux, uy, uz, px, py, pz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, gx, gy, gz
        rate = qd[i]
        ax, ay, az = work[i, ROTATION + 2] * rate, work[i, ROTATION + 5] * rate, work[i, ROTATION + 8] * rate
        if p >= 0:
            x, y, z = work[i, REACH], work[i, REACH + 1], work[i, REACH + 2]
            wx, wy, wz = work[p, TURN], work[p, TURN + 1], work[p, TURN + 2]
            ux, uy, uz = work[p, TURN_RATE], work[p, TURN_RATE + 1], work[p, TURN_RATE + 2]
            sx, sy, sz = wy * z - wz * y, wz * x - wx * z, wx * y - wy * x
            px = work[p, PUSH] + uy * z - uz * y + wy * sz - wz * sy
            py = work[p, PUSH + 1] + uz * x - ux * z + wz * sx - wx * sz
            pz = work[p, PUSH + 2] + ux * y - uy * x + wx * sy - wy * sx
        sx, sy, sz = wy * az - wz * ay, wz * ax - wx * az, wx * ay - wy * ax
        if arm[i, PRISMATIC] != 0.0:
            px, py, pz = px + 2.0 * sx, py + 2.0 * sy, pz + 2.0 * sz
        else:
            ux, uy, uz = ux + sx, uy + sy, uz + sz
            wx, wy, wz = wx + ax, wy + ay, wz + az
        work[i, TURN], work[i, TURN + 1], work[i, TURN + 2] = wx, wy, wz
        work[i, TURN_RATE], work[i, TURN_RATE + 1], work[i, TURN_RATE + 2] = ux, uy, uz
        work[i, PUSH], work[i, PUSH + 1], work[i, PUSH + 2] = px, py, pz
        take(work, HEAVY, i, (wx, wy, wz), (ux, uy, uz), (px, py, pz), work)


def _gather(arm: Array, qd: Array, terms: int, work: Array, h: Array) -> None:
    """Sum the forces from the tips to the base."""
    for i in range(arm.shape[0] - 2, -1, -1):
        fx, fy, fz = work[i, FORCE], work[i, FORCE + 1], work[i, FORCE + 2]
        tx, ty, tz = work[i, TORQUE], work[i, TORQUE + 1], work[i, TORQUE + 2]
        ax, ay, az = work[i, ROTATION + 2], work[i, ROTATION + 5], work[i, ROTATION + 8]
        if arm[i, PRISMATIC] != 0.0:
            along = ax * fx + ay * fy + az * fz
        else:
            along = ax * tx + ay * ty + az * tz
        if terms & FRICTION:
            along += friction_of(arm, i, qd[i])
        h[i] = along
        p = int(arm[i, PARENT])
        if p >= 0:
            x, y, z = work[i, REACH], work[i, REACH + 1], work[i, REACH + 2]
            hand_on(work, p, (x, y, z), (fx, fy, fz), (tx, ty, tz))
