"""PoseInverse: the inverse of a pose."""

from __future__ import annotations

from typing import ClassVar

from ...robots.lie.kernels.pose import invert
from ..contract.block import Block
from ..contract.parameter import Array
from ..contract.port import Port
from .sizes import POSE


class PoseInverse(Block):
    """The inverse of a rigid motion.

        T^-1 = [R^T, -R^T p; 0, 1]

    Example:
        {type: PoseInverse}
    """

    icon = "T^-1"
    inputs: ClassVar = (Port("T", POSE, "m"),)
    outputs: ClassVar = (Port("inverse", POSE, "m"),)

    @staticmethod
    def output(T: Array, inverse: Array) -> None:
        invert(T, inverse)
