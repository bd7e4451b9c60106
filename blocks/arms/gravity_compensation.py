"""GravityCompensation: torques that carry the weight of an arm, so that it can be guided by hand."""

from __future__ import annotations

from typing import ClassVar

from ...robots.mechanics.energy import gravity_load
from ..contract.parameter import Array, Real, parameter
from ..contract.port import Port
from .feedback import FeedbackBlock


class GravityCompensation(FeedbackBlock):
    """The torques that carry the arm's weight, and optional damping.

        tau = g(q) - Kd qd

    with g of `robot`, the controller's model. The arm stays where it is; when pushed, it moves until Kd or
    friction stops it. Kd is one number, one number per joint, or a matrix. Raises ParameterError for another
    size.
    Source: Siciliano et al., Robotics (2009), section 8.5.1.

    Example:
        {type: GravityCompensation, robot: puma560, Kd: 5.0}
    """

    icon = "g(q)"
    gains: ClassVar = {"Kd": "D"}

    Kd: Real = parameter(default=0.0, doc="damping", unit="N m s/rad or N s/m")

    def input_ports(self) -> tuple[Port, ...]:
        return (
            self.joint_port("q", "rad or m", "measured"),
            self.joint_port("qd", "rad/s or m/s", "measured", 0.0),
        )

    @staticmethod
    def output(q: Array, qd: Array, arm: Array, D: Array, work: Array, tau: Array) -> None:
        gravity_load(arm, q, work, tau)
        for i in range(D.shape[0]):
            for j in range(D.shape[1]):
                tau[i] -= D[i, j] * qd[j]
