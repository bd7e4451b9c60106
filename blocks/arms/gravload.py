"""Gravload: the joint torques that hold an arm against its weight."""

from __future__ import annotations

from typing import ClassVar

from ...robots.mechanics.energy import gravity_load
from ..contract.parameter import Array
from ..contract.port import Port
from .arm import ArmBlock


class Gravload(ArmBlock):
    """The gravity load.

        g(q) = gradient of the potential energy

    g is the vector of torques that keep the arm at rest, in N m or N. The robot's gravity is (0, 0, -9.81)
    m/s2 unless you change it: {name: puma560, gravity: [0, 0, -1.62]}. Raises ParameterError for a robot
    without masses.
    Source: Siciliano et al., Robotics (2009), section 7.1.

    Example:
        {type: Gravload, robot: puma560}
    """

    icon = "g(q)"
    weighs: ClassVar = True

    def input_ports(self) -> tuple[Port, ...]:
        return (self.joint_port("q", "rad or m"),)

    def output_ports(self) -> tuple[Port, ...]:
        return (self.joint_port("g", "N m or N"),)

    @staticmethod
    def output(q: Array, arm: Array, work: Array, g: Array) -> None:
        gravity_load(arm, q, work, g)
