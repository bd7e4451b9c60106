"""Inertia: the mass matrix of an arm."""

from __future__ import annotations

from typing import ClassVar

from ...robots.mechanics.mass_matrix import mass_matrix
from ..contract.parameter import Array
from ..contract.port import Port, Size
from .arm import ArmBlock


class Inertia(ArmBlock):
    """The joint-space inertia, n x n, with the armatures of the motors on its diagonal.

        kinetic energy = qd^T M(q) qd / 2

    M is symmetric and positive definite, in kg m2, kg m or kg. Raises ParameterError for a robot without
    masses.
    Source: Walker, Orin, Efficient Dynamic Computer Simulation of Robotic Mechanisms, J. Dyn. Sys. Meas.
    Control 104(3), 1982.

    Example:
        {type: Inertia, robot: puma560}
    """

    icon = "M(q)"
    weighs: ClassVar = True

    def input_ports(self) -> tuple[Port, ...]:
        return (self.joint_port("q", "rad or m"),)

    def output_ports(self) -> tuple[Port, ...]:
        return (
            Port("M", Size((self.model.n, self.model.n)), "kg m2, kg m or kg", size_rule="n x n, n joints"),
        )

    @staticmethod
    def output(q: Array, arm: Array, work: Array, M: Array) -> None:
        mass_matrix(arm, q, work, M)
