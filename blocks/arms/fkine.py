"""FKine: pose of an arm's tool."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ...robots.mechanics.kinematics import link_poses, tool_pose
from ..contract.parameter import Array, option
from ..contract.port import Port, Size
from .arm import FramedBlock


class FKine(FramedBlock):
    """Forward kinematics: the pose of the tool, or of another frame, in the world.

        T = T_base A_1(q_1) ... A_n(q_n) T_tool

    With `link_poses`, the output `poses` (4n x 4) stacks the poses of the links of all moving joints: rows 4
    i to 4 i + 3 are the pose of link i, counted from 0. q: n, rad or m; T: 4 x 4, m. Raises ParameterError
    for a frame `of` that the robot does not have.
    Source: Siciliano et al., Robotics (2009), section 2.8; Lynch, Park, Modern Robotics (2017), chapter 4.

    Example:
        {type: FKine, robot: puma560}
    """

    icon = "T(q)"

    link_poses: bool = option(default=False, doc="true adds the output `poses`")

    def input_ports(self) -> tuple[Port, ...]:
        return (self.joint_port("q", "rad or m"),)

    def output_ports(self) -> tuple[Port, ...]:
        tool = Port("T", Size((4, 4)), "m", f"pose of {self.of} in the world")
        if not self.link_poses:
            return (tool,)
        return (
            tool,
            Port(
                "poses",
                Size((4 * len(self.model.shares), 4)),
                "m",
                "poses of the links in the world",
                size_rule="4 n x 4, n links",
            ),
        )

    def scratch(self) -> Mapping[str, tuple[int, ...]]:
        return {**super().scratch(), "each": (len(self.model.shares), 4, 4)}

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        if self.link_poses:
            return {"output_T": one_pose, "output_poses": all_poses}
        return {"output_T": one_pose}


def one_pose(q: Array, arm: Array, work: Array, T: Array) -> None:
    tool_pose(arm, q, work, T)


def all_poses(q: Array, arm: Array, work: Array, each: Array, poses: Array) -> None:
    link_poses(arm, q, work, each)
    for i in range(each.shape[0]):
        for j in range(4):
            for k in range(4):
                poses[4 * i + j, k] = each[i, j, k]
