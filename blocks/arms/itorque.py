"""ITorque: the joint torques that acceleration requires."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from ...robots.mechanics.bodies import ARMATURE
from ...robots.mechanics.inverse_dynamics import rnea
from ..contract.parameter import Array
from ..contract.port import Port
from .arm import ArmBlock


class ITorque(ArmBlock):
    """The inertia torque.

        tau = M(q) qdd

    without weight, Coriolis torques and friction, but with the armatures of the motors. tau is in N m or N.
    Raises ParameterError for a robot without masses.
    Source: Siciliano et al., Robotics (2009), section 7.1.

    Example:
        {type: ITorque, robot: puma560}
    """

    icon = "M(q) qdd"
    weighs: ClassVar = True

    def input_ports(self) -> tuple[Port, ...]:
        return (self.joint_port("q", "rad or m"), self.joint_port("qdd", "rad/s2 or m/s2"))

    def output_ports(self) -> tuple[Port, ...]:
        return (self.joint_port("tau", "N m or N"),)

    def constants(self) -> Mapping[str, Any]:
        return {**super().constants(), "still": np.zeros(self.model.n), "free": np.zeros(6)}

    @staticmethod
    def output(q: Array, qdd: Array, still: Array, free: Array, arm: Array, work: Array, tau: Array) -> None:
        rnea(arm, q, still, qdd, free, ARMATURE, work, tau)
