"""Inverse dynamics computes joint torques by recursive Newton-Euler, with bias and friction."""

from __future__ import annotations

from ..model.table import (
    ARMATURE as MOTOR,
    COULOMB_MINUS,
    COULOMB_PLUS,
    GRAVITY as FALL,
    MASS,
    PARENT,
    PRISMATIC,
    TIP,
    TOOL_P,
    VISCOUS,
)
from .bodies import (
    ALONG,
    ARMATURE,
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
    gather,
    hand_on,
    joint_place,
    rotate,
    rotate_back,
    take,
    value,
)
from .kinematics import tool_point


def friction_of(arm: Array, i: int, rate: float) -> float:
    """Friction torque at joint i at this rate, N m or N; at rest without Coulomb friction."""
    lost = float(arm[i, VISCOUS]) * rate
    if rate > 0.0:
        lost += arm[i, COULOMB_PLUS]
    elif rate < 0.0:
        lost -= arm[i, COULOMB_MINUS]
    return lost


def friction(arm: Array, qd: Array, tau: Array) -> None:
    """tau_i = b_i qd_i + (c+_i if qd_i > 0, -c-_i if qd_i < 0): the torque that balances friction."""
    for i in range(tau.shape[0]):
        tau[i] = friction_of(arm, i, qd[i])


def rnea(
    arm: Array, q: Array, qd: Array, qdd: Array, wrench: Array, terms: int, work: Array, tau: Array
) -> None:
    """tau = M(q) qdd + c(q, qd) + g(q) + f(qd) - J^T wrench, in O(n).

    q, qd, qdd, tau: (n,). wrench (6,): force and moment that the environment applies to the tool, in world
    axes at the tool's origin, N and N m. terms: the sum of the included effects, GRAVITY, FRICTION, ARMATURE.
    Luh, Walker, Paul, On-Line Computational Scheme for Mechanical Manipulators, J. Dyn. Sys. Meas. Control
    102(2), 1980; in body frames as in Featherstone, Rigid Body Dynamics Algorithms, 2008, chapter 5.
    """
    outwards(arm, q, qd, qdd, terms & GRAVITY, work)
    touch(arm, wrench, work)
    inwards(arm, qd, qdd, terms, work, tau)


def outwards(arm: Array, q: Array, qd: Array, qdd: Array, gravity: int, work: Array) -> None:
    """Motion of every body, with the force and torque that it requires, all in the body's axes."""
    n = arm.shape[0] - 1
    gx, gy, gz = 0.0, 0.0, 0.0
    if gravity:
        gx, gy, gz = -arm[n, FALL], -arm[n, FALL + 1], -arm[n, FALL + 2]
    for i in range(n):
        a, b, c, d, e, f, g, h, k, x, y, z = joint_place(arm, i, value(arm, i, q))
        work[i, ROTATION], work[i, ROTATION + 1], work[i, ROTATION + 2] = a, b, c
        work[i, ROTATION + 3], work[i, ROTATION + 4], work[i, ROTATION + 5] = d, e, f
        work[i, ROTATION + 6], work[i, ROTATION + 7], work[i, ROTATION + 8] = g, h, k
        work[i, REACH], work[i, REACH + 1], work[i, REACH + 2] = x, y, z
        p, rate, growth = int(arm[i, PARENT]), value(arm, i, qd), value(arm, i, qdd)
        wx, wy, wz, ux, uy, uz, ax, ay, az = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, gx, gy, gz
        if p >= 0:
            wx, wy, wz = work[p, TURN], work[p, TURN + 1], work[p, TURN + 2]
            ux, uy, uz = work[p, TURN_RATE], work[p, TURN_RATE + 1], work[p, TURN_RATE + 2]
            ax, ay, az = work[p, PUSH], work[p, PUSH + 1], work[p, PUSH + 2]
            sx, sy, sz = wy * z - wz * y, wz * x - wx * z, wx * y - wy * x
            ax += uy * z - uz * y + wy * sz - wz * sy
            ay += uz * x - ux * z + wz * sx - wx * sz
            az += ux * y - uy * x + wx * sy - wy * sx
            wx, wy, wz = a * wx + d * wy + g * wz, b * wx + e * wy + h * wz, c * wx + f * wy + k * wz
            ux, uy, uz = a * ux + d * uy + g * uz, b * ux + e * uy + h * uz, c * ux + f * uy + k * uz
        ax, ay, az = a * ax + d * ay + g * az, b * ax + e * ay + h * az, c * ax + f * ay + k * az
        if arm[i, PRISMATIC] != 0.0:
            ax += 2.0 * wy * rate
            ay -= 2.0 * wx * rate
            az += growth
        else:
            ux += wy * rate
            uy -= wx * rate
            uz += growth
            wz += rate
        work[i, TURN], work[i, TURN + 1], work[i, TURN + 2] = wx, wy, wz
        work[i, TURN_RATE], work[i, TURN_RATE + 1], work[i, TURN_RATE + 2] = ux, uy, uz
        work[i, PUSH], work[i, PUSH + 1], work[i, PUSH + 2] = ax, ay, az
        take(arm, MASS, i, (wx, wy, wz), (ux, uy, uz), (ax, ay, az), work)


