"""Inverse kinematics checks its arguments, and returns a solution or raises an error."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.words import nearest
from ..errors import RobotError
from ..lie import checks
from ..mechanics.kinematics import BODY, WORLD
from ..model.robot import Robot
from .search import middle

_SIX = (
    "six joints, 2 and 3 parallel (or 3 a slide across axis 2); 4, 5, 6 meet in a point\n"
    "(spherical wrist), or 4 is parallel to 2 and 3, and 5 and 6 meet"
)


class InverseKinematicsError(RobotError):
    """No joint coordinates were found for a pose; `solution` is the best attempt."""

    def __init__(self, robot: str, actual: str, expected: str, solution: Solution) -> None:
        self.solution, self.residual = solution, solution.residual
        super().__init__(f"{robot}: {actual}\nexpected: {expected}")


class NoClosedForm(RobotError):
    """An arm whose axes do not allow a closed form; `reason` is the requirement that fails."""

    def __init__(self, robot: str, reason: str, needs: str = _SIX) -> None:
        self.robot, self.reason = robot, reason
        super().__init__(
            f"{robot} has no closed inverse kinematics: {reason}\nexpected: {needs}; `ikine` takes any arm"
        )


class InvalidTask(RobotError):
    """An argument that does not describe a task of inverse kinematics."""

    def __init__(self, name: str, actual: str, expected: str) -> None:
        self.name, self.actual, self.expected = name, actual, expected
        super().__init__(f"{name}: {actual}\nexpected: {expected}")


Array = NDArray[np.float64]


@dataclass(frozen=True)
class Solution:
    """Joint coordinates q (n,), rad or m, and their quality.

    `success`: the tool is at its pose, within the tolerance and, if they apply, within the joint limits.
    `residual` is the length of the weighted pose error, m and rad together; `distance`, m, is the
    distance by which a closed form misses the pose. `iterations` counts the steps of all `searches`, 0 for a
    closed form. `configuration` names the branch of a closed form, "run", "luf" ...
    """

    q: Array
    success: bool
    residual: float
    iterations: int = 0
    searches: int = 0
    distance: float = 0.0
    configuration: str = ""


COUNT = {3: "three", 6: "six"}
CHOICES = ("rl", "ud", "nf")  # shoulder right or left, elbow up or down, wrist not flipped or flipped


def start(robot: Robot, q0: Any) -> Array:
    """First q of a search: q0, a named pose, or the middle of the limits. Raises InvalidTask, WrongShape."""
    if robot.n == 0:
        raise InvalidTask("robot", f"{robot.name} has no moving joints", "an arm")
    if q0 is None:
        return middle(robot)
    if isinstance(q0, str):
        if q0 not in robot.named:
            names = ", ".join(robot.named) or "none"
            raise InvalidTask(
                "q0",
                f"{robot.name} has no pose `{q0}`{nearest(q0, robot.named)}",
                f"{robot.n} numbers, or one of: {names}",
            )
        q0 = robot.named[q0]
    return checks.array(q0, (robot.n,), "q0")


def mask_of(mask: Any, size: int = 6) -> Array:
    """The weights, at least 0, not all 0. Raises InvalidTask, WrongShape."""
    if mask is None:
        return np.ones(size)
    weights = checks.array(mask, (size,), "mask")
    if (weights < 0.0).any() or not weights.any():
        raise InvalidTask(
            "mask", f"found {weights.tolist()}", f"{COUNT[size]} weights, at least 0, one of them above 0"
        )
    return weights


def frame_of(frame: str) -> int:
    """The kernel's number of the frame, world or body, to whose axes the mask applies."""
    return BODY if frame == "body" else WORLD


def configuration_of(text: str) -> tuple[int, int, int]:
    """Shoulder, elbow, wrist as 0 or 1, -1 if the text does not specify them. Raises InvalidTask."""
    branch = [-1, -1, -1]
    for letter in text:
        place = next((i for i, pair in enumerate(CHOICES) if letter in pair), None)
        if place is None or branch[place] >= 0:
            raise InvalidTask(
                "configuration", f"found {text!r}",
                "at most one letter of each pair: r or l (shoulder right, left), u or d (elbow up, down),"
                " n or f (wrist not flipped, flipped)",
            )  # fmt: skip
        branch[place] = CHOICES[place].index(letter)
    return branch[0], branch[1], branch[2]


def configuration_name(k: int) -> str:
    """The three letters of solution k."""
    return CHOICES[0][k // 4] + CHOICES[1][k // 2 % 2] + CHOICES[2][k % 2]
