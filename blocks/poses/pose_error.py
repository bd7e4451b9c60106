"""PoseError: the motion from one pose to another, exact at any distance."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from ...robots.lie.kernels.motion import pose_error, turn_between
from ..contract.block import Block
from ..contract.parameter import Array, option
from ..contract.port import Port
from .sizes import POSE


class PoseError(Block):
    """The motion from the pose T to the pose T_ref, (linear, angular).

        error = (p_ref - p, log(R_ref R^T))      frame world
        error = R^T of both parts                frame body: axes of T

    The angular part is the rotation vector, at most half a turn long; at half a turn it jumps to its
    opposite. For small differences the result equals Tr2Delta's. A controller twist = k error, k > 0, takes
    the origin to T_ref on a straight line. Both inputs feed through to error directly.
    Source: Siciliano et al., Robotics (2009), section 3.7.3.

    Example:
        {type: PoseError}
    """

    icon = "poses"
    inputs: ClassVar = (Port("T_ref", POSE, "m", "reference"), Port("T", POSE, "m", "measured"))
    outputs: ClassVar = (Port("error", 6, "m, rad"),)

    frame: str = option(default="world", doc="axes of the result", choices=("world", "body"))

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        return {"output": in_world if self.frame == "world" else in_body}


def in_world(T_ref: Array, T: Array, error: Array) -> None:
    pose_error(T, T_ref, error)


def in_body(T_ref: Array, T: Array, error: Array) -> None:
    # In the axes of T, log(R_ref R^T) is log(R^T R_ref): the angular part needs no further rotation.
    d0, d1, d2 = T_ref[0, 3] - T[0, 3], T_ref[1, 3] - T[1, 3], T_ref[2, 3] - T[2, 3]
    for i in range(3):
        error[i] = T[0, i] * d0 + T[1, i] * d1 + T[2, i] * d2
    error[3], error[4], error[5] = turn_between(T, T_ref)
