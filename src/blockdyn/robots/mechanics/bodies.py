"""Bodies in world axes: positions, velocities, inertias and efforts, in one array that all kernels use.

A kernel receives it as its argument `work`, of shape `work_shape(n)`; its contents afterwards are undefined,
except as documented. Vectors are in world axes; moments, inertias and torques are taken about
the origin of the row's body.
"""

from __future__ import annotations

from math import cos, sin

import numpy as np
from numpy.typing import NDArray

from ..model.table import (
    COORDINATE,
    COUNT,
    INERTIA,
    MASS,
    MOMENT,
    OFFSET,
    PARENT,
    PLACE_P,
    PLACE_R,
    PRISMATIC,
    RATIO,
)

Array = NDArray[np.float64]

ROTATION = 0  # 9: body axes in the world, row by row
ORIGIN = 9  # 3: of the body frame
REACH = 12  # 3: origin minus the parent body's origin
TURN = 15  # 3: angular velocity
SPEED = 18  # 3: velocity of the origin
TURN_RATE = 21  # 3: angular acceleration
PUSH = 24  # 3: acceleration of the origin
FORCE = 27  # 3
TORQUE = 30  # 3: about the origin
HEAVY = 33  # mass of the body, or of the body with all that it carries
FIRST = 34  # 3: first moment of mass
SECOND = 37  # 6: inertia xx, yy, zz, xy, xz, yz
MOMENTUM = 43  # 3: linear
SWIRL = 46  # 9: the angular part of the Coriolis factor
HALF = 55  # 6 + 9 + 6: articulated inertia: d force/d PUSH, d force/d TURN_RATE, d torque/d TURN_RATE
THRUST = 76  # 6: force and torque of the articulated body per acceleration of its joint
PIVOT = 82  # inverse of its inertia along the joint
DRIVE = 83  # joint torque minus the torque that holds the body
ALONG = DRIVE  # force or torque along the joint
MATRIX = 84  # n: a row of the mass matrix or of its factor
COLUMNS = 6  # after it: one row of a six-column matrix
# after it, if joints share coordinates: a row of a matrix with one row and column for each joint


UNSIGNED = 0.0
"""Added to results to make their zeros positive: code traced for a robot (robots/equations) omits its
zero terms, and with them the signs of zeros."""


def unsigned(A: Array) -> None:
    """Make the zeros of a matrix positive."""
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            A[i, j] += UNSIGNED


def work_shape(n: int, joints: int = 0) -> tuple[int, int]:
    """The shape of the work array of a robot with n coordinates, and more joints if they share them."""
    return max(n, joints), MATRIX + n + COLUMNS + (joints if joints > n else 0)


def count(arm: Array) -> int:
    """The number of coordinates."""
    return int(arm[arm.shape[0] - 1, COUNT])


def value(arm: Array, i: int, x: Array) -> float:
    """The coordinate, rate or acceleration of joint i: a multiple of the value of its coordinate."""
    return float(arm[i, RATIO] * x[int(arm[i, COORDINATE])])


def gather(arm: Array, work: Array, tau: Array) -> None:
    """tau (n,), the forces along the coordinates, from ALONG of all joints."""
    n = tau.shape[0]
    for i in range(n):
        tau[i] = work[i, ALONG] + UNSIGNED
    if arm.shape[0] - 1 > n:
        for i in range(n):
            tau[i] = 0.0
        for i in range(arm.shape[0] - 1):
            tau[int(arm[i, COORDINATE])] += arm[i, RATIO] * work[i, ALONG]


def gather_both(arm: Array, work: Array, M: Array, at: int) -> None:
    """M[:n, at : at + n], for the coordinates, from the matrix of their joints at the end of work."""
    n, joints = count(arm), arm.shape[0] - 1
    wide = MATRIX + n + COLUMNS
    for i in range(n):
        for j in range(n):
            M[i, at + j] = 0.0
    for i in range(joints):
        for j in range(joints):
            share = arm[i, RATIO] * arm[j, RATIO] * work[i, wide + j]
            M[int(arm[i, COORDINATE]), at + int(arm[j, COORDINATE])] += share


