"""Poses of all frames of a robot are computed for pictures and workspaces; mechanics has its own kernels."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike

from ...base.checked import checked_numbers
from ..errors import InvalidRobot
from ..model.joint import BASE
from ..model.poses import Array
from ..model.robot import TOOL, Robot
from .kernel import as_robot


@checked_numbers(InvalidRobot)
def frames(robot: Robot | str, q: ArrayLike) -> dict[str, Array]:
    """The poses of base, links and tool in the world, 4x4 each. Raises InvalidRobot for a wrong size of q."""
    return {name: T[0] for name, T in many_frames(as_robot(robot), np.asarray(q, dtype=float)[None]).items()}


def many_frames(robot: Robot, q: Array) -> dict[str, Array]:
    """The poses for many q, one per row: k x 4 x 4 for each frame."""
    return dict(_walk(robot, q))


def _walk(robot: Robot, q: Array) -> Iterator[tuple[str, Array]]:
    if q.ndim != 2 or q.shape[1] != robot.n:
        raise InvalidRobot(
            robot.name, f"q of shape {q.shape[1:]}", f"{robot.n} numbers, one per moving joint"
        )
    places = {BASE: np.broadcast_to(np.array(robot.base), (len(q), 4, 4))}
    yield BASE, places[BASE]
    for joint, link in zip(robot.joints, robot.links):
        T = places[joint.parent] @ np.array(joint.place)
        if joint.moves:
            i, ratio = robot.shares[joint.name]
            T = T @ motion(np.array(joint.axis), ratio * q[:, i] + joint.offset, joint.kind == "prismatic")
        places[link.name] = T @ np.array(link.frame)
        yield link.name, places[link.name]
    yield TOOL, places[robot.tip] @ np.array(robot.tool)


def motion(axis: Array, angle: Array, prismatic: bool) -> Array:
    """exp(axis angle) for many angles: k x 4 x 4."""
    T = np.zeros((len(angle), 4, 4))
    T[:, [0, 1, 2, 3], [0, 1, 2, 3]] = 1.0
    if prismatic:
        T[:, :3, 3] = angle[:, None] * axis
        return T
    x, y, z = axis
    K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    s, c = np.sin(angle)[:, None, None], np.cos(angle)[:, None, None]
    T[:, :3, :3] = np.eye(3) + s * K + (1 - c) * (K @ K)
    return T
