"""Rigid displacements in any of their usual forms become 4x4 matrices."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.annotations import all_finite
from ...base.words import short
from ..errors import InvalidRobot
from ..lie.checks import deviation
from .arithmetic import Formula, formula

Array = NDArray[np.float64]
Matrix = Any  # of a description: given in any form that `pose` takes, kept as nested tuples
Vector = Any  # given as any three numbers, kept as a tuple
Rows = tuple[tuple[float, ...], ...]

IDENTITY: Rows = tuple(tuple(float(i == j) for j in range(4)) for i in range(4))
TOLERANCE = 1e-6  # on the entries of R'R - 1: numbers printed with seven digits pass
_TERM = re.compile(r"\s*[.*]?\s*([RT])([xyz])\s*\(")
_PATTERN = "Rx Ry Rz Tx Ty Tz, each with an argument in brackets, such as `Rz(q1) Tx(0.43) Rx(-90deg)`"


def rotation(axis: int, angle: float) -> Array:
    """Rotation about x (0), y (1) or z (2). Exact at multiples of a right angle."""
    quarter = angle / (math.pi / 2)
    c, s = math.cos(angle), math.sin(angle)
    if abs(quarter - round(quarter)) < 1e-14 * max(1.0, abs(quarter)):
        c, s = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[round(quarter) % 4]
    T = np.eye(4)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    T[i, i], T[i, j], T[j, i], T[j, j] = c, -s, s, c
    return T


def translation(x: float, y: float, z: float) -> Array:
    """Displacement without rotation."""
    T = np.eye(4)
    T[:3, 3] = x, y, z
    return T


def inverse(T: Array) -> Array:
    """The inverse of a pose."""
    result = np.eye(4)
    result[:3, :3] = T[:3, :3].T
    result[:3, 3] = -T[:3, :3].T @ T[:3, 3]
    return result


def turn_to(axis: Array) -> Array:
    """The smallest rotation that takes z to the unit vector `axis`."""
    x, y, z = (float(value) for value in axis)
    if x == 0.0 and y == 0.0:
        return np.eye(4) if z > 0 else rotation(0, math.pi)
    if z < -0.5:  # near -z, where 1 + z would lose digits
        return rotation(0, math.pi) @ turn_to(np.array([x, -y, -z]))
    k = 1.0 / (1.0 + z)
    T = np.eye(4)
    T[:3, :3] = (1 - x * x * k, -x * y * k, x), (-x * y * k, 1 - y * y * k, y), (-x, -y, z)
    return T


def skew(p: Array) -> Array:
    """The matrix of the cross product p x."""
    return np.array([[0.0, -p[2], p[1]], [p[2], 0.0, -p[0]], [-p[1], p[0], 0.0]])


def terms(text: str, names: Mapping[str, float] | None = None) -> list[tuple[str, int, Formula]]:
    """Elementary transforms of a text: ("R" or "T", axis 0..2, argument). Raises ValueError."""
    transforms = []
    at = 0
    while text[at:].strip(" .*\n\t"):
        head = _TERM.match(text, at)
        if head is None:
            raise ValueError(
                f"`{text[at : at + 20].strip()}` is not an elementary transform; expected {_PATTERN}"
            )
        end, depth = head.end(), 1
        while end < len(text) and depth:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        if depth:
            raise ValueError(f"the bracket of `{head.group().strip()}` is not closed")
        argument = formula(text[head.end() : end - 1], names)
        transforms.append((head.group(1), "xyz".index(head.group(2)), argument))
        at = end
    return transforms


def elementary(kind: str, axis: int, value: float) -> Array:
    """One elementary transform."""
    if kind == "R":
        return rotation(axis, value)
    return translation(*(value if i == axis else 0.0 for i in range(3)))


def pose(value: object, place: str, names: Mapping[str, float] | None = None) -> Rows:
    """A checked pose from a 4x4 matrix, [x, y, z], "Tz(0.2) Rx(90deg)", {xyz, rpy} or {xyz, quaternion}.

    R = Rz(yaw) Ry(pitch) Rx(roll); quaternions are scalar first. Raises InvalidRobot.
    """
    if isinstance(value, str):
        return _matrix(_from_text(value, place, names))
    if isinstance(value, Mapping):
        return _matrix(_from_mapping(value, place))
    array = numbers(value)
    if array.shape == (3,):
        array = translation(*array)
    if array.shape != (4, 4):
        shown = f"shape {array.shape}" if array.size else repr(value)[:60]
        raise InvalidRobot(place, f"{shown} is not a pose", "a 4x4 matrix, [x, y, z], text, or {xyz, rpy}")
    return _matrix(_check_pose(array, place))


def numbers(value: object) -> Any:
    """A value as an array of floats; empty for other values, such as text and logical values."""
    try:
        array = np.asarray(value)
        return np.empty(0) if array.dtype.kind in "USb" else array.astype(float)
    except (TypeError, ValueError, OverflowError):
        return np.empty(0)


def vector(value: Any, place: str, size: int = 3) -> tuple[float, ...]:
    """`size` finite numbers. Raises InvalidRobot."""
    if type(value) in (list, tuple) and len(value) == size and all(map(_plain, value)):
        return tuple(value)  # fast path: a rebuilt vehicle has a hundred vectors
    array = numbers(value)
    if array.shape != (size,) or not all_finite(array):
        shown, expected = (value, f"{size} finite numbers") if size > 1 else (value[0], "a finite number")
        raise InvalidRobot(place, f"found {short(shown, 80)}", expected)
    return tuple(array.tolist())


def _plain(value: object) -> bool:
    return type(value) is float and math.isfinite(value)


def _matrix(T: Array) -> Rows:
    return tuple(tuple(row) for row in T.tolist())


def _check_pose(T: Array, place: str) -> Array:
    if not all_finite(T):
        raise InvalidRobot(place, "the pose holds NaN or infinity", "finite numbers")
    error, determinant = deviation(T[:3, :3])
    if error > TOLERANCE:
        expected = "a rotation matrix: columns of length 1 at right angles"
        raise InvalidRobot(place, f"the pose's rotation is not orthonormal (off by {error:.2g})", expected)
    if determinant < 0:
        raise InvalidRobot(place, "the pose's rotation is a reflection (determinant -1)", "determinant 1")
    *zeros, one = last = T[3].tolist()
    if max(map(abs, (*zeros, one - 1.0))) > TOLERANCE:
        raise InvalidRobot(place, f"the last row of the pose is {last}", "[0, 0, 0, 1]")
    return T


def _from_text(text: str, place: str, names: Mapping[str, float] | None) -> Array:
    T = np.eye(4)
    try:
        for kind, axis, argument in terms(text, names):
            if argument.joint:
                raise ValueError(f"a fixed pose holds the joint coordinate q{argument.joint}")
            T = T @ elementary(kind, axis, argument.constant)
    except ValueError as error:
        raise InvalidRobot(place, str(error), "a pose such as `Tz(0.2) Rx(90deg)`") from None
    return T


def _from_mapping(value: Mapping[str, Any], place: str) -> Array:
    wrong = sorted(map(str, set(value) - {"xyz", "rpy", "quaternion"}))
    if wrong or ("rpy" in value and "quaternion" in value):
        problem = f"the keys {', '.join(sorted(map(str, value)))}"
        raise InvalidRobot(place, problem, "xyz with rpy (rad) or quaternion (scalar first)")
    T = translation(*vector(value.get("xyz", (0, 0, 0)), f"{place}, xyz"))
    if "quaternion" in value:
        return T @ _of_quaternion(vector(value["quaternion"], f"{place}, quaternion", 4), place)
    roll, pitch, yaw = vector(value.get("rpy", (0, 0, 0)), f"{place}, rpy")
    return T @ rotation(2, yaw) @ rotation(1, pitch) @ rotation(0, roll)


def _of_quaternion(q: Sequence[float], place: str) -> Array:
    norm = math.sqrt(sum(value * value for value in q))
    if abs(norm - 1.0) > TOLERANCE:
        raise InvalidRobot(place, f"a quaternion of length {norm:.6g}", "a unit quaternion, scalar first")
    w, v = q[0] / norm, np.array(q[1:]) / norm
    T = np.eye(4)
    T[:3, :3] = (w * w - v @ v) * np.eye(3) + 2 * np.outer(v, v) + 2 * w * skew(v)
    return T
