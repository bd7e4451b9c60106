"""Numerical inverse kinematics of any arm: Newton and damped least squares, limits, masks, restarts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...base.checked import checked_numbers
from ..calls.kernel import FLAG, WORK, Input, Kernel, Output, Scratch, as_robot, bound
from ..lie import checks
from ..model.robot import Robot
from . import search
from .arguments import InvalidTask, InverseKinematicsError, Solution, frame_of, mask_of, start
from .search import starts

Array = NDArray[np.float64]
Method = Literal["newton", "lm", "sugihara"]

# damping = a + b e^T e / 2 + c trace(J^T J) / n; the last term keeps redundant arms solvable
RULES: dict[str, tuple[float, float, float]] = {
    "newton": (0.0, 0.0, 1e-12),
    "lm": (0.0, 0.1, 1e-10),
    "sugihara": (1e-6, 1.0, 0.0),
}

SEARCH = Kernel(
    search.ikine,
    (
        Input("T", (4, 4)), Input("mask", (6,)), FLAG, Input("rule", (4,)), FLAG, FLAG,
        Input("starts", ("k", "n")), Input("q0"),
        Output(), WORK, Scratch((4, 4)), Scratch((6, "n")), Scratch((6,)), Scratch(("n", "n")),
        Scratch(("n",)), Scratch(("n",)), Output((3,)),
    ),
)  # fmt: skip


@checked_numbers(InvalidTask)
def ikine(
    robot: Robot | str,
    T: ArrayLike,
    q0: ArrayLike | None = None,
    *,
    mask: ArrayLike | None = None,
    frame: Literal["world", "body"] = "world",
    method: Method = "lm",
    limits: bool = True,
    restarts: int = 100,
    iterations: int = 50,
    tolerance: float = 1e-9,
    seed: int = 0,
    of: str = "tool",
    check: bool = True,
) -> Solution:
    """Joint coordinates that bring the tool of a robot, given as an object or by name, to the pose T (4, 4).

        q <- q + (J^T J + damping I)^-1 J^T e        J = -de/dq, e weighted by the mask

    e is (p* - p, log(R* R^T)) in world axes, (R^T (p* - p), log(R^T R*)) in the body's, m and rad. The mask
    (6,) weights its elements, linear then angular; elements with weight 0 are left free. For a planar arm use
    (1, 1, 0, 0, 0, 0), for a tool that may turn about its z (1, 1, 1, 1, 1, 0) with frame="body".

    method: "lm" damps by 0.1 e^T e / 2 (Chan and Lawrence, ICRA 1988, 834-839), "sugihara" by e^T e / 2 +
    1e-6 (Sugihara, IEEE Trans. Robotics 27(5), 2011, 984-991), "newton" has no damping: its step is J^+ e.
    Success is |e| <= tolerance within the joint limits, unless limits=False. The first search starts at q0
    (n,), a named pose of the robot, or by default the middle of the limits; each of up to `restarts` further
    searches, of at most `iterations` steps, at a point of the joint space drawn from the seed. Angles are
    shifted by whole turns so that they are nearest to q0. of: a link whose frame replaces the tool.

    Raises InverseKinematicsError with the residual and the best q found; with check=False this is only
    flagged in the Solution. Raises GroupError, InvalidTask.
    """
    robot = as_robot(robot)
    goal, weights, side = checks.pose(T), mask_of(mask), frame_of(frame)
    if not (restarts >= 0 and iterations >= 1 and tolerance > 0):
        problem = f"found {restarts}, {iterations}, {tolerance}"
        raise InvalidTask("restarts, iterations, tolerance", problem, "at least 0, at least 1, above 0")
    near = start(robot, q0)
    ready = bound(SEARCH, robot, of, (side, int(limits), iterations), (("k", restarts),))
    spread = starts(robot, restarts, seed, limits)
    done = ready.run(goal, weights, np.array([*RULES[method], tolerance]), spread, near)
    q, (residual, steps, searches) = ready.outputs
    solution = Solution(q.copy(), bool(done), float(residual), int(steps), int(searches))
    if check and not done:
        raise _failure(robot, solution, limits, tolerance, mask is None)
    return solution


@checked_numbers(InvalidTask)
def ikine_path(
    robot: Robot | str, poses: Iterable[Any], q0: ArrayLike | None = None, **options: Any
) -> tuple[Solution, ...]:
    """Apply `ikine` to a sequence of poses, each from the previous solution. Raises the errors of `ikine`."""
    robot = as_robot(robot)
    solutions: list[Solution] = []
    for pose in poses:
        solutions.append(ikine(robot, pose, solutions[-1].q if solutions else q0, **options))
    return tuple(solutions)


def _failure(
    robot: Robot, solution: Solution, limits: bool, tolerance: float, all_elements: bool
) -> InverseKinematicsError:
    problem = (
        f"no joint coordinates found in {solution.searches} searches; the best miss the pose by"
        f" {solution.residual:.3g} (m and rad), the tolerance is {tolerance:g}"
    )
    expected = "a pose within reach"
    if limits and (np.isfinite(robot.lower).any() or np.isfinite(robot.upper).any()):
        expected += " and within the joint limits (limits=False leaves them out)"
    if all_elements and robot.n < 6:
        expected += f"; with {robot.n} joints, a mask that leaves {6 - robot.n} or more elements free"
    return InverseKinematicsError(robot.name, problem, expected, solution)