def touch(arm: Array, wrench: Array, work: Array) -> None:
    """Subtract the wrench on the tool from the effort of the body that carries it; overwrites PUSH, TURN."""
    fx, fy, fz, nx, ny, nz = wrench[0], wrench[1], wrench[2], wrench[3], wrench[4], wrench[5]
    n = arm.shape[0] - 1
    tip = int(arm[n, TIP])
    if tip < 0 or (fx == 0.0 and fy == 0.0 and fz == 0.0 and nx == 0.0 and ny == 0.0 and nz == 0.0):
        return
    for i in range(tip + 1):  # the wrench in the axes of each body, the tip's last
        p = int(arm[i, PARENT])
        if p >= 0:
            fx, fy, fz = work[p, PUSH], work[p, PUSH + 1], work[p, PUSH + 2]
            nx, ny, nz = work[p, TURN], work[p, TURN + 1], work[p, TURN + 2]
        else:
            fx, fy, fz, nx, ny, nz = wrench[0], wrench[1], wrench[2], wrench[3], wrench[4], wrench[5]
        fx, fy, fz = rotate_back(work, i, ROTATION, fx, fy, fz)
        nx, ny, nz = rotate_back(work, i, ROTATION, nx, ny, nz)
        work[i, PUSH], work[i, PUSH + 1], work[i, PUSH + 2] = fx, fy, fz
        work[i, TURN], work[i, TURN + 1], work[i, TURN + 2] = nx, ny, nz
    x, y, z = arm[n, TOOL_P], arm[n, TOOL_P + 1], arm[n, TOOL_P + 2]
    hand_on(work, tip, (x, y, z), (-fx, -fy, -fz), (-nx, -ny, -nz))


def inwards(arm: Array, qd: Array, qdd: Array, terms: int, work: Array, tau: Array) -> None:
    """Sum the forces from the tips to the base; the component along a joint is its torque."""
    n = arm.shape[0] - 1
    for i in range(n - 1, -1, -1):
        fx, fy, fz = work[i, FORCE], work[i, FORCE + 1], work[i, FORCE + 2]
        nx, ny, nz = work[i, TORQUE], work[i, TORQUE + 1], work[i, TORQUE + 2]
        along = nz
        if arm[i, PRISMATIC] != 0.0:
            along = fz
        work[i, ALONG] = along
        p = int(arm[i, PARENT])
        if p >= 0:
            fx, fy, fz = rotate(work, i, ROTATION, fx, fy, fz)
            nx, ny, nz = rotate(work, i, ROTATION, nx, ny, nz)
            x, y, z = work[i, REACH], work[i, REACH + 1], work[i, REACH + 2]
            hand_on(work, p, (x, y, z), (fx, fy, fz), (nx, ny, nz))
    gather(arm, work, tau)
    for i in range(tau.shape[0]):
        if terms & ARMATURE:
            tau[i] += arm[i, MOTOR] * qdd[i]
        if terms & FRICTION:
            tau[i] += friction_of(arm, i, qd[i])


def bias(arm: Array, qd: Array, wrench: Array, terms: int, work: Array, h: Array) -> None:
    """h = c(q, qd) + g(q) + f(qd) - J^T wrench, written into h (n,).

    Needs `positions` and `inertias` of the single bodies, and does not change them. Newton-Euler without
    rotations, because all values are in world axes.
    """
    drift(arm, qd, terms & GRAVITY, work)
    touch_in_world(arm, wrench, work)
    _gather(arm, qd, terms, work, h)


def touch_in_world(arm: Array, wrench: Array, work: Array) -> None:
    """Subtract the wrench on the tool from the effort of the body that carries it."""
    tip = int(arm[arm.shape[0] - 1, TIP])
    if tip >= 0:
        x, y, z = tool_point(arm, work)
        x, y, z = x - work[tip, ORIGIN], y - work[tip, ORIGIN + 1], z - work[tip, ORIGIN + 2]
        force, torque = (-wrench[0], -wrench[1], -wrench[2]), (-wrench[3], -wrench[4], -wrench[5])
        hand_on(work, tip, (x, y, z), force, torque)


def drift(arm: Array, qd: Array, gravity: int, work: Array) -> None:
    """TURN, TURN_RATE and PUSH for qdd = 0, with FORCE and TORQUE of each body alone."""
    n = arm.shape[0] - 1
    gx, gy, gz = 0.0, 0.0, 0.0
    if gravity:
        gx, gy, gz = -arm[n, FALL], -arm[n, FALL + 1], -arm[n, FALL + 2]
    for i in range(n):
        p = int(arm[i, PARENT])
        wx, wy, wz, ux, uy, uz, px, py, pz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, gx, gy, gz
        rate = value(arm, i, qd)
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
        work[i, ALONG] = along
        p = int(arm[i, PARENT])
        if p >= 0:
            x, y, z = work[i, REACH], work[i, REACH + 1], work[i, REACH + 2]
            hand_on(work, p, (x, y, z), (fx, fy, fz), (tx, ty, tz))
    gather(arm, work, h)
    if terms & FRICTION:
        for i in range(h.shape[0]):
            h[i] += friction_of(arm, i, qd[i])
