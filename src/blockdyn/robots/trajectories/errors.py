"""What can be wrong with a trajectory: a motion that the given times, speeds and points do not allow."""

from __future__ import annotations

from ..errors import RobotError


class TrajectoryError(RobotError):
    """A motion that is impossible: the argument, its value, and what would be possible."""

    def __init__(self, argument: str, actual: object, expected: str) -> None:
        self.argument, self.actual, self.expected = argument, actual, expected
        super().__init__(f"{argument} is {actual}\nexpected: {expected}")


def refusal(argument: str, actual: str, expected: str) -> TrajectoryError:
    """The error for an argument that is not what its annotation says."""
    return TrajectoryError(argument, actual.removeprefix("found "), expected)
