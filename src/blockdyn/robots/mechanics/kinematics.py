"""Kinematics of body frames and of the tool: poses, and the geometric and analytic Jacobians."""

from __future__ import annotations

from ..lie.kernels.angles import euler_of, euler_rates, rpy_of, rpy_rates
from ..lie.kernels.rotation import left_jacobian3, rotation_vector
from ..lie.orders import ORDERS
from ..model.table import LINK_P, LINK_R, PARENT, PRISMATIC, TIP, TOOL_P, TOOL_R
from .bodies import ALONG, ORIGIN, ROTATION, Array, gather, positions, put_column, rotate, unsigned


def tool_point(arm: Array, work: Array) -> tuple[float, float, float]:
    """The tool's origin in the world, m; needs `positions`."""
    n = arm.shape[0] - 1
    x, y, z = arm[n, TOOL_P], arm[n, TOOL_P + 1], arm[n, TOOL_P + 2]
    tip = int(arm[n, TIP])
    if tip < 0:
        return x, y, z
    x, y, z = rotate(work, tip, ROTATION, x, y, z)
    return x + work[tip, ORIGIN], y + work[tip, ORIGIN + 1], z + work[tip, ORIGIN + 2]


def tool_axis(arm: Array, work: Array, k: int) -> tuple[float, float, float]:
    """The tool's axis k (0 x, 1 y, 2 z) in the world; needs `positions`."""
    n = arm.shape[0] - 1
    x, y, z = arm[n, TOOL_R + k], arm[n, TOOL_R + 3 + k], arm[n, TOOL_R + 6 + k]
    tip = int(arm[n, TIP])
    if tip < 0:
        return x, y, z
    return rotate(work, tip, ROTATION, x, y, z)


def tool_pose(arm: Array, q: Array, work: Array, pose: Array) -> None:
    """The tool in the world, written into pose (4x4)."""
    positions(arm, q, work)
    pose_of_tool(arm, work, pose)


def pose_of_tool(arm: Array, work: Array, pose: Array) -> None:
    """`tool_pose` after `positions`."""
    for k in range(3):
        pose[0, k], pose[1, k], pose[2, k] = tool_axis(arm, work, k)
        pose[3, k] = 0.0
    pose[0, 3], pose[1, 3], pose[2, 3] = tool_point(arm, work)
    pose[3, 3] = 1.0
    unsigned(pose)


def body_poses(arm: Array, q: Array, work: Array, poses: Array) -> None:
    """The body frames of the table in the world, written into poses (n, 4, 4)."""
    positions(arm, q, work)
    for i in range(arm.shape[0] - 1):
        for k in range(3):
            for j in range(3):
                poses[i, k, j] = work[i, ROTATION + 3 * k + j]
            poses[i, k, 3] = work[i, ORIGIN + k]
            poses[i, 3, k] = 0.0
        poses[i, 3, 3] = 1.0


def link_poses(arm: Array, q: Array, work: Array, poses: Array) -> None:
    """The user's link frames of the moving joints in the world, written into poses (n, 4, 4)."""
    positions(arm, q, work)
    for i in range(arm.shape[0] - 1):
        for k in range(3):
            x, y, z = arm[i, LINK_R + k], arm[i, LINK_R + 3 + k], arm[i, LINK_R + 6 + k]
            poses[i, 0, k], poses[i, 1, k], poses[i, 2, k] = rotate(work, i, ROTATION, x, y, z)
            poses[i, 3, k] = 0.0
        x, y, z = rotate(work, i, ROTATION, arm[i, LINK_P], arm[i, LINK_P + 1], arm[i, LINK_P + 2])
        poses[i, 0, 3] = x + work[i, ORIGIN]
        poses[i, 1, 3] = y + work[i, ORIGIN + 1]
        poses[i, 2, 3] = z + work[i, ORIGIN + 2]
        poses[i, 3, 3] = 1.0


WORLD = 0  # velocity of the tool's origin and angular velocity, in world axes
BODY = 1  # both in the tool's axes
SPACE = 2  # velocity of the point of the tool's body that passes the world's origin, in world axes
FRAMES = {"world": WORLD, "body": BODY, "space": SPACE}


