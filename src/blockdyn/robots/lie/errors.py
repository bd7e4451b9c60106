"""What can be wrong with the arguments of the Lie-group functions.

GroupError
    WrongShape        an array of another shape, or with NaN or infinity
    NotRotation       a 3x3 (or 2x2) matrix that is not orthonormal, or a reflection
    NotPose           a 4x4 (or 3x3) matrix that is no rigid motion
    NotUnit           a vector or quaternion that should have length 1
"""

from __future__ import annotations

from ..errors import RobotError, RobotWarning

_ROTATION = (
    "expected columns of length 1 at right angles, determinant +1; project_rotation gives the nearest one"
)
_POSE = "expected [R, p; 0 0 0 1] with R a rotation; project_pose gives the nearest one"


class GroupError(RobotError):
    """A value that is no element of the group it should belong to."""


class WrongShape(GroupError):
    """An array that does not hold what the function takes."""

    def __init__(self, name: str, actual: str, expected: str) -> None:
        self.name, self.actual, self.expected = name, actual, expected
        super().__init__(f"{name}: {actual}\nexpected: {expected}")


class NotRotation(GroupError):
    """A matrix that is not in SO(3), or SO(2); `distance` is the largest element of R^T R - I."""

    def __init__(self, name: str, actual: str, distance: float, expected: str = _ROTATION) -> None:
        self.name, self.distance = name, distance
        super().__init__(f"{name} is no rotation: {actual}\n{expected}")


class NotPose(GroupError):
    """A matrix that is not in SE(3), or SE(2)."""

    def __init__(self, name: str, actual: str, expected: str = _POSE) -> None:
        self.name = name
        super().__init__(f"{name} is no pose: {actual}\n{expected}")


class NotUnit(GroupError):
    """A direction or a quaternion without the length 1."""

    def __init__(self, name: str, length: float) -> None:
        self.name, self.length = name, length
        super().__init__(f"{name} has length {length:.6g}\nexpected length 1: divide it by its length")


class NonUnitScrew(RobotWarning):
    """A screw axis that is not normalised: accepted, the joint coordinate then counts in other units."""
