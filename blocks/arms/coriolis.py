"""Coriolis: the matrix of Coriolis and centrifugal torques."""

from __future__ import annotations

from typing import ClassVar

from ...robots.mechanics.coriolis_matrix import coriolis_matrix
from ..contract.parameter import Array
from ..contract.port import Port, Size
from .arm import ArmBlock


class Coriolis(ArmBlock):
    """The Coriolis matrix, n x n, formed from the Christoffel symbols of the mass matrix.

        c(q, qd) = C(q, qd) qd,    C_ij = sum_k (dM_ij/dq_k + dM_ik/dq_j - dM_kj/dq_i) qd_k / 2

    so that dM/dt = C + C^T: dM/dt - 2 C is skew, which the stability proofs of controllers need.
    Source: Siciliano et al., Robotics (2009), section 7.2.1; Echeandia, Wensing, Numerical Methods to Compute
    the Coriolis Matrix and Christoffel Symbols for Rigid-Body Systems, J. Comput. Nonlinear Dynam. 16(9),
    2021.

    Example:
        {type: Coriolis, robot: puma560}
    """

    icon = "C(q, qd)"
    weighs: ClassVar = True

    def input_ports(self) -> tuple[Port, ...]:
        return (self.joint_port("q", "rad or m"), self.joint_port("qd", "rad/s or m/s"))

    def output_ports(self) -> tuple[Port, ...]:
        return (Port("C", Size((self.model.n, self.model.n)), size_rule="n x n, n joints"),)

    @staticmethod
    def output(q: Array, qd: Array, arm: Array, work: Array, C: Array) -> None:
        coriolis_matrix(arm, q, qd, work, C)
