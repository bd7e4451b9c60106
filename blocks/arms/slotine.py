"""Slotine: passivity-based tracking control of an arm."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np

from ...robots.friction import directions, turning
from ..contract.parameter import Array, Real, parameter
from ..contract.port import Crossing, Port
from .feedback import FeedbackBlock
from .gains import add_error
from .mixed_dynamics import Model, mixed_dynamics
from .sliding import turns


class Slotine(FeedbackBlock):
    """The controller of Slotine and Li, with a given model.

        v = qd_ref + Lambda (q_ref - q)      s = qd - v
        tau = M(q) dv/dt + C(q, qd) v + g(q) + f(v) - K s

    with M, C, g and friction f of `robot`, the controller's model; C is formed from the Christoffel symbols.
    If the model equals the arm, s^T M s / 2 falls at the rate s^T K s or faster, and the error follows: e' +
    Lambda e = -s. Unlike in ComputedTorque, the feedback -K s is not multiplied by M. Lambda and K are one
    number, one number per joint, or a matrix: Lambda in 1/s, K in N m s/rad or N s/m. Raises ParameterError
    for another size.
    Source: Slotine, Li, On the Adaptive Control of Robot Manipulators, Int. J. Robotics Research 6(3), 1987;
    Siciliano et al., Robotics (2009), section 8.5.4.

    Example:
        {type: Slotine, robot: puma560, Lambda: 10.0, K: 20.0}
    """

    icon = "Slotine\nand Li"
    gains: ClassVar = {"Lambda": "L", "K": "D"}

    Lambda: Real = parameter(doc="rate at which the error decays", unit="1/s")
    K: Real = parameter(doc="gain of s", unit="N m s/rad or N s/m")

    def input_ports(self) -> tuple[Port, ...]:
        return self.motion(acceleration=True)

    def constants(self) -> Mapping[str, Any]:
        return {**super().constants(), "still": np.zeros(self.model.n), "free": np.zeros(6)}

    def scratch(self) -> Mapping[str, tuple[int, ...]]:
        n = self.model.n
        return {**super().scratch(), "v": (n,), "a": (n,), "C": (n, n)}

    def zero_crossings(self) -> tuple[Crossing, ...]:
        return turns(self.kind(), self.robot, self.table())

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        if self.zero_crossings():
            return {"output": law, "mode": way, "crossing": turn}
        return {"output": law, "mode": way}


def law(
    mode: int, q: Array, qd: Array, q_ref: Array, qd_ref: Array, qdd_ref: Array, model: Model,
    L: Array, D: Array, v: Array, a: Array, tau: Array,
) -> None:  # fmt: skip
    for i in range(v.shape[0]):
        v[i] = qd_ref[i]
        a[i] = qdd_ref[i]
    # a = dv/dt needs no measured acceleration, because v contains only positions as measurements.
    add_error(L, q_ref, q, v)
    add_error(L, qd_ref, qd, a)
    mixed_dynamics(model, q, qd, v, a, mode, tau)
    add_error(D, v, qd, tau)


# Friction is taken at v, not at qd: it grows with speed, so s^T (f(v) - f(qd)) <= 0 makes s fall faster.
# The directions of v are therefore the mode, and a joint reverses when v passes zero.


def way(q: Array, q_ref: Array, qd_ref: Array, arm: Array, L: Array, v: Array) -> int:
    for i in range(v.shape[0]):
        v[i] = qd_ref[i]
    add_error(L, q_ref, q, v)
    return directions(arm, v)


def turn(q: Array, q_ref: Array, qd_ref: Array, arm: Array, L: Array, v: Array, turn: Array) -> None:
    for i in range(v.shape[0]):
        v[i] = qd_ref[i]
    add_error(L, q_ref, q, v)
    turning(arm, v, turn)
