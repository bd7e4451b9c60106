"""What can be wrong with a plan that is asked for."""

from __future__ import annotations

from ..errors import RobotError


class PlanningError(RobotError):
    """A plan that cannot be made: the argument, what it was, what would do."""

    def __init__(self, argument: str, actual: object, expected: str) -> None:
        self.argument, self.actual, self.expected = argument, actual, expected
        super().__init__(f"{argument} is {actual}\nexpected: {expected}")


def refusal(argument: str, actual: str, expected: str) -> PlanningError:
    """The error for an argument that is not what its annotation says."""
    return PlanningError(argument, actual.removeprefix("found "), expected)
