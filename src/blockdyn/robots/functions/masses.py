"""Energy, momentum and centres of mass of an arm, with their Jacobians and the gravity load from these."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ...base.checked import checked_numbers
from ..calls.kernel import WORK, Array, Input, Kernel, Output, Scratch, as_robot, bound, warn_of_no_masses
from ..mechanics import energy
from ..mechanics.errors import WrongSize
from ..model.robot import Robot
from .dynamics import coriolis
from .kinematics import jacobian, jacobian_dot

KINETIC = Kernel(energy.kinetic_energy, (Input("q"), Input("qd"), WORK), weighs=True)
POTENTIAL = Kernel(energy.potential_energy, (Input("q"), WORK), weighs=True)
CENTRE = Kernel(energy.centre_of_mass, (Input("q"), WORK, Output((3,))), weighs=True)
MOMENTUM = Kernel(energy.momentum, (Input("q"), Input("qd"), WORK, Scratch((3,)), Output((6,))), weighs=True)


def kinetic_energy(robot: Robot | str, q: ArrayLike, qd: ArrayLike) -> float:
    """qd^T M(q) qd / 2, J, motors included. Raises WrongSize."""
    return bound(KINETIC, robot).number(q, qd)


def potential_energy(robot: Robot | str, q: ArrayLike) -> float:
    """-sum m g . p, J, over the centres of mass p of the moving parts: 0 at the world's origin.

    Raises WrongSize.
    """
    return bound(POTENTIAL, robot).number(q)


def centre_of_mass(robot: Robot | str, q: ArrayLike) -> Array:
    """Centre of mass of the moving parts, in the world, (3,), m; the origin without masses.

    Raises WrongSize.
    """
    return bound(CENTRE, robot).call(q)


def momentum(robot: Robot | str, q: ArrayLike, qd: ArrayLike) -> Array:
    """Linear momentum, and angular momentum about the centre of mass, in world axes: (6,), kg m/s, kg m2/s.

    Orin, Goswami, Lee, Autonomous Robots 35, 2013. Raises WrongSize.
    """
    return bound(MOMENTUM, robot).call(q, qd)


class GravityJacobian(NamedTuple):
    """The gravity load, (n,), and the Jacobian of the tool in world axes, (6, n)."""

    torque: Array
    jacobian: Array


@checked_numbers(WrongSize)
def com_jacobian(robot: Robot | str, q: ArrayLike, link: str) -> Array:
    """The Jacobian of a link's centre of mass, (6, n): its velocity, then the link's angular velocity.

    World axes. q (n,), or (k, n) for (k, 6, n). Siciliano et al., Robotics, 2009, section 7.2.
    Raises WrongSize, UnknownFrame.
    """
    return jacobian(_at_com(as_robot(robot), link), q)


@checked_numbers(WrongSize)
def com_jacobian_dot(robot: Robot | str, q: ArrayLike, qd: ArrayLike, link: str) -> Array:
    """The time derivative of `com_jacobian` at the rates qd, (6, n), exact. Raises as `com_jacobian`."""
    return jacobian_dot(_at_com(as_robot(robot), link), q, qd)


@checked_numbers(WrongSize)
def gravjac(robot: Robot | str, q: ArrayLike) -> GravityJacobian:
    """Gravity load by the Jacobians of the centres of mass, and the Jacobian of the tool.

        g(q) = -sum_k m_k Jv_k(q)^T gravity

    Jv_k are the linear rows of `com_jacobian`, gravity is the robot's (`with_gravity` for another one). The
    torque equals `gravload`. q (n,), or (k, n) for rows of both. Raises WrongSize.
    """
    robot = as_robot(robot)
    warn_of_no_masses(robot)
    J = jacobian(robot, q)
    torque = np.zeros(J.shape[:-2] + J.shape[-1:])
    for link in robot.links:
        if link.mass > 0.0:
            torque -= link.mass * (np.array(robot.gravity) @ com_jacobian(robot, q, link.name)[..., :3, :])
    return GravityJacobian(torque, J)


@checked_numbers(WrongSize)
def inertia_dot(robot: Robot | str, q: ArrayLike, qd: ArrayLike) -> Array:
    """dM/dt = C + C^T at the rates qd, (n, n), exact; see `coriolis`. Raises WrongSize."""
    C = coriolis(robot, q, qd)
    return np.asarray(C + C.swapaxes(-1, -2))


@lru_cache(maxsize=128)
def _at_com(robot: Robot, link: str) -> Robot:
    """The robot with its tool at the link's centre of mass; only the origin of the tool is used."""
    return robot.with_tool(robot.link(link).com, tip=link)
