"""A redundant arm moves away from its joint limits without moving its tool."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...base.checked import checked_numbers
from ..calls.kernel import FLAG, WORK, Bound, Input, Kernel, Output, Scratch, as_robot, bound
from ..functions import fkine
from ..functions.checks import coordinates
from ..mechanics.bodies import Array
from ..mechanics.errors import singular_pose
from ..model.robot import Robot
from .arguments import InvalidTask, InverseKinematicsError, Solution, frame_of, mask_of
from .search import inside
from .task import task_error, task_jacobian

EXACT = 1e-9  # m and rad: permitted displacement of the tool
STEPS = 200
SINGULAR = 6  # status of SLSQP for a Jacobian with dependent rows
ASIDE = 1e-3, -1e-3  # rad or m: distance of the starts from a singular pose
SLIDES = 5  # steps of Newton's method; the first is exact if axes coincide
RANK = 1e-9  # of the largest singular value: smaller ones count as 0


class Centred(NamedTuple):
    """Joint coordinates that leave the tool in place, and their distance from the middle of the limits."""

    q: NDArray[np.float64]  # (n,), or (k, n)
    cost: Any  # of each q: 0 in the middle of all limits, 1 if all joints are at a limit


def weigh_error(
    arm: Array, q: Array, goal: Array, mask: Array, frame: int, work: Array, pose: Array, e: Array, J: Array
) -> None:
    """The weighted error of the tool, e (6,), and J = -de/dq (6, n)."""
    task_error(arm, q, goal, mask, frame, work, pose, e)
    task_jacobian(arm, mask, frame, work, e, J)


HELD = Kernel(
    weigh_error,
    (
        Input("q"), Input("T", (4, 4)), Input("mask", (6,)), FLAG, WORK, Scratch((4, 4)), Output((6,)),
        Output((6, "n")),
    ),
)  # fmt: skip


@checked_numbers(InvalidTask)
def qmincon(
    robot: Robot | str,
    q: Any,
    *,
    mask: Any = None,
    frame: Literal["world", "body"] = "world",
    of: str = "tool",
) -> Centred:
    """Joint coordinates near the middle of their limits that keep the pose of the tool at q.

        cost = mean(((q - m) / h)^2) -> min,   T(q') = T(q),   lower <= q' <= upper

    m is the middle and h the half of the range of each joint with two limits; the others are free. q (n,), or
    (k, n) for k separate poses. mask and frame as in `ikine`: elements of the pose with weight 0 may
    change. Sequential quadratic programming finds the local minimum from q. At a singular q it
    is the best of the minima found from nearby starts, and never worse than q itself.

    Liegeois, Automatic Supervisory Control of the Configuration and Behavior of Multibody Mechanisms, IEEE
    Trans. Systems, Man, and Cybernetics 7(12), 1977; Kraft, DFVLR-FB 88-28, 1988 (the method, from SciPy).
    Raises InvalidTask for an arm that is not redundant or has no joint between two limits;
    InverseKinematicsError if it finds no such q, e.g. far beyond the limits; MechanicsError, WrongSize.
    """
    robot = as_robot(robot)
    weights, side = mask_of(mask), frame_of(frame)
    rows = np.flatnonzero(weights)
    if robot.n <= len(rows):
        problem = f"{robot.name} has {robot.n} joints for {len(rows)} elements of the pose"
        raise InvalidTask("robot", problem, "a redundant arm, or a mask that leaves more elements free")
    values = coordinates(robot, q)
    ready, span = bound(HELD, robot, of, (side,)), _Span(robot)
    each = []
    for x in values.reshape(-1, robot.n):
        each.append(_centre(robot, _ToolError(ready, fkine(robot, x, of=of), weights), span, x))
    if values.ndim == 1:
        return each[0]
    return Centred(np.array([one.q for one in each]), np.array([one.cost for one in each]))


class _Span:
    """The middle and the half of each joint's range, and the cost of q with its gradient."""

    def __init__(self, robot: Robot) -> None:
        self.lower, self.upper = robot.lower, robot.upper
        self.limited = np.isfinite(self.lower) & np.isfinite(self.upper) & (self.upper > self.lower)
        if not self.limited.any():
            problem = f"no joint of {robot.name} has two limits"
            raise InvalidTask("robot", problem, "limits to keep away from")
        low, high = self.lower[self.limited], self.upper[self.limited]
        self.middle, self.half = 0.5 * (low + high), 0.5 * (high - low)

    def cost(self, q: Array) -> float:
        return float(np.mean(((q[self.limited] - self.middle) / self.half) ** 2))

    def holds(self, solution: Solution) -> bool:
        """True if the solution leaves the tool in place, within the limits."""
        q = solution.q
        return solution.success and float(np.maximum(self.lower - q, q - self.upper).max()) <= EXACT

    def gradient(self, q: Array) -> Array:
        out = np.zeros(len(q))
        out[self.limited] = 2.0 * (q[self.limited] - self.middle) / self.half**2 / len(self.half)
        return out

    def curvature(self) -> Array:
        out = np.zeros(len(self.limited))
        out[self.limited] = 2.0 / self.half**2 / len(self.half)
        return out


class _ToolError:
    """The error of the tool from its fixed pose, and its Jacobian."""

    def __init__(self, ready: Bound, T: Array, weights: Array) -> None:
        self._ready, self._target, self._rows = ready, (T, weights), np.flatnonzero(weights)

    def error(self, q: Array) -> Array:
        self._ready.run(q, *self._target)
        return self._ready.outputs[0][self._rows].copy()

    def slope(self, q: Array) -> Array:
        self._ready.run(q, *self._target)
        return -self._ready.outputs[1][self._rows]

    def solution(self, q: Array, iterations: int) -> Solution:
        """The solution, after minimum-norm Newton steps remove the remaining error."""
        for _ in range(3):
            q = q - np.linalg.pinv(self.slope(q)) @ self.error(q)
        residual = float(np.linalg.norm(self.error(q)))
        return Solution(q, residual <= EXACT, residual, iterations)


def _centre(robot: Robot, held: _ToolError, span: _Span, q: Array) -> Centred:
    near = np.array([inside(robot.table(), i, float(x)) for i, x in enumerate(q)])
    optimum = _search_from(held, span, near)
    if optimum is None:
        direction = np.sin(1.0 + np.arange(robot.n))
        starts = [_search_from(held, span, near + by * direction) for by in ASIDE]
        nearby = [each for each in starts if each is not None]
        tried = [held.solution(near, 0), _slid(held, span, near), *nearby]
        optimum = min(tried, key=lambda each: (not span.holds(each), span.cost(each.q)))
        if not span.holds(optimum) and not nearby:
            raise singular_pose(robot.name, f"a part of the pose at q = {np.round(q, 4).tolist()}")
    if not span.holds(optimum):
        miss = f"{optimum.residual:.3g}"
        text = f"no q within the limits found that leaves the pose; the best one misses it by {miss}"
        raise InverseKinematicsError(
            robot.name, text, "a start within the joint limits, or near them", replace(optimum, success=False)
        )
    return Centred(optimum.q, span.cost(optimum.q))


def _search_from(held: _ToolError, span: _Span, start: Array) -> Solution | None:
    """The minimum from a start; None if the Jacobian there has dependent rows."""
    from scipy.optimize import Bounds, minimize

    in_place: Any = {"type": "eq", "fun": held.error, "jac": held.slope}
    minimum = minimize(
        span.cost, np.clip(start, span.lower, span.upper), jac=span.gradient, method="SLSQP",
        bounds=Bounds(span.lower, span.upper), constraints=in_place,
        options={"maxiter": STEPS, "ftol": 1e-13},
    )  # fmt: skip
    return None if minimum.status == SINGULAR else held.solution(np.asarray(minimum.x), int(minimum.nit))


def _slid(held: _ToolError, span: _Span, q: Array) -> Solution:
    """The minimum along motions that leave the tool at rest and the pose equally singular: coincident
    axes rotate relative to each other, which is exact.
    """
    for _ in range(SLIDES):
        _, sizes, rows = np.linalg.svd(held.slope(q))
        free = rows[np.count_nonzero(sizes > RANK * sizes[0]) :].T
        curvature = free.T @ (span.curvature()[:, None] * free)
        q = q - free @ np.linalg.lstsq(curvature, free.T @ span.gradient(q), rcond=RANK)[0]
    return held.solution(q, SLIDES)
