"""Closed-form solutions of a pose are all eight, or the nearest one within limits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ...base.checked import checked_numbers
from ..calls.kernel import FLAG, WORK, Input, Kernel, Output, Scratch, as_robot, bound
from ..lie import checks
from ..lie.kernels.quaternion import quaternion_parts, rotation_of_quaternion
from ..mechanics.bodies import Array
from ..mechanics.kinematics import WORLD
from ..model.robot import Robot
from .arguments import (
    InvalidTask,
    InverseKinematicsError,
    Solution,
    configuration_name,
    configuration_of,
    start,
)
from .closed import ROWS, closed_form
from .form import form_of
from .search import inside, is_in_limits, nearest_turn
from .task import task_error

GOOD, BEYOND_LIMITS, OUT_OF_REACH = 0, 1, 2
SLACK = 1e-9  # rad, by which rounding may move an angle beyond its limit
REACHED = 1e-7  # m and rad: a residual that is rounding, also of the arm's dimensions


class Branch(NamedTuple):
    """A configuration: 0 or 1 for each element, numbered as in `closed`, or -1 for any."""

    shoulder: int
    elbow: int
    wrist: int


class Eight(NamedTuple):
    """The eight solutions, their quality, and a workspace to compute them."""

    solutions: Array  # (8, 6): shifted by full turns to be nearest to `near`, within limits if possible
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
    """Write the best solution into q, and return its number; it is good if ranks[number] is GOOD.

    Of good solutions the nearest to `near` is used. mask: ones (6,).
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
        elif limited != 0 and not is_in_limits(arm, q, SLACK):
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
    """The goal with its orientation projected onto rotations, for rounded entries."""
    s, x, y, z = quaternion_parts(goal)
    rotation_of_quaternion(s, x, y, z, target)
    for i in range(3):
        target[i, 3] = goal[i, 3]
        target[3, i] = 0.0
    target[3, 3] = 1.0


SELECT = Kernel(
    closed_ikine,
    (
        Input("form", (ROWS, 6)), FLAG, Input("T", (4, 4)), Input("mask", (6,)), FLAG, FLAG, FLAG, FLAG,
        Input("q0"), Output(), Output((8, 6)), Output((8,)), Output((8,)), Output((8,)),
        WORK, Scratch((4, 4)), Scratch((4, 4)), Scratch((6,)),
    ),
)  # fmt: skip


@checked_numbers(InvalidTask)
def ikine_closed(
    robot: Robot | str,
    T: Any,
    q0: Any = None,
    *,
    configuration: str = "",
    limits: bool = True,
    of: str = "tool",
    check: bool = True,
) -> Solution:
    """Joint coordinates that bring the tool to the pose T (4, 4), in closed form.

    For arms with a spherical wrist on two parallel joints (Puma 560, KR5, IRB 140 ...) or on a slide
    (Stanford arm), and arms with three parallel joints in the middle (UR3, UR5, UR10); see `form_of` for the
    requirements, and robots/inverse/closed.py for the derivation. configuration: up to three letters,

        r, l   shoulder: the arm passes axis 1 on the right or left, seen from above with the hand in front
        u, d   elbow: above or below the line from shoulder to hand
        n, f   wrist: not flipped (joint 5 positive from where axes 4 and 6 align), or flipped

    A choice left open by the letters is made within the joint limits (unless limits=False) and nearest to q0
    (n,), a named pose, or by default the middle of the limits. In a singular configuration the free angle
    stays as in q0. Angles are shifted by whole turns so that they are nearest to q0. of: a link carried by
    joint 6, whose frame replaces the tool.

    Raises InverseKinematicsError with the residual and, if the pose is out of reach, the distance; with
    check=False this is only flagged. Raises NoClosedForm, GroupError, InvalidTask.
    """
    robot = as_robot(robot)
    solutions = _solve(robot, T, configuration, q0, limits, of)
    solution = solutions.solution(solutions.number)
    if check and not solution.success:
        raise _failure(robot, configuration, solution)
    return solution


@checked_numbers(InvalidTask)
def ikine_all(
    robot: Robot | str, T: Any, q0: Any = None, *, limits: bool = True, of: str = "tool"
) -> tuple[Solution, ...]:
    """The eight solutions of `ikine_closed`: run, ruf, rdn, rdf, lun, luf, ldn, ldf.

    Solutions out of reach or beyond the joint limits have `success` False; those out of reach are as close
    as possible. Raises NoClosedForm, GroupError, InvalidTask.
    """
    solutions = _solve(as_robot(robot), T, "", q0, limits, of)
    return tuple(solutions.solution(k) for k in range(8))


@dataclass(frozen=True)
class _Outcome:
    """Results of the kernel: the number of the chosen solution, and all eight."""

    number: int
    solutions: Array
    ranks: Array
    residuals: Array
    gaps: Array

    def solution(self, k: int) -> Solution:
        return Solution(
            self.solutions[k], bool(self.ranks[k] == GOOD), float(self.residuals[k]),
            distance=float(self.gaps[k]), configuration=configuration_name(k),
        )  # fmt: skip


def _solve(robot: Robot, T: ArrayLike, configuration: str, q0: ArrayLike, limits: bool, of: str) -> _Outcome:
    goal, branch = checks.pose(T), configuration_of(configuration)
    form, near = form_of(robot, of), start(robot, q0)
    ready = bound(SELECT, robot, of, (form.kind, *branch, int(limits)))
    number = ready.run(form.numbers, goal, np.ones(6), near)
    _, solutions, ranks, residuals, gaps = (output.copy() for output in ready.outputs)
    return _Outcome(number, solutions, ranks, residuals, gaps)


def _failure(robot: Robot, configuration: str, solution: Solution) -> InverseKinematicsError:
    kind = f"configuration `{configuration}`" if configuration else "every configuration"
    if solution.distance > 0.0:
        problem = f"the pose is {solution.distance:.3g} m out of reach of {kind}"
        expected = "a pose within reach" + (", or another configuration" if configuration else "")
    elif solution.residual > REACHED:
        problem = f"the pose is out of reach of {kind}"
        expected = "an orientation that the wrist can take"
    else:
        q, low, high = solution.q, robot.lower, robot.upper
        i = int(np.argmax(np.maximum(low - q, q - high)))
        one = "" if len(configuration) == 3 else f", `{solution.configuration}`"
        problem = f"{kind} breaks limits{one} with joint {i + 1} at {q[i]:.4g} rad"
        expected = f"{low[i]:.4g} to {high[i]:.4g} rad; limits=False leaves the limits out"
    if solution.residual > REACHED:
        problem += f"; the residual is {solution.residual:.3g}"
    return InverseKinematicsError(robot.name, problem, expected, solution)
