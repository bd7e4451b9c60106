"""PoseToEuler: Euler angles ZYZ of a pose."""

from __future__ import annotations

from typing import ClassVar

from ...robots.lie.kernels.angles import euler_of
from ..contract.block import Block
from ..contract.parameter import Array
from ..contract.port import Port
from .sizes import POSE


class PoseToEuler(Block):
    """euler = (phi, theta, psi) with R = Rz(phi) Ry(theta) Rz(psi).

    theta lies between 0 and 180 degrees. At its ends the pose determines only the sum (at 0) or the
    difference (at 180) of phi and psi; phi is then 0. phi and psi lie within +-180 degrees, where they jump:
    for control, use PoseError. T feeds through to euler directly.
    Source: Siciliano et al., Robotics (2009), section 2.4.1.

    Example:
        {type: PoseToEuler}
    """

    icon = "T → Euler"
    inputs: ClassVar = (Port("T", POSE, "m"),)
    outputs: ClassVar = (Port("euler", 3, "rad", elements=("phi", "theta", "psi")),)

    @staticmethod
    def output(T: Array, euler: Array) -> None:
        euler[0], euler[1], euler[2] = euler_of(T)
