"""Delta2Tr: the pose of a small motion."""

from __future__ import annotations

from typing import ClassVar

from ...robots.lie.kernels.motion import pose_of_delta
from ..contract.block import Block
from ..contract.parameter import Array
from ..contract.port import Port
from .sizes import POSE


class Delta2Tr(Block):
    """The pose of a small motion delta = (linear, angular), to first order.

        T = I + [delta]

    T is a pose only in the limit of small angles; PoseIntegral follows motions exactly. delta feeds through
    to T directly. [delta] is the 4 x 4 matrix of the twist: a skew matrix of the angles, and the linear part.
    Source: Corke, Robotics, Vision and Control (2nd ed., 2017), section 3.1.4.

    Example:
        {type: Delta2Tr}
    """

    icon = "Δ → T"
    inputs: ClassVar = (Port("delta", 6, "m, rad"),)
    outputs: ClassVar = (Port("T", POSE, "m"),)

    @staticmethod
    def output(delta: Array, T: Array) -> None:
        pose_of_delta(delta, T)
