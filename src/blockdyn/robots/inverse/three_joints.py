"""Closed-form inverse kinematics of arms with three joints moves the tool to a point."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.checked import checked_numbers
from ..calls.kernel import as_robot
from ..lie import checks
from ..mechanics.bodies import ORIGIN, ROTATION, work_shape
from ..mechanics.kinematics import tool_pose
from ..model.robot import Robot
from ..model.table import PARENT, PRISMATIC, TIP
from .analytic import REACHED, SLACK
from .arguments import (
    CHOICES,
    InvalidTask,
    InverseKinematicsError,
    NoClosedForm,
    Solution,
    configuration_of,
    start,
)
from .closed import ALONG, across, bend_arm, dot, length, level, minus, plus, rotate_about, slide_arm, vector
from .form import EXACT, parallel_or_sliding
from .search import inside, is_in_limits, nearest_turn

Array = NDArray[np.float64]
NEEDS = "three joints in a chain, the second and the third parallel (or the third a slide across axis 2)"


@checked_numbers(InvalidTask)
def ikine3(
    robot: Robot | str,
    p: Any,
    q0: Any = None,
    *,
    configuration: str = "",
    limits: bool = True,
    of: str = "tool",
    check: bool = True,
) -> Solution:
    """Joint coordinates (3,) that bring the tool to the point p (3,), or to the origin of a pose (4, 4), m.

    For arms with three joints of which 2 and 3 are parallel, as the first three of a Puma, or joint 3
    slides across axis 2. configuration: r or l (shoulder right or left), u or d (elbow up or down),
    as in `ikine_closed`; a choice left open is made within the limits (unless limits=False) and nearest to
    q0 (n,), a named pose, or the middle of the limits. of: another frame that replaces the tool.

    Paul, Zhang, Int. J. Robotics Research 5(2), 1986, 32-44. Raises InverseKinematicsError with the missing
    distance, unless check=False; NoClosedForm, InvalidTask, WrongShape.
    """
    robot = as_robot(robot)
    goal = checks.pose(p, "p")[:3, 3].copy() if np.shape(p) == (4, 4) else checks.array(p, (3,), "p")
    shoulder, elbow, wrist = configuration_of(configuration)
    if wrist >= 0:
        raise InvalidTask("configuration", f"found {configuration!r}", "r or l, u or d: there is no wrist")
    arm, form = _form(robot, of)
    near = start(robot, q0)
    solutions = [
        _solution(arm, form, goal, k, near, limits)
        for k in range(4)
        if shoulder in (-1, k // 2) and elbow in (-1, k % 2)
    ]
    best = min(solutions, key=lambda candidate: (candidate[0], float(np.linalg.norm(candidate[1].q - near))))[
        1
    ]
    if check and not best.success:
        raise _failure(robot, best, configuration)
    return best


def _form(robot: Robot, of: str) -> tuple[Array, Array]:
    """The table, and rows (axis, point) of the joints, then (0, tool), at q = 0, in the plane of the arm."""
    arm = robot.table(of)
    if len(arm) != 4 or robot.n != 3 or any(arm[i, PARENT] != i - 1 for i in range(3)) or arm[3, TIP] != 2:
        reason = f"it has {robot.n} moving joints, not three in a chain that carries `{of}`"
        raise NoClosedForm(robot.name, reason, NEEDS)
    if arm[0, PRISMATIC] != 0.0 or arm[1, PRISMATIC] != 0.0:
        raise NoClosedForm(robot.name, "joint 1 or 2 is prismatic", NEEDS)
    work, home = np.zeros(work_shape(3)), np.empty((4, 4))
    tool_pose(arm, np.zeros(3), work, home)
    form = np.zeros((4, 6))
    for i in range(3):
        form[i, :3] = [work[i, ROTATION + 2 + 3 * k] for k in range(3)]
        form[i, 3:] = work[i, ORIGIN : ORIGIN + 3]
    form[3, 3:] = home[:3, 3]
    h = form[:, :3]
    parallel_or_sliding(robot.name, h, arm[2, PRISMATIC] != 0.0)
    if np.linalg.norm(np.cross(h[0], h[1])) < EXACT:
        raise NoClosedForm(robot.name, "axes 1 and 2 are parallel", NEEDS)
    for i in (1, 2):
        form[i, 3:] += h[1] * (h[1] @ (form[3, 3:] - form[i, 3:]))
    return arm, form


def _solution(
    arm: Array, form: Array, goal: Array, k: int, near: Array, limits: bool
) -> tuple[int, Solution]:
    """Solution k = 2 shoulder + elbow, and its rank: 0 good, 1 beyond limits, 2 out of reach."""
    h1, p1, h2, c = vector(form, 0, 0), vector(form, 0, 3), vector(form, 1, 0), vector(form, 3, 3)
    x = minus((goal[0], goal[1], goal[2]), p1)
    side = dot(h2, minus(c, p1))
    front = 1.0 if (k // 2 == 0) == (side >= 0.0) else -1.0
    turn, gap = level(h2, h1, x, side, front)
    q = np.zeros((1, 3))
    q[0, 0] = near[0] if length(across(x, h1)) < ALONG else -turn
    reach = minus(plus(rotate_about(h1, -q[0, 0], x), p1), vector(form, 1, 3))
    if arm[2, PRISMATIC] != 0.0:
        missed = slide_arm(form, c, reach, 1.0 - 2.0 * (k % 2), near, 0, q)
    else:
        missed = bend_arm(form, c, reach, -front if k % 2 == 0 else front, near, 0, q)
    for i in range(3):
        close = inside(arm, i, near[i]) if limits else near[i]
        q[0, i] = nearest_turn(arm, int(limits), i, q[0, i], close)
    T = np.empty((4, 4))
    tool_pose(arm, q[0], np.zeros(work_shape(3)), T)
    residual = float(np.linalg.norm(T[:3, 3] - goal))
    rank = 2 if not residual <= REACHED else 1 if limits and not is_in_limits(arm, q[0], SLACK) else 0
    name = CHOICES[0][k // 2] + CHOICES[1][k % 2]
    return rank, Solution(
        q[0], rank == 0, residual, distance=float(np.hypot(gap, missed)), configuration=name
    )


def _failure(robot: Robot, best: Solution, configuration: str) -> InverseKinematicsError:
    kind = f"configuration `{configuration}`" if configuration else "every configuration"
    if best.residual > REACHED:
        problem = f"the point is {best.distance:.3g} m out of reach of {kind}"
        return InverseKinematicsError(robot.name, problem, "a point within reach", best)
    i = int(np.argmax(np.maximum(best.q - robot.upper, robot.lower - best.q)))
    problem = f"{kind} breaks limits, `{best.configuration}` with joint {i + 1} at {best.q[i]:.4g}"
    expected = f"{robot.lower[i]:.4g} to {robot.upper[i]:.4g}; limits=False leaves the limits out"
    return InverseKinematicsError(robot.name, problem, expected, best)
