"""Centres of mass: their Jacobians, and the gravity load through them."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from ...base.checked import guarded
from ..calls.kernel import Array, as_robot, warn_of_no_masses
from ..mechanics.errors import WrongSize
from ..model.robot import Robot
from .dynamics import coriolis
from .kinematics import jacobian, jacobian_dot


class GravityJacobian(NamedTuple):
    """The gravity load, (n,), and the Jacobian of the tool in world axes, (6, n)."""

    torque: Array
    jacobian: Array


@guarded(WrongSize)
def com_jacobian(robot: Robot | str, q: Any, link: str) -> Array:
    """The Jacobian of a link's centre of mass, (6, n): its velocity, then the link's angular velocity.

    In world axes. q (n,), or (k, n) for (k, 6, n). Siciliano et al., Robotics, 2009, section 7.2.
    Raises WrongSize, NotFinite, UnknownFrame.
    """
    return jacobian(_at_com(as_robot(robot), link), q)


@guarded(WrongSize)
def com_jacobian_dot(robot: Robot | str, q: Any, qd: Any, link: str) -> Array:
    """The time derivative of `com_jacobian` at the rates qd, (6, n), exact. Raises as it does."""
    return jacobian_dot(_at_com(as_robot(robot), link), q, qd)


@guarded(WrongSize)
def gravjac(robot: Robot | str, q: Any) -> GravityJacobian:
    """Gravity load by the Jacobians of the centres of mass, and the Jacobian of the tool.

        g(q) = -sum_k m_k Jv_k(q)^T gravity

    Jv_k are the linear rows of `com_jacobian`, gravity is the robot's (`with_gravity` for another one). The
    torque is that of `gravload`. q (n,), or (k, n) for rows of both. Raises WrongSize, NotFinite.
    """
    robot = as_robot(robot)
    warn_of_no_masses(robot)
    J = jacobian(robot, q)
    torque = np.zeros(J.shape[:-2] + J.shape[-1:])
    for link in robot.links:
        if link.mass > 0.0:
            torque -= link.mass * (np.array(robot.gravity) @ com_jacobian(robot, q, link.name)[..., :3, :])
    return GravityJacobian(torque, J)


@guarded(WrongSize)
def inertia_dot(robot: Robot | str, q: Any, qd: Any) -> Array:
    """dM/dt = C + C^T at the rates qd, (n, n), exact; see `coriolis`. Raises WrongSize, NotFinite."""
    C = coriolis(robot, q, qd)
    return np.asarray(C + C.swapaxes(-1, -2))


@lru_cache(maxsize=128)
def _at_com(robot: Robot, link: str) -> Robot:
    """The robot with its tool at the link's centre of mass, in world-parallel use: its axes do not matter."""
    return robot.with_tool(robot.link(link).com, tip=link)
