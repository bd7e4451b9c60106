"""PoseToQuaternion: the unit quaternion of a pose."""

from __future__ import annotations

from typing import ClassVar

from ...robots.lie.kernels.quaternion import quaternion_of
from ..contract.block import Block
from ..contract.parameter import Array
from ..contract.port import WXYZ, Port
from .sizes import POSE


class PoseToQuaternion(Block):
    """The unit quaternion (s, x, y, z) of the orientation of a pose, s >= 0.

    It jumps to -q when the rotation angle passes 180 degrees: for control, use PoseError. T feeds through to
    q directly. Source: Shepperd, Quaternion from rotation matrix, Journal of Guidance and Control 1(3), 1978.

    Example:
        {type: PoseToQuaternion}
    """

    icon = "T → quat"
    inputs: ClassVar = (Port("T", POSE, "m"),)
    outputs: ClassVar = (Port("q", 4, "", "scalar first", elements=WXYZ),)

    @staticmethod
    def output(T: Array, q: Array) -> None:
        quaternion_of(T, q)
