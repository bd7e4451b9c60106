"""PoseToRPY: roll, pitch and yaw of a pose."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ...robots.lie.kernels.angles import rpy_of
from ...robots.lie.orders import ORDERS
from ..contract.block import Block
from ..contract.parameter import Array, option
from ..contract.port import RPY, Port
from .sizes import POSE, RPY_ORDERS


class PoseToRPY(Block):
    """rpy = (roll, pitch, yaw) of the orientation of a pose, with the orders of RPYToPose.

    pitch lies within +-90 degrees, roll and yaw within +-180, where they jump: for control, use PoseError. At
    a pitch of +-90 degrees the pose determines only the sum or the difference of the others; roll is then 0.
    T feeds through to rpy directly.
    Source: Siciliano et al., Robotics (2009), section 2.4.2.

    Example:
        {type: PoseToRPY, order: zyx}
    """

    icon = "T → RPY"
    inputs: ClassVar = (Port("T", POSE, "m"),)
    outputs: ClassVar = (Port("rpy", 3, "rad", elements=RPY),)

    order: str = option(default="zyx", doc="order of roll, pitch, yaw", choices=RPY_ORDERS)

    def constants(self) -> Mapping[str, float]:
        return {"code": float(ORDERS[self.order])}

    @staticmethod
    def output(T: Array, code: float, rpy: Array) -> None:
        rpy[0], rpy[1], rpy[2] = rpy_of(T, int(code))
