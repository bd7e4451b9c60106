"""Geometric Jacobian of the tool: rows are linear, then angular velocity; in world, body or space frame."""

from __future__ import annotations

from ..model.table import PARENT, PRISMATIC, TIP
from .bodies import positions
from .frames import tool_axis, tool_point
from .work import ORIGIN, ROTATION, Array

WORLD = 0  # velocity of the tool's origin and angular velocity, in world axes
BODY = 1  # the same in the tool's axes
SPACE = 2  # velocity of the point of the tool's body that passes the world's origin, in world axes
FRAMES = {"world": WORLD, "body": BODY, "space": SPACE}


def jacobian(arm: Array, q: Array, frame: int, work: Array, J: Array) -> None:
    """[v; w] = J(q) qd, written into J (6, n); `frame`: WORLD, BODY or SPACE. Leaves `positions` in work."""
    positions(arm, q, work)
    columns(arm, work, J)
    resolve(arm, frame, work, J)


def columns(arm: Array, work: Array, J: Array) -> None:
    """The Jacobian in the world frame; needs `positions`."""
    n = arm.shape[0] - 1
    for i in range(n):
        for k in range(6):
            J[k, i] = 0.0
    x, y, z = tool_point(arm, work)
    i = int(arm[n, TIP])
    while i >= 0:
        ax, ay, az = work[i, ROTATION + 2], work[i, ROTATION + 5], work[i, ROTATION + 8]
        if arm[i, PRISMATIC] != 0.0:
            J[0, i], J[1, i], J[2, i] = ax, ay, az
        else:
            rx, ry, rz = x - work[i, ORIGIN], y - work[i, ORIGIN + 1], z - work[i, ORIGIN + 2]
            J[0, i], J[1, i], J[2, i] = ay * rz - az * ry, az * rx - ax * rz, ax * ry - ay * rx
            J[3, i], J[4, i], J[5, i] = ax, ay, az
        i = int(arm[i, PARENT])


def resolve(arm: Array, frame: int, work: Array, J: Array) -> None:
    """From the world frame to another, in place; needs `positions`."""
    if frame == BODY:
        a, d, g = tool_axis(arm, work, 0)
        b, e, h = tool_axis(arm, work, 1)
        c, f, k = tool_axis(arm, work, 2)
        for i in range(J.shape[1]):
            for at in range(0, 6, 3):
                x, y, z = J[at, i], J[at + 1, i], J[at + 2, i]
                J[at, i] = a * x + d * y + g * z
                J[at + 1, i] = b * x + e * y + h * z
                J[at + 2, i] = c * x + f * y + k * z
    elif frame == SPACE:
        x, y, z = tool_point(arm, work)
        for i in range(J.shape[1]):
            wx, wy, wz = J[3, i], J[4, i], J[5, i]
            J[0, i] += y * wz - z * wy
            J[1, i] += z * wx - x * wz
            J[2, i] += x * wy - y * wx


def wrench_torque(arm: Array, q: Array, wrench: Array, work: Array, tau: Array) -> None:
    """tau = J^T wrench, with wrench (6,) in world axes at the tool's origin: what it does at the joints.

    Leaves `positions` in work.
    """
    positions(arm, q, work)
    n = arm.shape[0] - 1
    for i in range(n):
        tau[i] = 0.0
    fx, fy, fz = wrench[0], wrench[1], wrench[2]
    x, y, z = tool_point(arm, work)
    i = int(arm[n, TIP])
    while i >= 0:
        ax, ay, az = work[i, ROTATION + 2], work[i, ROTATION + 5], work[i, ROTATION + 8]
        if arm[i, PRISMATIC] != 0.0:
            tau[i] = ax * fx + ay * fy + az * fz
        else:
            rx, ry, rz = x - work[i, ORIGIN], y - work[i, ORIGIN + 1], z - work[i, ORIGIN + 2]
            tau[i] = ax * (wrench[3] + ry * fz - rz * fy)
            tau[i] += ay * (wrench[4] + rz * fx - rx * fz)
            tau[i] += az * (wrench[5] + rx * fy - ry * fx)
        i = int(arm[i, PARENT])
