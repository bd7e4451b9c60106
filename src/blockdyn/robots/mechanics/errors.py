"""Errors of computations on a robot."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import RobotError


class MechanicsError(RobotError):
    """A computation on a robot has no solution.

    `joint`: it moves without inertia. `direction`: the tool cannot move there. `rates`: they do not span all
    angular velocities.
    """

    robot = joint = direction = rates = ""


class WrongSize(MechanicsError):
    """An array has a shape that does not fit the robot, or holds NaN or infinity."""

    def __init__(self, place: str, actual: str, expected: str) -> None:
        self.place, self.actual, self.expected = place, actual, expected
        super().__init__(f"{place}: {actual}\nexpected: {expected}")


def not_finite(place: str, actual: Any) -> WrongSize:
    """Return the error for an array that holds NaN or infinity."""
    at = tuple(int(i) for i in np.argwhere(~np.isfinite(actual))[0])
    return WrongSize(place, f"element {list(at)} is {actual[at]}", "finite numbers")


def singular_mass_matrix(robot: str, joint: str) -> MechanicsError:
    """Return the error for a mass matrix that cannot be inverted: `joint` has no inertia."""
    error = MechanicsError(
        f"{robot}: the mass matrix is singular at joint `{joint}`: nothing resists its motion\n"
        "expected mass or inertia carried by every joint, or a motor_inertia at it"
    )
    error.robot, error.joint = robot, joint
    return error


def singular_pose(robot: str, direction: str, remedy: str = "") -> MechanicsError:
    """Return the error for a Jacobian with dependent rows: the tool cannot move in every direction."""
    error = MechanicsError(
        f"{robot}: the Jacobian has dependent rows, the first of them is {direction}\n"
        "expected a pose from which the tool can move in every required direction (six of a twist), with"
        f" at least as many joints{remedy}"
    )
    error.robot, error.direction = robot, direction
    return error


def singular_angles(robot: str, rates: str) -> MechanicsError:
    """Return the error for a representation of orientation that has lost a direction."""
    error = MechanicsError(
        f"{robot}: at this orientation the rates of `{rates}` do not give every angular velocity\n"
        'expected another orientation, or other rates, such as "rotation_vector"'
    )
    error.robot, error.rates = robot, rates
    return error
