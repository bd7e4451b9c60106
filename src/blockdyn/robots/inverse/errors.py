"""What can be wrong with inverse kinematics.

InverseKinematicsError        no joint coordinates were found for a pose
NoClosedForm                  the arm's axes do not lie as a closed form needs
InvalidTask                   an argument that describes no task
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import RobotError

if TYPE_CHECKING:
    from .solution import Solution

_SIX = (
    "six joints, 2 and 3 parallel (or 3 a slide across axis 2); 4, 5, 6 meet in a point\n"
    "(spherical wrist), or 4 is parallel to 2 and 3, and 5 and 6 meet"
)


class InverseKinematicsError(RobotError):
    """No joint coordinates were found for a pose; `solution` is the best attempt."""

    def __init__(self, robot: str, actual: str, expected: str, solution: Solution) -> None:
        self.solution, self.residual = solution, solution.residual
        super().__init__(f"{robot}: {actual}\nexpected: {expected}")


class NoClosedForm(RobotError):
    """An arm whose axes do not allow a closed form; `reason` says why."""

    def __init__(self, robot: str, reason: str, needs: str = _SIX) -> None:
        self.robot, self.reason = robot, reason
        super().__init__(
            f"{robot} has no closed inverse kinematics: {reason}\nexpected: {needs}; `ikine` takes any arm"
        )


class InvalidTask(RobotError):
    """An argument that does not describe a task of inverse kinematics."""

    def __init__(self, name: str, actual: str, expected: str) -> None:
        self.name, self.actual, self.expected = name, actual, expected
        super().__init__(f"{name}: {actual}\nexpected: {expected}")
