"""FeedForward: the joint torques that the reference motion requires."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np

from ...robots.friction import add_friction
from ...robots.mechanics.bodies import ARMATURE, GRAVITY
from ...robots.mechanics.inverse_dynamics import rnea
from ..contract.parameter import Array
from ..contract.port import Crossing, Port
from .arm import ArmBlock
from .sliding import at_qd_ref, turns


class FeedForward(ArmBlock):
    """Inverse dynamics along the reference motion, without measurements.

        tau = M(q_ref) qdd_ref + c(q_ref, qd_ref) + g(q_ref) + f(qd_ref)

    The controller's model is `robot`. Add the output to a feedback such as PD. For a sampled controller,
    put a ZeroOrderHold after this block. The jumps of Coulomb friction, where qd_ref
    passes zero, are events.
    Source: Corke, Robotics, Vision and Control (2nd ed., 2017), section 9.4.3.1.

    Example:
        {type: FeedForward, robot: {name: puma560, without_friction: coulomb}}
    """

    icon = "Feed\nforward"
    weighs: ClassVar = True

    def input_ports(self) -> tuple[Port, ...]:
        return (
            self.joint_port("q_ref", "rad or m", "wanted"),
            self.joint_port("qd_ref", "rad/s or m/s", "wanted"),
            self.joint_port("qdd_ref", "rad/s2 or m/s2", "wanted"),
        )

    def output_ports(self) -> tuple[Port, ...]:
        return (self.joint_port("tau", "N m or N"),)

    def constants(self) -> Mapping[str, Any]:
        return {**super().constants(), "free": np.zeros(6)}

    def zero_crossings(self) -> tuple[Crossing, ...]:
        return turns(self.kind(), self.robot, self.table())

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        return {"output": feed_forward_torques, **at_qd_ref(bool(self.zero_crossings()))}


def feed_forward_torques(
    mode: int, q_ref: Array, qd_ref: Array, qdd_ref: Array, arm: Array, free: Array, work: Array, tau: Array
) -> None:
    rnea(arm, q_ref, qd_ref, qdd_ref, free, GRAVITY + ARMATURE, work, tau)
    add_friction(arm, qd_ref, mode, tau)
