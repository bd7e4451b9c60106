"""QuaternionToPose: a quaternion and a position as a pose."""

from __future__ import annotations

from typing import ClassVar

from ...robots.lie.kernels.pose import last_row
from ...robots.lie.kernels.quaternion import rotation_of_quaternion
from ..contract.block import Block
from ..contract.parameter import Array
from ..contract.port import Port
from .sizes import POSE


class QuaternionToPose(Block):
    """A pose from a quaternion, scalar first, and an origin, 0 if unconnected.

        T = [R(q / |q|), xyz; 0, 1]

    q may have any norm except 0.
    Source: Siciliano et al., Robotics (2009), section 2.6.

    Example:
        {type: QuaternionToPose}
    """

    icon = "quat → T"
    inputs: ClassVar = (Port("q", 4, "", "scalar first", direction=True), Port("xyz", 3, "m", default=0.0))
    outputs: ClassVar = (Port("T", POSE, "m"),)

    @staticmethod
    def output(q: Array, xyz: Array, T: Array) -> None:
        rotation_of_quaternion(q[0], q[1], q[2], q[3], T)
        for i in range(3):
            T[i, 3] = xyz[i]
        last_row(T)
