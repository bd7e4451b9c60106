"""ComputedTorque: control with a model of the arm, which makes its joints behave like unit masses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ...robots.friction import add_friction
from ...robots.mechanics.bodies import ARMATURE, GRAVITY
from ...robots.mechanics.inverse_dynamics import rnea
from ..contract.errors import ParameterError
from ..contract.parameter import Array, Real, parameter
from ..contract.port import Crossing, Port, State
from .feedback import FeedbackBlock
from .gains import add_error, add_product
from .sliding import at_qd, turns


class ComputedTorque(FeedbackBlock):
    """Inverse dynamics control.

        e = q_ref - q
        tau = M(q) (qdd_ref + Kp e + Ki int e dt + Kd (qd_ref - qd)) + c(q, qd) + g(q) + f(qd)

    M, c, g and friction f belong to `robot`, the controller's model. If the model equals the arm, the error
    follows e'' + Kd e' + Kp e + Ki int e dt = 0. Gains are one number, one number per joint, or a matrix: Kp
    in 1/s2, Ki in 1/s3, Kd in 1/s. There is an integral state only if Ki is not 0; `integral0` is its value
    at the start. Coulomb friction follows the measured speed and is zero at rest, so a joint that sticks gets
    no help to break away. A model without it, {name: puma560, without_friction: coulomb}, keeps tau
    continuous. All inputs feed through to tau directly. Raises ParameterError for gains of another size.
    Source: Lynch, Park, Modern Robotics (2017), section 11.4.3; Siciliano et al., Robotics (2009), section
    8.5.2.

    Example:
        {type: ComputedTorque, robot: puma560, Kp: 100.0, Kd: 20.0}
    """

    icon = "Computed\ntorque"
    gains: ClassVar = {"Kp": "P", "Kd": "D", "Ki": "N"}

    Kp: Real = parameter(doc="gain of the position error", unit="1/s2")
    Kd: Real = parameter(doc="gain of the velocity error", unit="1/s")
    Ki: Real = parameter(default=0.0, doc="gain of the integral of the position error", unit="1/s3")
    integral0: Real = parameter(
        default=0.0, doc="integral of the error at the start", unit="rad s or m s", dimensions=(0, 1)
    )

    @property
    def states(self) -> tuple[State, ...]:  # type: ignore[override]
        return (State("integral", "start", "rad s or m s"),) if np.any(self.Ki) else ()  # type: ignore[arg-type]

    def check(self) -> None:
        super().check()
        if np.ndim(self.integral0) and np.size(self.integral0) != self.model.n:  # type: ignore[arg-type]
            expected = f"a number, or {self.model.n} numbers"
            raise ParameterError(self.kind(), "integral0", self.integral0, expected)

    def input_ports(self) -> tuple[Port, ...]:
        return self.motion(acceleration=True)

    def constants(self) -> Mapping[str, Any]:
        n = self.model.n
        start = np.broadcast_to(np.asarray(self.integral0, np.float64), (n,))
        return {**super().constants(), "start": start, "free": np.zeros(6)}

    def scratch(self) -> Mapping[str, tuple[int, ...]]:
        return {**super().scratch(), "a": (self.model.n,)}

    def zero_crossings(self) -> tuple[Crossing, ...]:
        return turns(self.kind(), self.robot, self.table())

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        turning = at_qd(bool(self.zero_crossings()))
        if self.states:
            return {"output": with_integral, "derivative": error, **turning}
        return {"output": without_integral, **turning}


class Model(NamedTuple):
    """The controller's model of the arm, and workspace."""

    arm: Array
    free: Array  # (6,), zeros: nothing touches the tool
    work: Array
    a: Array  # (n,), the desired accelerations


class Motion(NamedTuple):
    """The measured and the desired motion."""

    q: Array
    qd: Array
    q_ref: Array
    qd_ref: Array
    qdd_ref: Array


def without_integral(mode: int, motion: Motion, model: Model, P: Array, D: Array, tau: Array) -> None:
    accelerate(motion, P, D, model.a)
    drive(mode, motion, model, tau)


def with_integral(
    mode: int, motion: Motion, integral: Array, model: Model, P: Array, D: Array, N: Array, tau: Array
) -> None:
    accelerate(motion, P, D, model.a)
    add_product(N, integral, model.a)
    drive(mode, motion, model, tau)


def accelerate(motion: Motion, P: Array, D: Array, a: Array) -> None:
    """a = qdd_ref + P (q_ref - q) + D (qd_ref - qd)."""
    for i in range(a.shape[0]):
        a[i] = motion.qdd_ref[i]
    add_error(P, motion.q_ref, motion.q, a)
    add_error(D, motion.qd_ref, motion.qd, a)


def drive(mode: int, motion: Motion, model: Model, tau: Array) -> None:
    """The torques at which the model has the accelerations a."""
    # One pass of recursive Newton-Euler with a in place of qdd: M a + c + g in O(n), without forming M.
    rnea(model.arm, motion.q, motion.qd, model.a, model.free, GRAVITY + ARMATURE, model.work, tau)
    add_friction(model.arm, motion.qd, mode, tau)


def error(q: Array, q_ref: Array, d_integral: Array) -> None:
    for i in range(d_integral.shape[0]):
        d_integral[i] = q_ref[i] - q[i]
