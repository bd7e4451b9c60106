"""The initial configuration of an arm: joint coordinates, relative to a named pose, and rates."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...robots.mechanics.bodies import EVERYTHING, work_shape
from ...robots.mechanics.forward_dynamics import forward_dynamics
from ...robots.model.robot import Robot
from ..contract.errors import ParameterError
from ..contract.parameter import Array


def coordinates(robot: Robot, pose: str | None, q0: object) -> Array:
    """q at the start (n,): q0, one number or n, added to the named pose."""
    q = np.zeros(robot.n)
    if pose is not None:
        q += robot.named[pose]
    q += np.asarray(q0, np.float64)
    return q


def rates(robot: Robot, qd0: object) -> Array:
    """qd at the start (n,): one number for all joints, or n."""
    return np.zeros(robot.n) + np.asarray(qd0, np.float64)


def check_start(kind: str, spec: Any, robot: Robot, pose: str | None, q0: Any, qd0: Any) -> None:
    """Raise ParameterError for an unknown pose, wrong sizes, or a joint that moves no inertia."""
    n = robot.n
    if n == 0:
        raise ParameterError(kind, "robot", spec, "a robot with a joint that moves")
    for name, value in (("q0", q0), ("qd0", qd0)):
        if np.ndim(value) and np.size(value) != n:
            raise ParameterError(kind, name, value, f"{n} numbers, one for each joint, or one for all")
    if pose is not None and pose not in robot.named:
        poses = ", ".join(robot.named) or "none"
        raise ParameterError(kind, "pose", pose, f"a named pose of {robot.name}: {poses}")
    # One test, on the mechanics: whether a joint moves inertia depends on the pose and on armatures.
    q, zero = coordinates(robot, pose, q0), np.zeros(n)
    work = np.zeros(work_shape(n, len(robot.shares)))
    rigid = forward_dynamics(robot.table(), q, zero, zero, np.zeros(6), EVERYTHING, work, np.zeros(n))
    if rigid >= 0:
        joint = f"joint `{robot.moving[rigid].name}` of {robot.name}"
        expected = f"a robot whose joints all move some inertia; {joint} moves none at the start:"
        raise ParameterError(
            kind, "robot", spec, f"{expected} give its link an inertia, or the joint a motor_inertia"
        )
