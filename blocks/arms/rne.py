"""RNE: the joint torques that a motion takes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...robots.mechanics.rnea import rnea
from ...robots.mechanics.work import ARMATURE, FRICTION, GRAVITY
from ..parameter import Array, option
from ..port import Port
from .arm import ArmBlock


class RNE(ArmBlock):
    """Inverse dynamics, by recursive Newton-Euler.

        tau = M(q) qdd + c(q, qd) + g(q) + f(qd) - J(q)^T wrench

    with the armatures of the motors in M. `wrench` is the force and moment that the environment applies to
    the tool, world axes, at the tool's origin (0 where nothing is connected). gravity: false leaves g out,
    friction: false f, which is viscous and Coulomb friction; Coulomb's follows the sign of qd and is 0 at
    rest.
    Source: Luh, Walker, Paul, On-Line Computational Scheme for Mechanical Manipulators, J. Dyn. Sys. Meas.
    Control 102(2), 1980.

    Example:
        {type: RNE, robot: puma560, friction: false}
    """

    gravity: bool = option(default=True, doc="whether weight counts")
    friction: bool = option(default=True, doc="whether friction counts")

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
        terms = ARMATURE + GRAVITY * bool(self.gravity) + FRICTION * bool(self.friction)
        return {**super().constants(), "terms": float(terms)}

    @staticmethod
    def output(
        q: Array, qd: Array, qdd: Array, wrench: Array, arm: Array, terms: float, work: Array, tau: Array
    ) -> None:
        rnea(arm, q, qd, qdd, wrench, int(terms), work, tau)
