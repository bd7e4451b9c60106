"""RNE: the joint torques that a motion requires."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from ...robots.friction import add_friction
from ...robots.mechanics.bodies import ARMATURE, GRAVITY
from ...robots.mechanics.inverse_dynamics import rnea
from ..contract.parameter import Array, option
from ..contract.port import Crossing, Port
from .arm import ArmBlock
from .sliding import at_qd, turns


class RNE(ArmBlock):
    """Inverse dynamics, by recursive Newton-Euler.

        tau = M(q) qdd + c(q, qd) + g(q) + f(qd) - J(q)^T wrench

    with the armatures of the motors in M. `wrench` is the force and moment that the environment applies to
    the tool, world axes, at the tool's origin (0 if unconnected). `gravity: false` leaves g out, `friction:
    false` leaves out f, viscous and Coulomb friction. Coulomb friction follows the sign of qd and is 0 at
    rest; the reversal of a joint is an event.
    Source: Luh, Walker, Paul, On-Line Computational Scheme for Mechanical Manipulators, J. Dyn. Sys. Meas.
    Control 102(2), 1980.

    Example:
        {type: RNE, robot: puma560, friction: false}
    """

    icon = "Inverse\ndynamics"
    weighs: ClassVar = True

    gravity: bool = option(default=True, doc="whether to include weight")
    friction: bool = option(default=True, doc="whether to include friction")

    def input_ports(self) -> tuple[Port, ...]:
        return (
            self.joint_port("q", "rad or m"),
            self.joint_port("qd", "rad/s or m/s"),
            self.joint_port("qdd", "rad/s2 or m/s2"),
            Port("wrench", 6, "N, N m", "force and moment on the tool, world axes", default=0.0),
        )

    def output_ports(self) -> tuple[Port, ...]:
        return (self.joint_port("tau", "N m or N"),)

    def constants(self) -> Mapping[str, Any]:
        terms = ARMATURE + GRAVITY * bool(self.gravity)
        return {**super().constants(), "terms": float(terms)}

    def zero_crossings(self) -> tuple[Crossing, ...]:
        return turns(self.kind(), self.robot, self.table()) if self.friction else ()

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        if not self.friction:
            return {"output": without_friction}
        return {"output": with_friction, **at_qd(bool(self.zero_crossings()))}


def without_friction(
    q: Array, qd: Array, qdd: Array, wrench: Array, arm: Array, terms: float, work: Array, tau: Array
) -> None:
    rnea(arm, q, qd, qdd, wrench, int(terms), work, tau)


def with_friction(
    mode: int,
    q: Array,
    qd: Array,
    qdd: Array,
    wrench: Array,
    arm: Array,
    terms: float,
    work: Array,
    tau: Array,
) -> None:
    rnea(arm, q, qd, qdd, wrench, int(terms), work, tau)
    add_friction(arm, qd, mode, tau)
