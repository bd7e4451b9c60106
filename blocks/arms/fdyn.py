"""FDyn: a robot arm that moves under joint torques."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...robots.mechanics.bodies import EVERYTHING
from ...robots.mechanics.forward_dynamics import forward_dynamics
from ...robots.model.table import COULOMB_MINUS, COULOMB_PLUS
from ..contract.icon import Icon
from ..contract.parameter import Array, Real, option, parameter
from ..contract.port import Crossing, Port, State
from . import fdyn_dry
from .arm import ArmBlock
from .sketch import sketch
from .start import check_start, coordinates, rates


class FDyn(ArmBlock):
    """Forward dynamics: the motion of an arm under joint torques and a wrench on its tool.

        M(q) qdd + c(q, qd) + g(q) + f = tau + J(q)^T wrench

    f is viscous and Coulomb friction at the joints; M includes the armatures of the motors on its diagonal.
    `wrench` is the force and moment that the environment applies to the tool, in world axes at the tool's
    origin. `q0` gives the joint coordinates at the start, relative to the named pose `pose` if you give one;
    a single number applies to all joints. tau and wrench have direct feedthrough only to qdd.

    Coulomb friction is exact. Each joint slides forwards, slides backwards or sticks, as given by the state
    `slide` (1, -1, 0; always 1 for joints without Coulomb friction). A joint that slides to rest sticks or
    reverses, and a joint that sticks breaks away when the torque that holds it exceeds its friction in that
    direction: both happen at located instants, and are decided for all joints at rest together. Sticking
    joints have qd = 0 and qdd = 0 exactly. Robots without Coulomb friction have no such events and no extra
    cost.

    Joint limits are information only: no joint stops at them. Raises ParameterError for a robot without
    masses, a joint that moves no inertia, an unknown pose, and q0 or qd0 of another length.
    Source: Featherstone, Rigid Body Dynamics Algorithms, 2008; friction: Pfeiffer, Glocker, Multibody
    Dynamics with Unilateral Contacts, 1996.

    Example:
        {type: FDyn, robot: puma560, pose: qn}
    """

    icon = "arm"
    weighs: ClassVar = True

    states: ClassVar = (
        State("position", "start", like="q"),
        State("velocity", "start_rate", like="qd"),
        State("slide", "start_slide", held=True),
    )

    pose: str | None = option(default=None, doc="a named pose of the robot to start from")
    q0: Real = parameter(default=0.0, unit="rad or m", doc="q at the start", dimensions=(0, 1))
    qd0: Real = parameter(default=0.0, unit="rad/s or m/s", doc="qd at the start", dimensions=(0, 1))

    def symbol(self) -> Icon:
        return sketch(self.model)

    def check(self) -> None:
        super().check()
        check_start(self.kind(), self.robot, self.model, self.pose, self.q0, self.qd0)

    def _dry(self) -> NDArray[np.bool_]:
        """Mask of the joints with Coulomb friction."""
        table = self.model.table()[: self.model.n]
        return np.asarray((table[:, COULOMB_PLUS] > 0) | (table[:, COULOMB_MINUS] > 0))

    def input_ports(self) -> tuple[Port, ...]:
        return (
            self.joint_port("tau", "N m or N", "torques of the motors"),
            Port("wrench", 6, "N, N m", "force and moment on the tool, world axes", default=0.0),
        )

    def output_ports(self) -> tuple[Port, ...]:
        return (
            self.joint_port("q", "rad or m"),
            self.joint_port("qd", "rad/s or m/s"),
            self.joint_port("qdd", "rad/s2 or m/s2"),
        )

    def zero_crossings(self) -> tuple[Crossing, ...]:
        return (Crossing("friction", +1, count=self.model.n),) if self._dry().any() else ()

    def constants(self) -> Mapping[str, Any]:
        start_rate = rates(self.model, self.qd0)
        return {
            **super().constants(),
            "start": coordinates(self.model, self.pose, self.q0),
            "start_rate": start_rate,
            "start_slide": np.where(self._dry(), np.sign(start_rate), 1.0),
        }

    def scratch(self) -> Mapping[str, tuple[int, ...]]:
        n = self.model.n
        return {**super().scratch(), "factors": (n, n), "load": (n,), "trial": (n,)}

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        functions: dict[str, Callable[..., Any]] = {"output_q": output_q, "output_qd": output_qd}
        if self._dry().any():
            return {**functions, **fdyn_dry.FUNCTIONS}
        return {**functions, "output_qdd": _qdd, "derivative": _derivative}


def output_q(position: Array, q: Array) -> None:
    """The joint coordinates."""
    for i in range(q.shape[0]):
        q[i] = position[i]


def output_qd(velocity: Array, qd: Array) -> None:
    """The joint rates."""
    for i in range(qd.shape[0]):
        qd[i] = velocity[i]


def _qdd(
    tau: Array, wrench: Array, position: Array, velocity: Array, arm: Array, work: Array, qdd: Array
) -> None:
    # A joint without inertia: no acceleration satisfies the equation. NaN ends the run with NotFinite, which
    # names the block and the time.
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
