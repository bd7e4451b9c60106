"""The one of eight closed-form solutions that is wanted: within limits, and nearest to where the arm is."""

from __future__ import annotations

from typing import NamedTuple

from ..lie.kernels.quaternion import quaternion_parts, rotation_of_quaternion
from ..mechanics.jacobian import WORLD
from ..mechanics.work import Array
from .closed import closed_form
from .limits import inside, nearest_turn, within
from .task import task_error

GOOD, BEYOND_LIMITS, OUT_OF_REACH = 0, 1, 2
SLACK = 1e-9  # rad, by which rounding may carry an angle over its limit
REACHED = 1e-7  # m and rad: a residual that is rounding, of the arm's dimensions too


class Branch(NamedTuple):
    """A configuration: for each, 0 or 1, the number as `closed` counts them, or -1 for any."""

    shoulder: int
    elbow: int
    wrist: int


class Eight(NamedTuple):
    """The eight solutions, what is known of them, and room to compute them."""

    solutions: Array  # (8, 6): in whole turns nearest to `near`, and within limits where they can be
    ranks: Array  # (8,): GOOD, BEYOND_LIMITS, OUT_OF_REACH
    residuals: Array  # (8,)
    gaps: Array  # (8,), m: the distance out of reach
    work: Array
    pose: Array  # (4, 4)
    target: Array  # (4, 4)
    e: Array  # (6,)


def closed_ikine(
    arm: Array, form: Array, kind: int, goal: Array, mask: Array, branch: Branch, limited: int, near: Array,
    q: Array, eight: Eight,
) -> int:  # fmt: skip
    """The number of the best solution, which is written into q; it is good where ranks[number] is GOOD.

    Of good solutions the one nearest to `near` is taken. mask: ones (6,).
    """
    solutions, ranks, residuals, target = eight.solutions, eight.ranks, eight.residuals, eight.target
    orthonormal(goal, target)
    closed_form(form, kind, target, near, eight.pose, solutions, eight.gaps)
    best, rank, score = 0, 3.0, 0.0
    for k in range(8):
        distance = 0.0
        for i in range(6):
            start = inside(arm, i, near[i]) if limited != 0 else near[i]
            x = nearest_turn(arm, limited, i, solutions[k, i], start)
            solutions[k, i] = x
            q[i] = x
            distance += (x - start) * (x - start)
        residuals[k] = task_error(arm, q, target, mask, WORLD, eight.work, eight.pose, eight.e)
        ranks[k] = GOOD
        if not residuals[k] <= REACHED:
            ranks[k] = OUT_OF_REACH
            distance = residuals[k]
        elif limited != 0 and not within(arm, q, SLACK):
            ranks[k] = BEYOND_LIMITS
        shoulder, elbow, wrist = k // 4, k // 2 % 2, k % 2
        fits = (
            branch.shoulder in (-1, shoulder) and branch.elbow in (-1, elbow) and branch.wrist in (-1, wrist)
        )
        if fits and (ranks[k] < rank or (ranks[k] == rank and distance < score)):
            best, rank, score = k, ranks[k], distance
    for i in range(6):
        q[i] = solutions[best, i]
    return best


def orthonormal(goal: Array, target: Array) -> None:
    """The goal with its orientation made a rotation, for entries that have been rounded."""
    s, x, y, z = quaternion_parts(goal)
    rotation_of_quaternion(s, x, y, z, target)
    for i in range(3):
        target[i, 3] = goal[i, 3]
        target[3, i] = 0.0
    target[3, 3] = 1.0
