"""ForceMotion: control of the motion along a surface and of the force against it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np

from ...robots.mechanics.kinematics import wrench_torque
from ..contract.parameter import Array, Real, parameter
from ..contract.port import Crossing, Port
from .arm import FramedBlock
from .feedback import FeedbackBlock
from .gains import add_error
from .mixed_dynamics import Model, mixed_dynamics
from .sliding import at_qd_ref, turns


class ForceMotion(FeedbackBlock, FramedBlock):
    """Feed-forward of motion and contact force, with feedback of the joints.

        tau = M(q) qdd_ref + C(q, qd) qd_ref + g(q) + f(qd_ref) + J(q)^T force_ref
              + Kd (qd_ref - qd) + Kp (q_ref - q)

    The controller's model is `robot`. force_ref is the force and moment that the tool is to apply to the
    environment, in world axes, at the tool's origin; the reference motion must follow the surface. Gains
    are one number, one number per joint, or a matrix; with Kp = 0 nothing holds the position along the
    surface.
    Raises ParameterError for gains of another size.
    Source: Murray, Li, Sastry, A Mathematical Introduction to Robotic Manipulation (1994), section 6.4.

    Example:
        {type: ForceMotion, robot: puma560, Kp: 100.0, Kd: 50.0}
    """

    icon = "Force and\nmotion"
    gains: ClassVar = {"Kp": "P", "Kd": "D"}

    Kp: Real = parameter(doc="gain of the position error", unit="N m/rad or N/m")
    Kd: Real = parameter(doc="gain of the velocity error", unit="N m s/rad or N s/m")

    def input_ports(self) -> tuple[Port, ...]:
        force = Port("force_ref", 6, "N, N m", "desired wrench of the tool on the environment", 0.0)
        return (*self.motion(rate=None, acceleration=True), force)

    def constants(self) -> Mapping[str, Any]:
        return {**super().constants(), "still": np.zeros(self.model.n), "free": np.zeros(6)}

    def scratch(self) -> Mapping[str, tuple[int, ...]]:
        n = self.model.n
        return {**super().scratch(), "contact": (n,), "C": (n, n)}

    def zero_crossings(self) -> tuple[Crossing, ...]:
        return turns(self.kind(), self.robot, self.table())

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        return {"output": law, **at_qd_ref(bool(self.zero_crossings()))}


def law(
    mode: int, q: Array, qd: Array, q_ref: Array, qd_ref: Array, qdd_ref: Array, force_ref: Array,
    model: Model, P: Array, D: Array, contact: Array, tau: Array,
) -> None:  # fmt: skip
    mixed_dynamics(model, q, qd, qd_ref, qdd_ref, mode, tau)
    wrench_torque(model.arm, q, force_ref, model.work, contact)
    for i in range(tau.shape[0]):
        tau[i] += contact[i]
    add_error(D, qd_ref, qd, tau)
    add_error(P, q_ref, q, tau)
