"""Null space: a redundant arm moves away from its joint limits while its tool stays where it is."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...base.checked import guarded
from ..calls.kernel import FLAG, WORK, Bound, Input, Kernel, Output, Scratch, as_robot, bound
from ..functions import fkine
from ..functions.checks import coordinates
from ..mechanics.errors import SingularPose
from ..mechanics.work import Array
from ..model.robot import Robot
from .arguments import frame_of, mask_of
from .errors import InvalidTask, InverseKinematicsError
from .limits import inside
from .solution import Solution
from .task import task_error, task_jacobian

EXACT = 1e-9  # m and rad: how far the tool may be from where it was
STEPS = 200
SINGULAR = 6  # what SLSQP says of a Jacobian with dependent rows
ASIDE = 1e-3  # rad or m: how far beside a singular pose it begins


class Centred(NamedTuple):
    """Joint coordinates that leave the tool in place, and how far from the middle of the limits they are."""

    q: NDArray[np.float64]  # (n,), or (k, n)
    cost: Any  # of each q: 0 in the middle of all limits, 1 if all joints stood at one


def held(
    arm: Array, q: Array, goal: Array, mask: Array, frame: int, work: Array, pose: Array, e: Array, J: Array
) -> None:
    """The weighted error of the tool, e (6,), and J = -de/dq (6, n)."""
    task_error(arm, q, goal, mask, frame, work, pose, e)
    task_jacobian(arm, mask, frame, work, e, J)


HELD = Kernel(
    held,
    (
        Input("q"), Input("T", (4, 4)), Input("mask", (6,)), FLAG, WORK, Scratch((4, 4)), Output((6,)),
        Output((6, "n")),
    ),
)  # fmt: skip


@guarded(InvalidTask)
def qmincon(
    robot: Robot | str,
    q: Any,
    *,
    mask: Any = None,
    frame: Literal["world", "body"] = "world",
    of: str = "tool",
) -> Centred:
    """Joint coordinates near the middle of their limits that leave the tool where q has it.

        cost = mean(((q - m) / h)^2) -> min,   T(q') = T(q),   lower <= q' <= upper

    m is the middle and h the half of the range of each joint with two limits; the others are free. q (n,), or
    (k, n) for k poses, each by itself. mask and frame as in `ikine`: elements of the pose with weight 0 need
    not stay. The minimum is the one that sequential quadratic programming finds from q: it is a local one.

    Liegeois, Automatic Supervisory Control of the Configuration and Behavior of Multibody Mechanisms, IEEE
    Trans. Systems, Man, and Cybernetics 7(12), 1977; Kraft, DFVLR-FB 88-28, 1988 (the method, from SciPy).
    Raises InvalidTask for an arm that is not redundant or has no joint between two limits;
    InverseKinematicsError where no such q is found, as from far beyond the limits; SingularPose, WrongSize.
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
        each.append(_centred(robot, ready, span, x, fkine(robot, x, of=of), weights, rows))
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

    def gradient(self, q: Array) -> Array:
        out = np.zeros(len(q))
        out[self.limited] = 2.0 * (q[self.limited] - self.middle) / self.half**2 / len(self.half)
        return out


def _centred(
    robot: Robot, ready: Bound, span: _Span, q: Array, T: Array, weights: Array, rows: NDArray[np.intp]
) -> Centred:
    from scipy.optimize import Bounds, minimize

    def error(x: Array) -> Array:
        ready.run(x, T, weights)
        return ready.outputs[0][rows].copy()

    def slope(x: Array) -> Array:
        ready.run(x, T, weights)
        return -ready.outputs[1][rows]

    near = np.array([inside(robot.table(), i, float(x)) for i, x in enumerate(q)])
    in_place: Any = {"type": "eq", "fun": error, "jac": slope}
    for start in (near, near + ASIDE * np.sin(1.0 + np.arange(robot.n))):
        minimum = minimize(
            span.cost, np.clip(start, span.lower, span.upper), jac=span.gradient, method="SLSQP",
            bounds=Bounds(span.lower, span.upper), constraints=in_place,
            options={"maxiter": STEPS, "ftol": 1e-13},
        )  # fmt: skip
        if minimum.status != SINGULAR:
            break
    else:
        raise SingularPose(robot.name, f"a part of the pose at q = {np.round(q, 4).tolist()}")
    best = np.asarray(minimum.x)
    for _ in range(3):  # what is left of the error is taken away by Newton's steps, the shortest ones
        best = best - np.linalg.pinv(slope(best)) @ error(best)
    residual, cost = float(np.linalg.norm(error(best))), span.cost(best)
    beyond = float(np.maximum(span.lower - best, best - span.upper).max())
    if residual > EXACT or beyond > EXACT:
        text = f"no q within the limits found that leaves the pose; the best one misses it by {residual:.3g}"
        raise InverseKinematicsError(
            robot.name, text, "a start within the joint limits, or near them",
            Solution(best, False, residual, int(minimum.nit)),
        )  # fmt: skip
    return Centred(best, cost)
