"""PoseToXYZ: the origin of a pose."""

from __future__ import annotations

from typing import ClassVar

from ..contract.block import Block
from ..contract.parameter import Array
from ..contract.port import XYZ, Port
from .sizes import POSE


class PoseToXYZ(Block):
    """The origin of a pose.

        xyz = (T[0, 3], T[1, 3], T[2, 3])

    Example:
        {type: PoseToXYZ}
    """

    icon = "T → xyz"
    inputs: ClassVar = (Port("T", POSE, "m"),)
    outputs: ClassVar = (Port("xyz", 3, "m", elements=XYZ),)

    @staticmethod
    def output(T: Array, xyz: Array) -> None:
        for i in range(3):
            xyz[i] = T[i, 3]
