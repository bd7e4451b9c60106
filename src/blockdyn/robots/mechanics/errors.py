"""Errors of computations on a robot."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import RobotError


class MechanicsError(RobotError):
    """A computation on a robot without a solution."""


class WrongSize(MechanicsError):
    """An array of another shape than the robot needs, or with NaN or infinity."""

    def __init__(self, place: str, actual: str, expected: str) -> None:
        self.place, self.actual, self.expected = place, actual, expected
        super().__init__(f"{place}: {actual}\nexpected: {expected}")


def not_finite(place: str, actual: Any) -> WrongSize:
    """Return the error for an array that holds NaN or infinity."""
    at = tuple(int(i) for i in np.argwhere(~np.isfinite(actual))[0])
    return WrongSize(place, f"element {list(at)} is {actual[at]}", "finite numbers")


class SingularMassMatrix(MechanicsError):
    """A mass matrix that cannot be inverted: `joint` is without inertia."""

    def __init__(self, robot: str, joint: str) -> None:
        self.robot, self.joint = robot, joint
        super().__init__(
            f"{robot}: the mass matrix is singular at joint `{joint}`: nothing resists its motion\n"
            "expected mass or inertia carried by every joint, or a motor_inertia at it"
        )


class SingularPose(MechanicsError):
    """A Jacobian whose rows depend on each other: the tool cannot move in every direction."""

    def __init__(self, robot: str, direction: str, remedy: str = "") -> None:
        self.robot, self.direction = robot, direction
        super().__init__(
            f"{robot}: the Jacobian has dependent rows, the first of them is {direction}\n"
            "expected a pose from which the tool can move in every required direction (six of a twist), with"
            f" at least as many joints{remedy}"
        )


class SingularAngles(MechanicsError):
    """A representation of orientation that has lost a direction."""

    def __init__(self, robot: str, rates: str) -> None:
        self.robot, self.rates = robot, rates
        super().__init__(
            f"{robot}: at this orientation the rates of `{rates}` do not give every angular velocity\n"
            'expected another orientation, or other rates, such as "rotation_vector"'
        )
