"""Closed-form inverse kinematics: all solutions of a pose, or the wanted one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.checked import guarded
from ..calls.kernel import FLAG, WORK, Input, Kernel, Output, Scratch, as_robot, bound
from ..lie import checks
from ..model.robot import Robot
from .arguments import configuration_name, configuration_of, start
from .closed import ROWS
from .errors import InvalidTask, InverseKinematicsError
from .form import form_of
from .select import GOOD, REACHED, closed_ikine
from .solution import Solution

Array = NDArray[np.float64]

SELECT = Kernel(
    closed_ikine,
    (
        Input("form", (ROWS, 6)), FLAG, Input("T", (4, 4)), Input("mask", (6,)), FLAG, FLAG, FLAG, FLAG,
        Input("q0"), Output(), Output((8, 6)), Output((8,)), Output((8,)), Output((8,)),
        WORK, Scratch((4, 4)), Scratch((4, 4)), Scratch((6,)),
    ),
)  # fmt: skip


@guarded(InvalidTask)
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

    What the letters leave open is chosen within the joint limits (unless limits=False) and nearest to q0
    (n,), a named pose, or by default the middle of the limits. In a singular configuration the free angle
    stays as in q0. Angles are shifted by whole turns so that they are nearest to q0. of: a link carried by
    joint 6, whose frame replaces the tool.

    Raises InverseKinematicsError with the residual and, if the pose is out of reach, the distance; with
    check=False this is only flagged. Raises NoClosedForm, NotPose, InvalidTask.
    """
    robot = as_robot(robot)
    solutions = _solve(robot, T, configuration, q0, limits, of)
    solution = solutions.solution(solutions.number)
    if check and not solution.success:
        raise _failure(robot, configuration, solution)
    return solution


@guarded(InvalidTask)
def ikine_all(
    robot: Robot | str, T: Any, q0: Any = None, *, limits: bool = True, of: str = "tool"
) -> tuple[Solution, ...]:
    """The eight solutions of `ikine_closed`: run, ruf, rdn, rdf, lun, luf, ldn, ldf.

    Those that are out of reach or beyond the joint limits have `success` False; the former come as close as
    possible. Raises NoClosedForm, NotPose, InvalidTask.
    """
    solutions = _solve(as_robot(robot), T, "", q0, limits, of)
    return tuple(solutions.solution(k) for k in range(8))


@dataclass(frozen=True)
class _Outcome:
    """What the kernel leaves: the number of the chosen solution, and all eight."""

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


def _solve(robot: Robot, T: Any, configuration: str, q0: Any, limits: bool, of: str) -> _Outcome:
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