def put_column(arm: Array, i: int, J: Array, at: int, x: float, y: float, z: float) -> None:
    """Write three rows of joint i's column into its coordinate's column; add if joints share coordinates."""
    c = int(arm[i, COORDINATE])
    if arm.shape[0] - 1 > J.shape[1]:
        ratio = arm[i, RATIO]
        x, y, z = J[at, c] + ratio * x, J[at + 1, c] + ratio * y, J[at + 2, c] + ratio * z
    J[at, c], J[at + 1, c], J[at + 2, c] = x, y, z


# terms of a torque, to be summed
GRAVITY = 1
FRICTION = 2
ARMATURE = 4
EVERYTHING = 7


def joint_place(arm: Array, i: int, x: float) -> tuple[float, ...]:
    """Body i's axes (9 numbers, row by row) and origin (3) in its parent's frame, at the coordinate x."""
    a, b, c = arm[i, PLACE_R], arm[i, PLACE_R + 1], arm[i, PLACE_R + 2]
    d, e, f = arm[i, PLACE_R + 3], arm[i, PLACE_R + 4], arm[i, PLACE_R + 5]
    g, h, k = arm[i, PLACE_R + 6], arm[i, PLACE_R + 7], arm[i, PLACE_R + 8]
    px, py, pz = arm[i, PLACE_P], arm[i, PLACE_P + 1], arm[i, PLACE_P + 2]
    x += arm[i, OFFSET]
    if arm[i, PRISMATIC] != 0.0:
        return a, b, c, d, e, f, g, h, k, px + c * x, py + f * x, pz + k * x
    s, t = sin(x), cos(x)
    return (
        t * a + s * b, t * b - s * a, c,
        t * d + s * e, t * e - s * d, f,
        t * g + s * h, t * h - s * g, k,
        px, py, pz,
    )  # fmt: skip


def rotate(m: Array, i: int, at: int, x: float, y: float, z: float) -> tuple[float, float, float]:
    """R v, with R row by row in m[i, at : at + 9]."""
    return (
        m[i, at] * x + m[i, at + 1] * y + m[i, at + 2] * z,
        m[i, at + 3] * x + m[i, at + 4] * y + m[i, at + 5] * z,
        m[i, at + 6] * x + m[i, at + 7] * y + m[i, at + 8] * z,
    )


def rotate_back(m: Array, i: int, at: int, x: float, y: float, z: float) -> tuple[float, float, float]:
    """R^T v, with R row by row in m[i, at : at + 9]."""
    return (
        m[i, at] * x + m[i, at + 3] * y + m[i, at + 6] * z,
        m[i, at + 1] * x + m[i, at + 4] * y + m[i, at + 7] * z,
        m[i, at + 2] * x + m[i, at + 5] * y + m[i, at + 8] * z,
    )


def positions(arm: Array, q: Array, work: Array) -> None:
    """ROTATION, ORIGIN and REACH of every body at the joint coordinates q."""
    for i in range(arm.shape[0] - 1):
        a, b, c, d, e, f, g, h, k, x, y, z = joint_place(arm, i, value(arm, i, q))
        p = int(arm[i, PARENT])
        ox, oy, oz = 0.0, 0.0, 0.0
        if p >= 0:
            a, d, g = rotate(work, p, ROTATION, a, d, g)
            b, e, h = rotate(work, p, ROTATION, b, e, h)
            c, f, k = rotate(work, p, ROTATION, c, f, k)
            x, y, z = rotate(work, p, ROTATION, x, y, z)
            ox, oy, oz = work[p, ORIGIN], work[p, ORIGIN + 1], work[p, ORIGIN + 2]
        work[i, ROTATION], work[i, ROTATION + 1], work[i, ROTATION + 2] = a, b, c
        work[i, ROTATION + 3], work[i, ROTATION + 4], work[i, ROTATION + 5] = d, e, f
        work[i, ROTATION + 6], work[i, ROTATION + 7], work[i, ROTATION + 8] = g, h, k
        work[i, REACH], work[i, REACH + 1], work[i, REACH + 2] = x, y, z
        work[i, ORIGIN], work[i, ORIGIN + 1], work[i, ORIGIN + 2] = ox + x, oy + y, oz + z


