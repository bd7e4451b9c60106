"""CartesianInertia: the inertia of an arm, as seen at its tool."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from ...robots.mechanics.kinematics import FRAMES
from ...robots.mechanics.mass_matrix import cartesian_inertia
from ..contract.errors import ParameterError, Refusal
from ..contract.parameter import Array, option
from ..contract.port import Port, Size
from .arm import FramedBlock


class CartesianInertia(FramedBlock):
    """The operational-space inertia of the tool, 6 x 6, with forces before moments.

        Lambda = (J(q) M(q)^-1 J(q)^T)^-1

    with J as in Jacobian for the same frame. It exists if the tool can move in all six directions: at a
    singular pose the run ends with BlockFailed. Raises ParameterError for an arm of fewer than six joints.
    kg, kg m, kg m2.
    Source: Khatib, A Unified Approach for Motion and Force Control of Robot Manipulators, IEEE J. Robotics
    and Automation 3(1), 1987.

    Example:
        {type: CartesianInertia, robot: puma560}
    """

    icon = "Λ(q)"
    weighs: ClassVar = True

    frame: str = option(default="world", doc="axes and point of forces and moments", choices=tuple(FRAMES))

    def check(self) -> None:
        super().check()
        if self.model.n < 6:
            robot = f"{self.model.name}, {self.model.n} joints"
            raise ParameterError(self.kind(), "robot", robot, "six joints or more")

    def input_ports(self) -> tuple[Port, ...]:
        return (self.joint_port("q", "rad or m"),)

    def output_ports(self) -> tuple[Port, ...]:
        return (Port("Lambda", Size((6, 6)), "kg, kg m, kg m2"),)

    def constants(self) -> Mapping[str, Any]:
        return {**super().constants(), "frame_code": float(FRAMES[self.frame])}

    def scratch(self) -> Mapping[str, tuple[int, ...]]:
        return {**super().scratch(), "J": (6, self.model.n)}

    @staticmethod
    def output(q: Array, arm: Array, frame_code: float, work: Array, J: Array, Lambda: Array) -> None:
        if cartesian_inertia(arm, q, int(frame_code), work, J, Lambda) >= 0:
            raise Refusal(
                "the Cartesian inertia is undefined here: the tool cannot move in all six directions"
            )
