"""Forward kinematics: poses of bodies, of the user's link frames and of the tool."""

from __future__ import annotations

from ..model.table import LINK_P, LINK_R, TIP, TOOL_P, TOOL_R
from .bodies import positions, rotate
from .work import ORIGIN, ROTATION, Array


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
    """The tool in the world, written into pose (4x4); leaves `positions` in work."""
    positions(arm, q, work)
    for k in range(3):
        pose[0, k], pose[1, k], pose[2, k] = tool_axis(arm, work, k)
        pose[3, k] = 0.0
    pose[0, 3], pose[1, 3], pose[2, 3] = tool_point(arm, work)
    pose[3, 3] = 1.0


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
