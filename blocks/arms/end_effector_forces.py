"""EndEffectorForces: the joint torques of a wrench on the tool."""

from __future__ import annotations

from ...robots.mechanics.kinematics import wrench_torque
from ..contract.parameter import Array
from ..contract.port import Port
from .arm import FramedBlock


class EndEffectorForces(FramedBlock):
    """The joint torques due to a wrench on the tool.

        tau = J(q)^T wrench

    `wrench` is the force and the moment that the environment applies, in world axes at the origin of the
    tool (or of the frame `of`). The torques that hold against it are -tau, in N m or N. In Modern Robotics
    (section 8.1) the wrench is the one that the arm applies, moment first, in the frame of the tool.
    Source: Siciliano et al., Robotics (2009), section 3.8.

    Example:
        {type: EndEffectorForces, robot: puma560}
    """

    icon = "J^T F"

    def input_ports(self) -> tuple[Port, ...]:
        return (
            self.joint_port("q", "rad or m"),
            Port("wrench", 6, "N, N m", "force and moment on the tool, world axes"),
        )

    def output_ports(self) -> tuple[Port, ...]:
        return (self.joint_port("tau", "N m or N"),)

    @staticmethod
    def output(q: Array, wrench: Array, arm: Array, work: Array, tau: Array) -> None:
        wrench_torque(arm, q, wrench, work, tau)
