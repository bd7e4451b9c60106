"""EulerToPose: Euler angles ZYZ and a position as a pose."""

from __future__ import annotations

from typing import ClassVar

from ...robots.lie.kernels.angles import rotation_euler
from ...robots.lie.kernels.pose import last_row
from ..contract.block import Block
from ..contract.parameter import Array
from ..contract.port import Port
from .sizes import POSE


class EulerToPose(Block):
    """A pose from Euler angles (phi, theta, psi) and an origin, 0 if unconnected.

        R = Rz(phi) Ry(theta) Rz(psi)

    Source: Siciliano et al., Robotics (2009), section 2.4.1.

    Example:
        {type: EulerToPose}
    """

    icon = "Euler → T"
    inputs: ClassVar = (Port("euler", 3, "rad"), Port("xyz", 3, "m", default=0.0))
    outputs: ClassVar = (Port("T", POSE, "m"),)

    @staticmethod
    def output(euler: Array, xyz: Array, T: Array) -> None:
        rotation_euler(euler[0], euler[1], euler[2], T)
        for i in range(3):
            T[i, 3] = xyz[i]
        last_row(T)
