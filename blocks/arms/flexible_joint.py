"""FlexibleJoint: a motor with inertia that drives a joint through a spring."""

from __future__ import annotations

from typing import ClassVar

from ..contract.block import Block
from ..contract.parameter import Real, parameter
from ..contract.port import Port, State


class FlexibleJoint(Block):
    """A motor that drives a joint through an elastic gear, element by element.

        inertia qmdd = u - friction qmd - tau      tau = stiffness (qm - q) + damping (qmd - qd)

    u is the motor's torque, qm, qmd its angle and rate, all on the joint's side of the gear; tau drives the
    joint, whose q and qd come back from FDyn. The robot should then not contain the motor's inertia as well.
    q and qd feed through to tau directly; u does not.
    Source: Spong, Modeling and Control of Elastic Joint Robots, J. Dyn. Sys. Meas. Control 109(4), 1987,
    310-319, doi:10.1115/1.3143860.

    Example:
        {type: FlexibleJoint, inertia: 0.2, stiffness: 400.0, damping: 1.0}
    """

    icon = "spring"
    inputs: ClassVar = (
        Port("u", unit="N m or N", doc="torque of the motor"),
        Port("q", unit="rad or m", doc="coordinate of the joint"),
        Port("qd", unit="rad/s or m/s", doc="rate of the joint"),
    )
    outputs: ClassVar = (
        Port("tau", unit="N m or N", doc="torque on the joint"),
        Port("qm", unit="rad or m", doc="angle of the motor"),
        Port("qmd", unit="rad/s or m/s", doc="rate of the motor"),
    )
    states: ClassVar = (State("angle", "qm0", "rad or m"), State("rate", "qmd0", "rad/s or m/s"))
    elementwise: ClassVar = True

    inertia: Real = parameter(
        default=1.0, unit="kg m2 or kg", doc="inertia of the motor, at the joint", above=0
    )
    stiffness: Real = parameter(default=100.0, unit="N m/rad or N/m", minimum=0)
    damping: Real = parameter(default=0.0, unit="N m s/rad or N s/m", doc="damping of the spring", minimum=0)
    friction: Real = parameter(
        default=0.0, unit="N m s/rad or N s/m", doc="viscous friction of the motor", minimum=0
    )
    qm0: Real = parameter(default=0.0, unit="rad or m", doc="angle of the motor at the start")
    qmd0: Real = parameter(default=0.0, unit="rad/s or m/s", doc="rate of the motor at the start")

    @staticmethod
    def output_tau(q: float, qd: float, angle: float, rate: float, stiffness: float, damping: float) -> float:
        return stiffness * (angle - q) + damping * (rate - qd)

    @staticmethod
    def output_qm(angle: float) -> float:
        return angle

    @staticmethod
    def output_qmd(rate: float) -> float:
        return rate

    @staticmethod
    def derivative(
        u: float, q: float, qd: float, angle: float, rate: float, inertia: float, stiffness: float,
        damping: float, friction: float,
    ) -> tuple[float, float]:  # fmt: skip
        tau = stiffness * (angle - q) + damping * (rate - qd)
        return rate, (u - friction * rate - tau) / inertia
