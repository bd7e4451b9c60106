"""PDGravity: PD control of the joints, with compensation of the arm's weight."""

from __future__ import annotations

from typing import ClassVar

from ...robots.mechanics.energy import gravity_load
from ..contract.parameter import Array, Real, parameter
from ..contract.port import Port
from .feedback import FeedbackBlock
from .gains import add_error


class PDGravity(FeedbackBlock):
    """PD control with gravity compensation.

        tau = Kp (q_ref - q) + Kd (qd_ref - qd) + g(q)

    with g of `robot`, the controller's model. For positive definite Kp, Kd and a perfect model the arm
    reaches every constant q_ref from any start. Gains are one number, one number per joint, or a matrix: Kp
    in N m/rad or N/m, Kd in N m s/rad or N s/m. All inputs feed through to tau directly. Raises
    ParameterError for gains of another size.
    Source: Takegaki, Arimoto, A New Feedback Method for Dynamic Control of Manipulators, J. Dyn. Sys. Meas.
    Control 103(2), 1981; Siciliano et al., Robotics (2009), section 8.5.1.

    Example:
        {type: PDGravity, robot: puma560, Kp: 500.0, Kd: 100.0}
    """

    icon = "PD + g(q)"
    gains: ClassVar = {"Kp": "P", "Kd": "D"}

    Kp: Real = parameter(doc="gain of the position error", unit="N m/rad or N/m")
    Kd: Real = parameter(doc="gain of the velocity error", unit="N m s/rad or N s/m")

    def input_ports(self) -> tuple[Port, ...]:
        return self.motion()

    @staticmethod
    def output(
        q: Array, qd: Array, q_ref: Array, qd_ref: Array, arm: Array, P: Array, D: Array,
        work: Array, tau: Array,
    ) -> None:  # fmt: skip
        gravity_load(arm, q, work, tau)
        add_error(P, q_ref, q, tau)
        add_error(D, qd_ref, qd, tau)