def velocities(arm: Array, qd: Array, work: Array) -> None:
    """TURN and SPEED of every body; needs `positions`."""
    for i in range(arm.shape[0] - 1):
        p = int(arm[i, PARENT])
        wx, wy, wz, vx, vy, vz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        if p >= 0:
            wx, wy, wz = work[p, TURN], work[p, TURN + 1], work[p, TURN + 2]
            dx, dy, dz = work[i, REACH], work[i, REACH + 1], work[i, REACH + 2]
            vx = work[p, SPEED] + wy * dz - wz * dy
            vy = work[p, SPEED + 1] + wz * dx - wx * dz
            vz = work[p, SPEED + 2] + wx * dy - wy * dx
        rate = value(arm, i, qd)
        zx, zy, zz = work[i, ROTATION + 2] * rate, work[i, ROTATION + 5] * rate, work[i, ROTATION + 8] * rate
        if arm[i, PRISMATIC] != 0.0:
            vx, vy, vz = vx + zx, vy + zy, vz + zz
        else:
            wx, wy, wz = wx + zx, wy + zy, wz + zz
        work[i, TURN], work[i, TURN + 1], work[i, TURN + 2] = wx, wy, wz
        work[i, SPEED], work[i, SPEED + 1], work[i, SPEED + 2] = vx, vy, vz


Vector = tuple[float, float, float]


def take(bodies: Array, at: int, i: int, w: Vector, u: Vector, p: Vector, work: Array) -> None:
    """FORCE and TORQUE of body i about its origin, which accelerates by p; angular velocity w, u = dw/dt.

    Newton-Euler, for any axes common to all values. bodies[i, at : at + 10] holds mass, first moment, and
    inertia xx, yy, zz, xy, xz, yz about the origin, as the table does from MASS on, `work` from HEAVY on.
    """
    (wx, wy, wz), (ux, uy, uz), (px, py, pz) = w, u, p
    m, mx, my, mz = bodies[i, at], bodies[i, at + 1], bodies[i, at + 2], bodies[i, at + 3]
    sx, sy, sz = wy * mz - wz * my, wz * mx - wx * mz, wx * my - wy * mx
    work[i, FORCE] = m * px + uy * mz - uz * my + wy * sz - wz * sy
    work[i, FORCE + 1] = m * py + uz * mx - ux * mz + wz * sx - wx * sz
    work[i, FORCE + 2] = m * pz + ux * my - uy * mx + wx * sy - wy * sx
    xx, yy, zz = bodies[i, at + 4], bodies[i, at + 5], bodies[i, at + 6]
    xy, xz, yz = bodies[i, at + 7], bodies[i, at + 8], bodies[i, at + 9]
    lx, ly, lz = xx * wx + xy * wy + xz * wz, xy * wx + yy * wy + yz * wz, xz * wx + yz * wy + zz * wz
    work[i, TORQUE] = xx * ux + xy * uy + xz * uz + wy * lz - wz * ly + my * pz - mz * py
    work[i, TORQUE + 1] = xy * ux + yy * uy + yz * uz + wz * lx - wx * lz + mz * px - mx * pz
    work[i, TORQUE + 2] = xz * ux + yz * uy + zz * uz + wx * ly - wy * lx + mx * py - my * px


def hand_on(work: Array, i: int, point: Vector, force: Vector, torque: Vector) -> None:
    """Add a force and a torque about a point, moved to the origin of body i, to the effort on body i."""
    (x, y, z), (fx, fy, fz), (tx, ty, tz) = point, force, torque
    work[i, FORCE] += fx
    work[i, FORCE + 1] += fy
    work[i, FORCE + 2] += fz
    work[i, TORQUE] += tx + y * fz - z * fy
    work[i, TORQUE + 1] += ty + z * fx - x * fz
    work[i, TORQUE + 2] += tz + x * fy - y * fx


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
    """Add the mass and moments of body i and its load to its parent; call from last to first."""
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
