"""FlexibleTransmission: a spring and a damper between a motor with prescribed motion and a joint."""

from __future__ import annotations

from typing import ClassVar

from ..contract.block import Block
from ..contract.parameter import Real, parameter
from ..contract.port import Port


class FlexibleTransmission(Block):
    """Torque of a drive with prescribed motion on a joint, through a spring and damper, element by element.

        tau = stiffness (qm - q) + damping (qmd - qd)

    qm, qmd are the motor's angle and rate on the joint's side of the gear, q, qd the joint's. All four feed
    through to tau directly. If the motor has inertia of its own, use FlexibleJoint.
    Source: the model sl_flex of the Robotics Toolbox, with the rates in place of a differentiated signal.

    Example:
        {type: FlexibleTransmission, stiffness: 100.0, damping: 20.0}
    """

    icon = "gears"
    inputs: ClassVar = (
        Port("qm", unit="rad or m", doc="angle of the motor"),
        Port("qmd", unit="rad/s or m/s", doc="rate of the motor"),
        Port("q", unit="rad or m", doc="coordinate of the joint"),
        Port("qd", unit="rad/s or m/s", doc="rate of the joint"),
    )
    outputs: ClassVar = (Port("tau", unit="N m or N", doc="torque on the joint"),)
    elementwise: ClassVar = True

    stiffness: Real = parameter(default=100.0, unit="N m/rad or N/m", minimum=0)
    damping: Real = parameter(default=0.0, unit="N m s/rad or N s/m", minimum=0)

    @staticmethod
    def output(qm: float, qmd: float, q: float, qd: float, stiffness: float, damping: float) -> float:
        return stiffness * (qm - q) + damping * (qmd - qd)
