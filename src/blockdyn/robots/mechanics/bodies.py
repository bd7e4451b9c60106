"""Positions and velocities of all bodies in world axes, from the base outwards."""

from __future__ import annotations

from math import cos, sin

from ..model.table import OFFSET, PARENT, PLACE_P, PLACE_R, PRISMATIC
from .work import ORIGIN, REACH, ROTATION, SPEED, TURN, Array


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
    """R v, where R stands row by row in m[i, at : at + 9]."""
    return (
        m[i, at] * x + m[i, at + 1] * y + m[i, at + 2] * z,
        m[i, at + 3] * x + m[i, at + 4] * y + m[i, at + 5] * z,
        m[i, at + 6] * x + m[i, at + 7] * y + m[i, at + 8] * z,
    )


def rotate_back(m: Array, i: int, at: int, x: float, y: float, z: float) -> tuple[float, float, float]:
    """R^T v, where R stands row by row in m[i, at : at + 9]."""
    return (
        m[i, at] * x + m[i, at + 3] * y + m[i, at + 6] * z,
        m[i, at + 1] * x + m[i, at + 4] * y + m[i, at + 7] * z,
        m[i, at + 2] * x + m[i, at + 5] * y + m[i, at + 8] * z,
    )


def positions(arm: Array, q: Array, work: Array) -> None:
    """ROTATION, ORIGIN and REACH of every body at the joint coordinates q."""
    for i in range(arm.shape[0] - 1):
        a, b, c, d, e, f, g, h, k, x, y, z = joint_place(arm, i, q[i])
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
        rate = qd[i]
        zx, zy, zz = work[i, ROTATION + 2] * rate, work[i, ROTATION + 5] * rate, work[i, ROTATION + 8] * rate
        if arm[i, PRISMATIC] != 0.0:
            vx, vy, vz = vx + zx, vy + zy, vz + zz
        else:
            wx, wy, wz = wx + zx, wy + zy, wz + zz
        work[i, TURN], work[i, TURN + 1], work[i, TURN + 2] = wx, wy, wz
        work[i, SPEED], work[i, SPEED + 1], work[i, SPEED + 2] = vx, vy, vz
