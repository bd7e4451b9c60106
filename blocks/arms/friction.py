"""Friction: torques of joint friction."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ...robots.friction import add_friction
from ..contract.parameter import Array
from ..contract.port import Crossing, Port
from .arm import ArmBlock
from .sliding import at_qd, turns


class Friction(ArmBlock):
    """Viscous and Coulomb friction of the joints, referred to the joint side of the gears.

        tau_i = b_i qd_i + (c^+_i for qd_i > 0, -c^-_i for qd_i < 0, 0 at rest)

    tau is the torque that friction absorbs, with the sign of qd: motors must supply it. FDyn has friction of
    its own, with joints that stick; use this block to record it, or to cancel it. The jumps at qd_i = 0 are
    events. qd: rad/s or m/s; tau: N m or N.
    Source: Corke, Robotics, Vision and Control (2nd ed., 2017), section 9.1.2.

    Example:
        {type: Friction, robot: puma560}
    """

    icon = "friction"

    def input_ports(self) -> tuple[Port, ...]:
        return (self.joint_port("qd", "rad/s or m/s"),)

    def output_ports(self) -> tuple[Port, ...]:
        return (self.joint_port("tau", "N m or N"),)

    def zero_crossings(self) -> tuple[Crossing, ...]:
        return turns(self.kind(), self.robot, self.table())

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        return {"output": friction, **at_qd(bool(self.zero_crossings()))}


def friction(mode: int, qd: Array, arm: Array, tau: Array) -> None:
    for i in range(tau.shape[0]):
        tau[i] = 0.0
    add_friction(arm, qd, mode, tau)
