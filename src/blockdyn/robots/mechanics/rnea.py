"""Inverse dynamics: recursive Newton-Euler in body frames."""

from __future__ import annotations

from ..model.table import ARMATURE as MOTOR, GRAVITY as FALL, MASS, PARENT, PRISMATIC, TIP, TOOL_P
from .bodies import joint_place, rotate, rotate_back
from .effort import hand_on, take
from .friction import friction_of
from .work import ARMATURE, FORCE, FRICTION, GRAVITY, PUSH, REACH, ROTATION, TORQUE, TURN, TURN_RATE, Array


def rnea(
    arm: Array, q: Array, qd: Array, qdd: Array, wrench: Array, terms: int, work: Array, tau: Array
) -> None:
    """tau = M(q) qdd + c(q, qd) + g(q) + f(qd) - J^T wrench, in O(n).

    q, qd, qdd, tau: (n,). wrench (6,): force and moment that the environment applies to the tool, in world
    axes at the tool's origin, N and N m. terms: the sum of those of GRAVITY, FRICTION, ARMATURE that count.
    Luh, Walker, Paul, On-Line Computational Scheme for Mechanical Manipulators, J. Dyn. Sys. Meas. Control
    102(2), 1980; in body frames as in Featherstone, Rigid Body Dynamics Algorithms, 2008, chapter 5.
    """
    outwards(arm, q, qd, qdd, terms & GRAVITY, work)
    touch(arm, wrench, work)
    inwards(arm, qd, qdd, terms, work, tau)


def outwards(arm: Array, q: Array, qd: Array, qdd: Array, gravity: int, work: Array) -> None:
    """Motion of every body, and the force and torque that it takes: all in the body's own axes."""
    n = arm.shape[0] - 1
    gx, gy, gz = 0.0, 0.0, 0.0
    if gravity:
        gx, gy, gz = -arm[n, FALL], -arm[n, FALL + 1], -arm[n, FALL + 2]
    for i in range(n):
        a, b, c, d, e, f, g, h, k, x, y, z = joint_place(arm, i, q[i])
        work[i, ROTATION], work[i, ROTATION + 1], work[i, ROTATION + 2] = a, b, c
        work[i, ROTATION + 3], work[i, ROTATION + 4], work[i, ROTATION + 5] = d, e, f
        work[i, ROTATION + 6], work[i, ROTATION + 7], work[i, ROTATION + 8] = g, h, k
        work[i, REACH], work[i, REACH + 1], work[i, REACH + 2] = x, y, z
        p = int(arm[i, PARENT])
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
            ax += 2.0 * wy * qd[i]
            ay -= 2.0 * wx * qd[i]
            az += qdd[i]
        else:
            ux += wy * qd[i]
            uy -= wx * qd[i]
            uz += qdd[i]
            wz += qd[i]
        work[i, TURN], work[i, TURN + 1], work[i, TURN + 2] = wx, wy, wz
        work[i, TURN_RATE], work[i, TURN_RATE + 1], work[i, TURN_RATE + 2] = ux, uy, uz
        work[i, PUSH], work[i, PUSH + 1], work[i, PUSH + 2] = ax, ay, az
        take(arm, MASS, i, (wx, wy, wz), (ux, uy, uz), (ax, ay, az), work)


def touch(arm: Array, wrench: Array, work: Array) -> None:
    """Take the wrench on the tool from what the body that carries it needs; PUSH and TURN are overwritten."""
    fx, fy, fz, nx, ny, nz = wrench[0], wrench[1], wrench[2], wrench[3], wrench[4], wrench[5]
    n = arm.shape[0] - 1
    tip = int(arm[n, TIP])
    if tip < 0 or (fx == 0.0 and fy == 0.0 and fz == 0.0 and nx == 0.0 and ny == 0.0 and nz == 0.0):
        return
    for i in range(tip + 1):  # the wrench in the axes of each body, of which the last is the tip's
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
    """Sum the forces from the tips to the base; what acts along a joint is its torque."""
    n = arm.shape[0] - 1
    for i in range(n - 1, -1, -1):
        fx, fy, fz = work[i, FORCE], work[i, FORCE + 1], work[i, FORCE + 2]
        nx, ny, nz = work[i, TORQUE], work[i, TORQUE + 1], work[i, TORQUE + 2]
        along = nz
        if arm[i, PRISMATIC] != 0.0:
            along = fz
        if terms & ARMATURE:
            along += arm[i, MOTOR] * qdd[i]
        if terms & FRICTION:
            along += friction_of(arm, i, qd[i])
        tau[i] = along
        p = int(arm[i, PARENT])
        if p >= 0:
            fx, fy, fz = rotate(work, i, ROTATION, fx, fy, fz)
            nx, ny, nz = rotate(work, i, ROTATION, nx, ny, nz)
            x, y, z = work[i, REACH], work[i, REACH + 1], work[i, REACH + 2]
            hand_on(work, p, (x, y, z), (fx, fy, fz), (nx, ny, nz))
