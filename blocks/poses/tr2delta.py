"""Tr2Delta: the small motion from one pose to another."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from ...robots.lie.kernels.motion import delta_body, delta_world
from ..block import Block
from ..parameter import Array, option
from ..port import Port
from .sizes import POSE


class Tr2Delta(Block):
    """The motion from T1 to T2 (not T1 - T2), to first order.

        delta = (p2 - p1, vex(R2 R1^T - I)),  vex the vector of the skew part        frame world
        delta = the same of T1^-1 T2                                                 frame body: axes of T1

    Six numbers, (linear, angular). The angular part is sin(angle) along the axis: it vanishes at half a turn;
    PoseError is exact. Source: Corke, Robotics, Vision and Control (2nd ed., 2017), section 3.1.4.

    Example:
        {type: Tr2Delta}
    """

    inputs: ClassVar = (Port("T1", POSE, "m"), Port("T2", POSE, "m"))
    outputs: ClassVar = (Port("delta", 6, "m, rad"),)

    frame: str = option(default="world", doc="axes of the result", choices=("world", "body"))

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        return {"output": in_world if self.frame == "world" else in_body}


def in_world(T1: Array, T2: Array, delta: Array) -> None:
    delta_world(T1, T2, delta)


def in_body(T1: Array, T2: Array, delta: Array) -> None:
    delta_body(T1, T2, delta)
