"""PoseError: the way from one pose to another, exact at any distance."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from ...robots.lie.kernels.motion import pose_error, turn_between
from ..block import Block
from ..parameter import Array, option
from ..port import Port
from .sizes import POSE


class PoseError(Block):
    """What moves the pose `actual` to the pose `wanted`, (linear, angular).

        error = (p_w - p_a, log(R_w R_a^T))      frame world
        error = R_a^T of both parts              frame body: axes of `actual`

    The angular part is the rotation vector, of at most half a turn, where it changes its sign. For small
    differences it is that of Tr2Delta. A controller twist = K error brings the frame home on a straight line.

    Example:
        {type: PoseError}
    """

    inputs: ClassVar = (Port("wanted", POSE, "m"), Port("actual", POSE, "m"))
    outputs: ClassVar = (Port("error", 6, "m, rad"),)

    frame: str = option(default="world", doc="axes of the result", choices=("world", "body"))

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        return {"output": in_world if self.frame == "world" else in_body}


def in_world(wanted: Array, actual: Array, error: Array) -> None:
    pose_error(actual, wanted, error)


def in_body(wanted: Array, actual: Array, error: Array) -> None:
    d0, d1, d2 = wanted[0, 3] - actual[0, 3], wanted[1, 3] - actual[1, 3], wanted[2, 3] - actual[2, 3]
    for i in range(3):
        error[i] = actual[0, i] * d0 + actual[1, i] * d1 + actual[2, i] * d2
    error[3], error[4], error[5] = turn_between(actual, wanted)
