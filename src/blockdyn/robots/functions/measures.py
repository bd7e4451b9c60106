"""Measures of a pose: manipulability, ellipsoids, and load capacity."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ...base.annotations import real_numbers
from ...base.checked import checked_numbers
from ..calls.kernel import Array, as_robot
from ..mechanics import singularity
from ..mechanics.errors import WrongSize, singular_pose
from ..model.robot import Robot
from .dynamics import gravload, inertia, wrench_torque
from .kinematics import choice, jacobian

Part = Literal["all", "trans", "rot"]
ROWS = {"all": (0, 6), "trans": (0, 3), "rot": (3, 6)}


class Ellipsoid(NamedTuple):
    """Principal directions, the columns of `axes` (3, 3), and half lengths along them, the longest first."""

    axes: Array
    lengths: Array


class Capability(NamedTuple):
    """The largest multiple of a wrench that the arm can bear, and the joint that reaches its limit first."""

    factor: float
    joint: str


@checked_numbers(WrongSize)
def maniplty(
    robot: Robot | str,
    q: ArrayLike,
    *,
    method: Literal["yoshikawa", "asada"] = "yoshikawa",
    part: Part = "all",
    of: str = "tool",
) -> float:
    """Manipulability: the distance of a pose from singular ones, for all six directions, trans or rot.

    yoshikawa: sqrt(det(J J^T)), the volume of the velocity ellipsoid up to a constant. Int. J. Robotics
    Research 4(2), 1985.
    asada: ratio of the smallest to the largest eigenvalue of the Cartesian inertia J+^T M J+ in these
    directions, at most 1. J. Dyn. Sys. Meas. Control 105(3), 1983.

    0 at a singular pose. Raises WrongSize, UnknownFrame.
    """
    robot = as_robot(robot)
    first, last = rows_of(part)
    J = jacobian(robot, _single(robot, q), of=of)
    if method == "yoshikawa":
        return float(singularity.manipulability(J, first, last, np.empty_like(J)))
    inverse = np.linalg.pinv(J)
    felt = (inverse.T @ inertia(robot, q) @ inverse)[first:last, first:last]
    values = np.linalg.eigvalsh(felt)
    return float(max(values[0], 0.0) / values[-1]) if values[-1] > 0 else 0.0


@checked_numbers(WrongSize)
def ellipsoid(
    robot: Robot | str,
    q: ArrayLike,
    *,
    kind: Literal["velocity", "force"] = "velocity",
    part: Literal["trans", "rot"] = "trans",
    of: str = "tool",
) -> Ellipsoid:
    """The velocity or force ellipsoid of the tool for joint rates, or torques, of unit length, in world axes.

    velocity: v = J qd, half lengths the singular values of J's rows, m/s or rad/s.
    force: |J^T f| = 1, half lengths their inverses, N or N m. Siciliano et al., Robotics, 2009, section 3.9.

    Raises WrongSize, UnknownFrame; MechanicsError for a force without limit.
    """
    robot = as_robot(robot)
    first, last = rows_of(part)
    J = jacobian(robot, _single(robot, q), of=of)[first:last]
    directions, values, _ = np.linalg.svd(J)
    lengths = np.zeros(last - first)
    lengths[: len(values)] = values
    if kind == "velocity":
        return Ellipsoid(directions, lengths)
    if lengths[-1] <= 1e-12 * lengths[0]:
        raise singular_pose(robot.name, f"along {np.round(directions[:, -1], 4)} of {part}")
    return Ellipsoid(directions[:, ::-1], 1 / lengths[::-1])


@checked_numbers(WrongSize)
def paycap(robot: Robot | str, q: Any, wrench: Any, tau_max: Any = None, tau_min: Any = None) -> Capability:
    """The largest factor s by which the joints can bear the wrench s w on the tool, at rest in the pose q:

        tau_min <= g(q) - s J(q)^T w <= tau_max,  s >= 0

    wrench (6,): force and moment that the load applies to the tool, world axes. tau_max: the largest torques,
    a number or (n,), by default the joints' efforts; tau_min: the smallest, by default -tau_max. The factor
    is 0 if gravity alone is too much. Raises WrongSize, also if no torque has a limit.
    """
    robot = as_robot(robot)
    q = _single(robot, q)
    if tau_max is None:
        tau_max = [joint.effort for joint in robot.moving]
        if tau_min is None and np.isinf(tau_max).all():
            problem = f"none given, and no joint of {robot.name} has an effort limit"
            raise WrongSize(f"{robot.name}, tau_max", problem, f"a number, or ({robot.n},)")
    upper = _torques(robot, "tau_max", tau_max)
    lower = -upper if tau_min is None else _torques(robot, "tau_min", tau_min)
    held, share = gravload(robot, q), -wrench_torque(robot, q, wrench)
    best, yields = np.inf, ""
    for joint, load, extra, least, most in zip(robot.moving, held, share, lower, upper):
        if not least <= load <= most:
            return Capability(0.0, joint.name)
        room = most - load if extra > 0 else load - least
        if extra != 0 and room / abs(extra) < best:
            best, yields = room / abs(extra), joint.name
    return Capability(float(best), yields)


def rows_of(part: str) -> tuple[int, int]:
    """The first row of a part of the six rows, and the row after its last. Raises WrongSize."""
    return ROWS[choice("part", part, ROWS)]


def _torques(robot: Robot, name: str, value: ArrayLike) -> Array:
    array = real_numbers(value)
    if array.shape not in ((), (robot.n,)) or np.isnan(array).any():
        raise WrongSize(f"{robot.name}, {name}", f"found {value!r:.60}", f"a number, or ({robot.n},) numbers")
    return np.broadcast_to(array, (robot.n,))


def _single(robot: Robot, q: ArrayLike) -> Array:
    array = real_numbers(q)
    if array.shape != (robot.n,):
        raise WrongSize(f"{robot.name}, q", f"found shape {array.shape}", f"({robot.n},)")
    return array