def jacobian(arm: Array, q: Array, frame: int, work: Array, J: Array) -> None:
    """[v; w] = J(q) qd, written into J (6, n); `frame`: WORLD, BODY or SPACE."""
    positions(arm, q, work)
    columns(arm, work, J)
    resolve(arm, frame, work, J)
    unsigned(J)


def columns(arm: Array, work: Array, J: Array) -> None:
    """The Jacobian in the world frame; needs `positions`."""
    n = arm.shape[0] - 1
    for i in range(J.shape[1]):
        for k in range(6):
            J[k, i] = 0.0
    x, y, z = tool_point(arm, work)
    i = int(arm[n, TIP])
    while i >= 0:
        ax, ay, az = work[i, ROTATION + 2], work[i, ROTATION + 5], work[i, ROTATION + 8]
        if arm[i, PRISMATIC] != 0.0:
            put_column(arm, i, J, 0, ax, ay, az)
        else:
            rx, ry, rz = x - work[i, ORIGIN], y - work[i, ORIGIN + 1], z - work[i, ORIGIN + 2]
            put_column(arm, i, J, 0, ay * rz - az * ry, az * rx - ax * rz, ax * ry - ay * rx)
            put_column(arm, i, J, 3, ax, ay, az)
        i = int(arm[i, PARENT])


def resolve(arm: Array, frame: int, work: Array, J: Array) -> None:
    """Convert from the world frame to another, in place; needs `positions`."""
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
    """tau = J^T wrench, the joint torques of a wrench (6,) in world axes at the tool's origin.

    Leaves `positions` in work.
    """
    positions(arm, q, work)
    n = arm.shape[0] - 1
    for i in range(n):
        work[i, ALONG] = 0.0
    fx, fy, fz = wrench[0], wrench[1], wrench[2]
    x, y, z = tool_point(arm, work)
    i = int(arm[n, TIP])
    while i >= 0:
        ax, ay, az = work[i, ROTATION + 2], work[i, ROTATION + 5], work[i, ROTATION + 8]
        if arm[i, PRISMATIC] != 0.0:
            work[i, ALONG] = ax * fx + ay * fy + az * fz
        else:
            rx, ry, rz = x - work[i, ORIGIN], y - work[i, ORIGIN + 1], z - work[i, ORIGIN + 2]
            work[i, ALONG] = ax * (wrench[3] + ry * fz - rz * fy)
            work[i, ALONG] += ay * (wrench[4] + rz * fx - rx * fz)
            work[i, ALONG] += az * (wrench[5] + rx * fy - ry * fx)
        i = int(arm[i, PARENT])
    gather(arm, work, tau)


EULER = 8  # angles ZYZ; below it the orders of roll, pitch, yaw in robots/lie
ROTATION_VECTOR = 9  # exponential coordinates
ANGLES = {**ORDERS, "rpy": ORDERS["zyx"], "euler": EULER, "exp": ROTATION_VECTOR}
SINGULAR = 1e-10  # of the determinant of E, below which the representation is singular


def analytic_jacobian(arm: Array, q: Array, kind: int, work: Array, pose: Array, E: Array, J: Array) -> int:
    """[v; d phi/dt] = J(q) qd, into J (6, n): v of the tool's origin, phi of its orientation.

    phi is roll, pitch, yaw (`kind` an order of robots/lie), or EULER, or ROTATION_VECTOR. pose (4, 4) gets
    the tool's pose and E (3, 3) the matrix with omega = E d phi/dt.
    Returns -1, or 0 if the representation is singular, with rows 3 to 5 undefined.
    Siciliano et al., Robotics, 2009, section 3.6.
    """
    positions(arm, q, work)
    pose_of_tool(arm, work, pose)
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
    """Rows 3 to 5 of J, from omega to d phi/dt = E^-1 omega; -1, or 0 if E is singular."""
    ax, ay, az = _crossed_rows(E, 1, 2)
    det = E[0, 0] * ax + E[0, 1] * ay + E[0, 2] * az
    if not abs(det) > SINGULAR:
        return 0
    bx, by, bz = _crossed_rows(E, 2, 0)
    cx, cy, cz = _crossed_rows(E, 0, 1)
    s = 1.0 / det
    for i in range(J.shape[1]):  # the columns of E^-1 are cross products of rows
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
