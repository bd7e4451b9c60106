"""Delta2Tr: the pose of a small motion."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import sqrt
from typing import Any, ClassVar

from ...robots.lie.kernels.motion import pose_of_delta
from ..contract.block import Block
from ..contract.parameter import Array, option
from ..contract.port import Port
from .sizes import POSE


class Delta2Tr(Block):
    """The pose of a small motion delta = (linear, angular), to first order.

        T = I + [delta]

    T is a pose only in the limit of small angles; PoseIntegral follows motions exactly. With `orthonormal`, T
    is a pose: its third column a keeps its direction, and its first column has the direction of o x a, where
    o is the second column. delta feeds through to T directly. [delta] is the 4 x 4 matrix of the twist: a
    skew matrix of the angles, and the linear part.
    Source: Corke, Robotics, Vision and Control (2nd ed., 2017), section 3.1.4.

    Example:
        {type: Delta2Tr}
    """

    icon = "Δ → T"
    inputs: ClassVar = (Port("delta", 6, "m, rad"),)
    outputs: ClassVar = (Port("T", POSE, "m"),)

    orthonormal: bool = option(default=False, doc="whether the axes of T are made orthonormal")

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        return {"output": orthonormal if self.orthonormal else first_order}


def first_order(delta: Array, T: Array) -> None:
    pose_of_delta(delta, T)


def orthonormal(delta: Array, T: Array) -> None:
    pose_of_delta(delta, T)
    cross(T, 1, 2, 0)
    cross(T, 2, 0, 1)
    for j in range(3):
        length = sqrt(T[0, j] ** 2 + T[1, j] ** 2 + T[2, j] ** 2)
        for i in range(3):
            T[i, j] /= length


def cross(T: Array, first: int, second: int, into: int) -> None:
    """Write the cross product of two columns into another one."""
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        T[i, into] = T[j, first] * T[k, second] - T[k, first] * T[j, second]
