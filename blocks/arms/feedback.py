"""Feedback: common part of joint controllers, which compute torques from motion errors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from ..contract.parameter import Array
from ..contract.port import PER_JOINT, Port, Size
from .arm import ArmBlock
from .gains import gain_matrix

TORQUE = "N m or N"


def motion_ports(
    size: Size | None, *, rate: float | None = 0.0, acceleration: bool = False
) -> tuple[Port, ...]:
    """Ports q, qd, q_ref, qd_ref and, with `acceleration`, qdd_ref; `rate` is the default of qd_ref."""
    ports = (
        Port("q", size, "rad or m", "measured", size_rule=PER_JOINT),
        Port("qd", size, "rad/s or m/s", "measured", size_rule=PER_JOINT),
        Port("q_ref", size, "rad or m", "wanted", size_rule=PER_JOINT),
        Port("qd_ref", size, "rad/s or m/s", "wanted", rate, size_rule=PER_JOINT),
    )
    further = Port("qdd_ref", size, "rad/s2 or m/s2", "wanted", 0.0, size_rule=PER_JOINT)
    return (*ports, further) if acceleration else ports


class FeedbackBlock(ArmBlock):
    """Base of the controllers with a model of the robot. Their functions may name the gain matrices.

    A gain is one number for all joints, one per joint, or a matrix; `gains` maps the names of these
    parameters to the letters by which functions name the matrices.
    """

    abstract: ClassVar = True
    weighs: ClassVar = True
    gains: ClassVar[Mapping[str, str]]

    def check(self) -> None:
        super().check()
        self._matrices()

    def _matrices(self) -> dict[str, Array]:
        return {
            letter: gain_matrix(self.kind(), name, getattr(self, name), self.model.n)
            for name, letter in self.gains.items()
        }

    def motion(self, *, rate: float | None = 0.0, acceleration: bool = False) -> tuple[Port, ...]:
        """The ports of `motion_ports`, with one value per joint."""
        return motion_ports(Size((self.model.n,)), rate=rate, acceleration=acceleration)

    def output_ports(self) -> tuple[Port, ...]:
        return (self.joint_port("tau", TORQUE),)

    def constants(self) -> Mapping[str, Any]:
        return {**super().constants(), **self._matrices()}
