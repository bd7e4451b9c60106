"""JacobianDot: the acceleration of the tool due to the joint rates alone."""

from __future__ import annotations

from collections.abc import Mapping

from ...robots.mechanics.jacobian_rate import rate_times_rates
from ..contract.parameter import Array
from ..contract.port import Port
from .velocity_rows import VelocityBlock


class JacobianDot(VelocityBlock):
    """The rate of the Jacobian times the joint rates.

        d/dt (v, w) = J(q) qdd + Jdqd,    Jdqd = (dJ/dt) qd

    computed exactly from the motion of the links, not by differences; frame, order and part as in Jacobian.
    q, qd: n; Jdqd: 6, or 3 with part trans or rot; m/s2, rad/s2. q and qd feed through to Jdqd directly.
    Source: Siciliano et al., Robotics (2009), section 3.6; Khatib, A Unified Approach for Motion and Force
    Control of Robot Manipulators, IEEE J. Robotics and Automation 3(1), 1987.

    Example:
        {type: JacobianDot, robot: puma560}
    """

    icon = "dJ/dt"

    def input_ports(self) -> tuple[Port, ...]:
        return (self.joint_port("q", "rad or m"), self.joint_port("qd", "rad/s or m/s"))

    def output_ports(self) -> tuple[Port, ...]:
        return (self.row_port("Jdqd", "m/s2", "rad/s2"),)

    def scratch(self) -> Mapping[str, tuple[int, ...]]:
        return {**super().scratch(), "drift": (6,)}

    @staticmethod
    def output(
        q: Array,
        qd: Array,
        arm: Array,
        frame_code: float,
        rows: Array,
        work: Array,
        drift: Array,
        Jdqd: Array,
    ) -> None:
        rate_times_rates(arm, q, qd, int(frame_code), work, drift)
        for r in range(rows.shape[0]):
            Jdqd[r] = drift[int(rows[r])]
