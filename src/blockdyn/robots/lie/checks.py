"""Check arguments of the Lie-group functions; errors give the value found and the value expected."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from math import isfinite
from operator import mul, sub
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...base.annotations import all_finite, of_truth, real_array
from ..errors import RobotError, RobotWarning, count_own_frames

_ROTATION = (
    "expected columns of length 1 at right angles, determinant +1; project_rotation gives the nearest one"
)
_POSE = "expected [R, p; 0 0 0 1] with R a rotation; project_pose gives the nearest one"


class GroupError(RobotError):
    """A value that is not an element of its group; `name` is the argument.

    `distance` is the largest element of R^T R - I, `length` the norm of the direction or quaternion.
    """

    def __init__(self, text: str, name: str, *, distance: float = 0.0, length: float = 1.0) -> None:
        self.name, self.distance, self.length = name, distance, length
        super().__init__(text)


class WrongShape(GroupError):
    """An array of another shape or content than the function requires."""

    def __init__(self, name: str, actual: str, expected: str) -> None:
        self.actual, self.expected = actual, expected
        super().__init__(f"{name}: {actual}\nexpected: {expected}", name)


def not_rotation(name: str, actual: str, distance: float, expected: str = _ROTATION) -> GroupError:
    """Return the error for a matrix that is not in SO(3), or SO(2)."""
    return GroupError(f"{name} is not a rotation: {actual}\n{expected}", name, distance=distance)


def not_pose(name: str, actual: str, expected: str = _POSE) -> GroupError:
    """Return the error for a matrix that is not in SE(3), or SE(2)."""
    return GroupError(f"{name} is not a pose: {actual}\n{expected}", name)


def not_unit(name: str, length: float) -> GroupError:
    """Return the error for a direction or a quaternion whose length is not 1."""
    text = f"{name} has length {length:.6g}\nexpected length 1: divide it by its length"
    return GroupError(text, name, length=length)


class NonUnitScrew(RobotWarning):
    """A screw axis is not normalised; it is accepted, and scales the joint coordinate."""


def deviation(R: NDArray[np.float64]) -> tuple[float, float]:
    """The largest element of R^T R - I, and the determinant, of finite R, 2x2 or 3x3.

    It uses Python floats, because the overhead of NumPy's calls is larger than this computation.
    """
    columns = [*zip(*R.tolist())]
    pairs = [(a, b) for i, a in enumerate(columns) for b in columns[: i + 1]]
    return max([abs(sum(map(mul, a, b)) - (a is b)) for a, b in pairs]), _determinant(columns)


def _determinant(columns: Sequence[Sequence[float]]) -> float:
    if len(columns) == 2:
        (a, b), (c, d) = columns
        return a * d - b * c
    (a, b, c), (d, e, f), (g, h, i) = columns
    return a * (e * i - f * h) + b * (f * g - d * i) + c * (d * h - e * g)


Array = NDArray[np.float64]
IDENTITY = np.eye(4)  # callers copy it, which is faster than np.eye
_LAST = [0.0, 0.0, 0.0, 1.0]
TOLERANCE = 1e-6  # on R^T R - I: numbers printed with seven digits pass


def array(value: ArrayLike, shape: tuple[int, ...], name: str) -> Array:
    """The value as finite float64 numbers of this shape, C-contiguous. Raises WrongShape."""
    try:
        numbers = real_array(value)
    except (TypeError, ValueError):
        raise WrongShape(name, f"found {value!r:.60}", f"numbers of shape {shape}{of_truth(value)}") from None
    if numbers.shape != shape:
        if math.prod(shape) == numbers.size and 1 in numbers.shape and len(shape) == 1:
            numbers = numbers.reshape(shape)
        else:
            raise WrongShape(name, f"found shape {numbers.shape}", f"shape {shape}")
    if not all_finite(numbers):
        raise WrongShape(name, "it holds NaN or infinity", f"finite numbers of shape {shape}")
    return numbers


def number(value: Any, name: str) -> float:
    """A finite number. Raises WrongShape."""
    if type(value) is float and isfinite(value):
        return value
    try:
        result = float(value if type(value) in (float, int) else real_array(value).item())
    except (TypeError, ValueError, OverflowError):
        raise WrongShape(name, f"found {value!r:.60}", "a number" + of_truth(value)) from None
    if not isfinite(result):
        raise WrongShape(name, f"found {result}", "a finite number")
    return result


def shape_of(value: ArrayLike) -> tuple[int, ...]:
    """The shape of an array, or of a value that can become one."""
    return value.shape if type(value) is np.ndarray else np.shape(value)


def rotation(R: ArrayLike, name: str = "R", *, tolerance: float = TOLERANCE) -> Array:
    """R as an array, in SO(3) to the tolerance; the rotation part of a pose is taken. Raises GroupError."""
    if shape_of(R) == (4, 4):
        return np.ascontiguousarray(pose(R, name, tolerance=tolerance)[:3, :3])
    matrix = array(R, (3, 3), name)
    problem, distance = defect(matrix, tolerance)
    if problem:
        raise not_rotation(name, problem, distance)
    return matrix


def pose(T: Any, name: str = "T", *, tolerance: float = TOLERANCE) -> Array:
    """T as an array, in SE(3) to the tolerance. Raises GroupError."""
    matrix = array(T, (4, 4), name)
    problem, _ = defect(matrix[:3, :3], tolerance)
    if problem:
        raise not_pose(name, f"the rotation part {problem}")
    last = matrix[3].tolist()
    if last != _LAST and max(map(abs, map(sub, last, _LAST))) > tolerance:
        raise not_pose(name, f"the last row is {last}")
    return matrix


def defect(R: Array, tolerance: float) -> tuple[str, float]:
    """The condition of SO(3) or SO(2) that R violates, in words, or ''; the largest element of R^T R - I."""
    distance, determinant = deviation(R)
    if distance > tolerance:
        return f"is off by {distance:.2g} in R^T R - I", distance
    if determinant < 0.0:
        return "is a reflection, determinant -1", distance
    return "", distance


def unit(value: ArrayLike, size: int, name: str) -> Array:
    """A vector of length 1 to the tolerance, normalised. Raises GroupError."""
    vector = array(value, (size,), name)
    length = float(np.linalg.norm(vector))
    if abs(length - 1.0) > TOLERANCE:
        raise not_unit(name, length)
    return vector / length


def warn_of_non_unit(angular: Array, linear: Array) -> None:
    """Warn about screws (in columns) whose angular part (or linear part if that is 0) is not of length 1."""
    turning = np.sqrt((angular * angular).sum(axis=0))
    sliding = np.sqrt((linear * linear).sum(axis=0))
    length = np.where(turning > 0.0, turning, sliding)
    wrong = np.flatnonzero(abs(length - 1.0) > TOLERANCE)
    if wrong.size:
        listed = ", ".join(f"{i + 1} (length {length[i]:.6g})" for i in wrong)
        warnings.warn(
            f"screw axes that are not normalised: {listed}; "
            "their joint coordinates are in units of 1/length rad or m",
            NonUnitScrew,
            stacklevel=count_own_frames(),
        )
