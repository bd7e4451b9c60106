"""Check that an arm starts on the constraint given by an input."""

from __future__ import annotations

from ...robots.contact import project_velocity
from ..contract.errors import Refusal
from ..contract.parameter import Array

CLOSE = 1e-6  # m, m/s or rad/s allowed violation at the start, because users enter rounded numbers


class OffConstraint(Refusal):
    """The initial rates violate row `row` of Je J qd = 0; a class, because compiled functions raise it."""

    def __init__(self, row: float, speed: float) -> None:
        self.row, self.speed = int(row), speed
        super().__init__(
            f"the start is off the constraint: row {self.row} of Je J qd is {speed:.6g} m/s or rad/s\n"
            f"expected: within {CLOSE:g} of 0; give a qd0 that the constraint allows, or another Je"
        )


def broken_row(wired: float, mode: int, A: Array, velocity: Array) -> int:
    """The row of A velocity = 0 that the initial rates (mode 0) violate, if A is an input; otherwise -1."""
    if wired == 0.0 or mode != 0:
        return -1
    for k in range(A.shape[0]):
        if abs(project_velocity(A, k, velocity)) > CLOSE:
            return k
    return -1


def start_mode(velocity: Array) -> int:
    """The mode: 1 once the start has been checked."""
    return 1
