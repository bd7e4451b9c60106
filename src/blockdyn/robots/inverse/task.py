"""Inverse kinematics minimises the error of the tool's pose by its derivative with respect to the joints."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

from ..lie.kernels.angle import cotangent_rest
from ..lie.kernels.motion import turn_between
from ..lie.kernels.pose import apply_skew_series
from ..mechanics.bodies import Array, positions
from ..mechanics.kinematics import BODY, columns, pose_of_tool, resolve


class Task(NamedTuple):
    """The goal of the tool, and the limits of a search."""

    goal: Array  # (4, 4)
    mask: Array  # (6,), weights of the error
    frame: int  # WORLD or BODY
    rule: Array  # (4,): three coefficients of the damping, and the required residual
    limited: int  # not 0: within the joint limits
    steps: int  # of one search, at most


class SearchArrays(NamedTuple):
    """Workspace of searches."""

    work: Array
    pose: Array  # (4, 4)
    J: Array  # (6, n)
    e: Array  # (6,)
    normal: Array  # (n, n)
    step: Array  # (n,)
    trial: Array  # (n,)


def error_at(arm: Array, q: Array, task: Task, room: SearchArrays) -> float:
    """`task_error` of a search."""
    return task_error(arm, q, task.goal, task.mask, task.frame, room.work, room.pose, room.e)


def task_error(
    arm: Array, q: Array, goal: Array, mask: Array, frame: int, work: Array, pose: Array, e: Array
) -> float:
    """The length of the weighted error; leaves `positions` in work, the tool in pose, the error in e (6,).

    WORLD: e = (p* - p, log(R* R^T)). BODY: e = (R^T (p* - p), log(R^T R*)). e is unweighted.
    """
    positions(arm, q, work)
    pose_of_tool(arm, work, pose)
    x, y, z = goal[0, 3] - pose[0, 3], goal[1, 3] - pose[1, 3], goal[2, 3] - pose[2, 3]
    u, v, w = turn_between(pose, goal)
    if frame == BODY:
        e[0], e[1], e[2] = rotate_back(pose, x, y, z)
        e[3], e[4], e[5] = u, v, w
    else:
        e[0], e[1], e[2] = x, y, z
        for i in range(3):
            e[3 + i] = pose[i, 0] * u + pose[i, 1] * v + pose[i, 2] * w
    total = 0.0
    for i in range(6):
        total += mask[i] * mask[i] * e[i] * e[i]
    return sqrt(total)


def rotate_back(T: Array, x: float, y: float, z: float) -> tuple[float, float, float]:
    """R^T (x, y, z), R the rotation of a pose."""
    return (
        T[0, 0] * x + T[1, 0] * y + T[2, 0] * z,
        T[0, 1] * x + T[1, 1] * y + T[2, 1] * z,
        T[0, 2] * x + T[1, 2] * y + T[2, 2] * z,
    )


def task_jacobian(arm: Array, mask: Array, frame: int, work: Array, e: Array, J: Array) -> None:
    """J = -d(weighted error)/dq (6, n), exact for errors of any size, and e weighted; after `task_error`.

    The rows of the rotation vector are the angular rows of the Jacobian times the inverse left Jacobian of
    SO(3).
    """
    columns(arm, work, J)
    half = 0.5
    if frame == BODY:
        resolve(arm, BODY, work, J)
        half = -0.5
    remainder = cotangent_rest(e[3] * e[3] + e[4] * e[4] + e[5] * e[5])
    for i in range(J.shape[1]):
        u, v, w = J[3, i], J[4, i], J[5, i]
        if frame == BODY:  # the axes rotate relative to the distance
            J[0, i] += v * e[2] - w * e[1]
            J[1, i] += w * e[0] - u * e[2]
            J[2, i] += u * e[1] - v * e[0]
        J[3, i], J[4, i], J[5, i] = apply_skew_series(half, remainder, e[3], e[4], e[5], u, v, w)
        for k in range(6):
            J[k, i] *= mask[k]
    for k in range(6):
        e[k] *= mask[k]
