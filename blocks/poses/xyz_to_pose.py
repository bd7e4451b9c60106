"""XYZToPose: a position as a pose."""

from __future__ import annotations

from typing import ClassVar

from ...robots.lie.kernels.pose import pose_from
from ..contract.block import Block
from ..contract.parameter import Array
from ..contract.port import Port
from .sizes import POSE


class XYZToPose(Block):
    """A pose with the origin xyz and axes parallel to the world's.

        T = [I, xyz; 0, 1]

    Example:
        {type: XYZToPose}
    """

    icon = "xyz → T"
    inputs: ClassVar = (Port("xyz", 3, "m"),)
    outputs: ClassVar = (Port("T", POSE, "m"),)

    @staticmethod
    def output(xyz: Array, T: Array) -> None:
        pose_from(xyz[0], xyz[1], xyz[2], 0.0, 0.0, 0.0, T)
