"""FDyn: a robot arm that moves under joint torques."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np

from ...robots.mechanics.forward_dynamics import forward_dynamics
from ...robots.mechanics.work import EVERYTHING
from ...robots.table import COULOMB_MINUS, COULOMB_PLUS
from ..errors import ParameterError
from ..parameter import Array, Real, option, parameter
from ..port import Crossing, Port, Size, State
from . import fdyn_dry
from .arm import ArmBlock


class FDyn(ArmBlock):
    """Forward dynamics: the motion of an arm under joint torques and a wrench on its tool.

        M(q) qdd + c(q, qd) + g(q) + f = tau + J(q)^T wrench

    f is viscous and Coulomb friction at the joints, M has the armatures of the motors on its diagonal. `wrench` is
    the force and moment that the environment applies to the tool, in world axes at the tool's origin. `q0` is
    where the joints are at the start, relative to the named pose `pose` if there is one; a single number is meant
    for all joints. Only qdd depends on tau and wrench at once.

    Coulomb friction is exact. Each joint slides forwards, slides backwards or sticks, which the state `slide`
    says (1, -1, 0; always 1 for joints without Coulomb friction). A joint that slides to rest sticks, or turns
    back, and a joint that sticks breaks away when the torque that holds it exceeds its friction in that
    direction: both at located instants, decided for all joints at rest together. Sticking joints have qd = 0 and
    qdd = 0 exactly. Robots without Coulomb friction have no events and no cost from this.

    Limits of joints are information: nothing stops at them.
    Source: Featherstone, Rigid Body Dynamics Algorithms, 2008; friction: see `stiction`.

    Example:
        {type: FDyn, robot: puma560, pose: qn}
    """

    states: ClassVar = (State("position", "start"), State("velocity", "start_rate"), State("slide", "start_slide", held=True))

    pose: str = option(default="", doc="a named pose of the robot to start from")
    q0: Real = parameter(default=0.0, unit="rad or m", doc="joint coordinates at the start", dimensions=(0, 1))
    qd0: Real = parameter(default=0.0, unit="rad/s or m/s", doc="joint rates at the start", dimensions=(0, 1))

    def check(self) -> None:
        super().check()
        n = self.model.n
        for name in ("q0", "qd0"):
            value = getattr(self, name)
            if np.ndim(value) and np.size(value) != n:
                raise ParameterError(self.kind(), name, value, f"{n} numbers, one for each joint, or one for all")
        if self.pose and self.pose not in self.model.named:
            known = ", ".join(self.model.named) or "none"
            raise ParameterError(self.kind(), "pose", self.pose, f"a named pose of {self.model.name}: {known}")
        self._check_inertia()

    def _check_inertia(self) -> None:
        n = self.model.n
        work, zero = np.zeros(self.scratch()["work"]), np.zeros(n)
        found = forward_dynamics(
            self.model.table(), self._start(), zero, zero, np.zeros(6), EVERYTHING, work, np.zeros(n)
        )
        if found >= 0:
            where = f"joint `{self.model.moving[found].name}` of {self.model.name} moves no mass"
            raise ParameterError(self.kind(), "robot", self.robot, f"a robot that has inertia: {where}")

    def _start(self) -> Array:
        base = self.model.named[self.pose] if self.pose else np.zeros(self.model.n)
        return base + np.asarray(self.q0)

    @property
    def _dry(self) -> Array:
        """Which joints have Coulomb friction."""
        table = self.model.table()[:-1]
        return (table[:, COULOMB_PLUS] > 0) | (table[:, COULOMB_MINUS] > 0)

    def input_ports(self) -> tuple[Port, ...]:
        return (
            Port("tau", Size((self.model.n,)), "N m or N", "torques of the motors"),
            Port("wrench", 6, "N, N m", "force and moment on the tool, world axes", default=0.0),
        )

    def output_ports(self) -> tuple[Port, ...]:
        size = Size((self.model.n,))
        return (
            Port("q", size, "rad or m"),
            Port("qd", size, "rad/s or m/s"),
            Port("qdd", size, "rad/s2 or m/s2"),
        )

    def zero_crossings(self) -> tuple[Crossing, ...]:
        return (Crossing("friction", +1, count=self.model.n),) if self._dry.any() else ()

    def constants(self) -> Mapping[str, Any]:
        rates = np.broadcast_to(np.asarray(self.qd0, np.float64), (self.model.n,))
        return {
            **super().constants(),
            "start": self._start(),
            "start_rate": rates,
            "start_slide": np.where(self._dry, np.sign(rates), 1.0),
        }

    def scratch(self) -> Mapping[str, tuple[int, ...]]:
        n = self.model.n
        return {**super().scratch(), "factors": (n, n), "load": (n,), "trial": (n,)}

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        shared = {"output_q": _q, "output_qd": _qd}
        if self._dry.any():
            return {**shared, **fdyn_dry.FUNCTIONS}
        return {**shared, "output_qdd": _qdd, "derivative": _derivative}


def _q(position: Array, q: Array) -> None:
    for i in range(q.shape[0]):
        q[i] = position[i]


def _qd(velocity: Array, qd: Array) -> None:
    for i in range(qd.shape[0]):
        qd[i] = velocity[i]


def _qdd(
    tau: Array, wrench: Array, position: Array, velocity: Array, arm: Array, work: Array, qdd: Array
) -> None:
    if forward_dynamics(arm, position, velocity, tau, wrench, EVERYTHING, work, qdd) >= 0:
        qdd[0] = math.nan


def _derivative(
    tau: Array, wrench: Array, position: Array, velocity: Array, arm: Array, work: Array,
    d_position: Array, d_velocity: Array,
) -> None:  # fmt: skip
    for i in range(d_position.shape[0]):
        d_position[i] = velocity[i]
    if forward_dynamics(arm, position, velocity, tau, wrench, EVERYTHING, work, d_velocity) >= 0:
        d_velocity[0] = math.nan
