"""RPYToPose: roll, pitch, yaw and a position as a pose."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ...robots.lie.kernels.angles import rotation_rpy
from ...robots.lie.kernels.pose import last_row
from ...robots.lie.orders import ORDERS
from ..contract.block import Block
from ..contract.parameter import Array, option
from ..contract.port import Port
from .sizes import POSE, RPY_ORDERS


class RPYToPose(Block):
    """A pose from rpy = (roll, pitch, yaw) and an origin, 0 if unconnected.

        zyx, vehicle   R = Rz(yaw) Ry(pitch) Rx(roll)
        xyz            R = Rx(roll) Ry(pitch) Rz(yaw)      the default of Robotics Toolbox 9
        yxz, camera    R = Ry(yaw) Rx(pitch) Rz(roll)
        arm            R = Rx(yaw) Ry(pitch) Rz(roll)

    Source: Siciliano et al., Robotics (2009), section 2.4.2.

    Example:
        {type: RPYToPose, order: zyx}
    """

    icon = "RPY → T"
    inputs: ClassVar = (Port("rpy", 3, "rad"), Port("xyz", 3, "m", default=0.0))
    outputs: ClassVar = (Port("T", POSE, "m"),)

    order: str = option(default="zyx", doc="order of roll, pitch, yaw", choices=RPY_ORDERS)

    def constants(self) -> Mapping[str, float]:
        return {"code": float(ORDERS[self.order])}

    @staticmethod
    def output(rpy: Array, xyz: Array, code: float, T: Array) -> None:
        rotation_rpy(rpy[0], rpy[1], rpy[2], int(code), T)
        for i in range(3):
            T[i, 3] = xyz[i]
        last_row(T)
