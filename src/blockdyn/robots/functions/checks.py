"""Checks of a robot or a pose cover joint limits, a spherical wrist and dependent joints."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...base.annotations import all_finite, of_truth, real_numbers
from ...base.checked import checked_numbers
from ..calls.kernel import Array, as_robot
from ..mechanics.bodies import work_shape
from ..mechanics.errors import WrongSize, not_finite
from ..mechanics.kinematics import body_poses
from ..model.robot import Robot
from ..model.table import PARENT, PRISMATIC, TIP

SLACK = 1e-8  # m, or rad: lines this near to each other meet, or are parallel
DEPENDENT = 1e-9  # of a column's length: largest component orthogonal to earlier columns, if dependent


@checked_numbers(WrongSize)
def islimit(robot: Robot | str, q: ArrayLike) -> NDArray[np.int64]:
    """For each joint, -1 below its lower limit, 1 above its upper one, otherwise 0: (n,), or (k, n) for rows.

    Limits themselves are allowed. Raises WrongSize.
    """
    robot = as_robot(robot)
    values = coordinates(robot, q)
    return (values > robot.upper).astype(np.int64) - (values < robot.lower)


@checked_numbers(WrongSize)
def isspherical(robot: Robot | str) -> bool:
    """True if the last three joints are a spherical wrist: they turn about axes that meet in one point.

    They carry the tool in series, and neighbouring axes are not parallel. The existence of a closed-form
    inverse (`ikine_closed`) also depends on the previous joints.
    """
    robot = as_robot(robot)
    arm, n = robot.table(), robot.n
    if (
        n < 3
        or len(arm) != n + 1
        or arm[n, TIP] != n - 1
        or arm[n - 1, PARENT] != n - 2
        or arm[n - 2, PARENT] != n - 3
    ):
        return False
    if arm[n - 3 : n, PRISMATIC].any():
        return False
    poses = np.empty((n, 4, 4))
    body_poses(arm, np.zeros(n), np.empty(work_shape(n)), poses)
    axes, points = poses[n - 3 :, :3, 2], poses[n - 3 :, :3, 3]
    if min(np.linalg.norm(np.cross(axes[i], axes[i + 1])) for i in (0, 1)) < SLACK:
        return False
    across = np.eye(3) - axes[:, :, None] * axes[:, None, :]  # onto planes perpendicular to the axes
    centre = np.linalg.lstsq(across.reshape(9, 3), (across @ points[:, :, None]).ravel(), rcond=None)[0]
    return bool(np.linalg.norm(np.cross(axes, centre - points), axis=1).max() < SLACK)


@checked_numbers(WrongSize)
def jsingu(J: ArrayLike) -> Mapping[int, Mapping[int, float]]:
    """Columns of a Jacobian (m, n) that depend on earlier columns, that is, dependent joints.

        {5: {3: 1.0}} means that column 5 is 1.0 times column 3

    Columns are counted from 0. The result is empty if all are independent, as at nonsingular poses.
    A column counts as dependent if less than 1e-9 of its length remains. Raises WrongSize.
    """
    matrix = real_numbers(J)
    if matrix.ndim != 2:
        raise WrongSize("J", f"found shape {matrix.shape}", "(m, n), a column for each joint")
    if not all_finite(matrix):
        raise not_finite("J", matrix)
    dependent: dict[int, Mapping[int, float]] = {}
    free: list[int] = []
    for j in range(matrix.shape[1]):
        column = matrix[:, j]
        shares, remainder = _shares(matrix[:, free], column)
        if np.linalg.norm(remainder) > DEPENDENT * np.linalg.norm(column):
            free.append(j)
        else:
            dependent[j] = {i: float(x) for i, x in zip(free, shares) if abs(x) > DEPENDENT}
    return dependent


def coordinates(robot: Robot, q: ArrayLike) -> Array:
    """q as an array, (n,) or (k, n), finite. Raises WrongSize."""
    place, expected = f"{robot.name}, q", f"({robot.n},), or (k, {robot.n}) for k poses"
    try:
        values = real_numbers(q)
    except (TypeError, ValueError):
        raise WrongSize(place, f"found {q!r:.60}", expected + of_truth(q)) from None
    if values.ndim not in (1, 2) or values.shape[-1] != robot.n:
        raise WrongSize(place, f"found shape {values.shape}", expected)
    if not all_finite(values):
        raise not_finite(place, values)
    return values


def _shares(basis: Array, column: Array) -> tuple[Array, Array]:
    """The column as a sum of others, and the remainder."""
    shares = np.zeros(0)
    if basis.shape[1]:
        shares = np.asarray(np.linalg.lstsq(basis, column, rcond=None)[0], dtype=np.float64)
    return shares, column - basis @ shares
