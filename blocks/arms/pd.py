"""PD: springs and dampers between the joints and their reference positions."""

from __future__ import annotations

from typing import ClassVar

from ..contract.block import Block
from ..contract.parameter import Real, parameter
from ..contract.port import Port
from .feedback import TORQUE, motion_ports


class PD(Block):
    """Proportional and derivative control of each joint separately.

        tau = Kp (q_ref - q) + Kd (qd_ref - qd)

    It needs no model of the arm; under gravity it leaves an error of g / Kp, which PDGravity avoids. Kp in N
    m/rad or N/m, Kd in N m s/rad or N s/m, one number or one per joint; for matrices see PDGravity. All
    inputs feed through to tau directly.
    Source: Siciliano et al., Robotics (2009), section 8.3.

    Example:
        {type: PD, Kp: [100, 100, 50], Kd: 20.0}
    """

    icon = "PD"
    inputs: ClassVar = motion_ports(None)
    outputs: ClassVar = (Port("tau", None, TORQUE),)
    elementwise: ClassVar = True

    Kp: Real = parameter(doc="gain of the position error", unit="N m/rad or N/m", dimensions=(0, 1))
    Kd: Real = parameter(doc="gain of the velocity error", unit="N m s/rad or N s/m", dimensions=(0, 1))

    @staticmethod
    def output(q: float, qd: float, q_ref: float, qd_ref: float, Kp: float, Kd: float) -> float:
        return Kp * (q_ref - q) + Kd * (qd_ref - qd)
