"""Tr2Delta: the small motion from one pose to another."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from ...robots.lie.kernels.motion import delta_body, delta_world
from ..contract.block import Block
from ..contract.parameter import Array, option
from ..contract.port import Port
from .sizes import POSE


class Tr2Delta(Block):
    """The motion from T0 to T1 (not T0 - T1), to first order.

        delta = (p1 - p0, vex(R1 R0^T - I)),  vex the vector of the skew part        frame world
        delta = (p, vex(R - I)) of T0^-1 T1                                          frame body: axes of T0

    Six numbers, (linear, angular). The angular part is sin(angle) along the axis, which is 0 at half a turn:
    PoseError is exact at any distance. Both inputs feed through to delta directly.
    Source: Corke, Robotics, Vision and Control (2nd ed., 2017), section 3.1.4.

    Example:
        {type: Tr2Delta}
    """

    icon = "T → Δ"
    inputs: ClassVar = (Port("T0", POSE, "m"), Port("T1", POSE, "m"))
    outputs: ClassVar = (Port("delta", 6, "m, rad"),)

    frame: str = option(default="world", doc="axes of the result", choices=("world", "body"))

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        return {"output": in_world if self.frame == "world" else in_body}


def in_world(T0: Array, T1: Array, delta: Array) -> None:
    delta_world(T0, T1, delta)


def in_body(T0: Array, T1: Array, delta: Array) -> None:
    delta_body(T0, T1, delta)
