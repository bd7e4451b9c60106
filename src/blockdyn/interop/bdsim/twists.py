"""bdsim's POSEINTEGRATOR: the integral of a twist, and the pose that it is the logarithm of."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ...blocks.contract.block import Block
from ...blocks.contract.parameter import Array
from ...blocks.contract.port import Port
from ...blocks.poses.sizes import POSE
from ...robots.lie.kernels.pose import exp6
from .places import Maker, Place


class TwistToPose(Block):
    """T = exp [x] of a twist x = (v, w). Source: Lynch, Park, Modern Robotics (2017), section 3.3.3."""

    inputs: ClassVar = (Port("x", 6),)
    outputs: ClassVar = (Port("T", POSE, "m"),)

    @staticmethod
    def output(x: Array, T: Array) -> None:
        exp6(x, T)


def pose_integrator(make: Maker) -> Place:
    """Its twist is integrated element by element, as bdsim does; PoseIntegral integrates the motion."""
    place = make.integral(np.asarray(make.block.getstate0(), float), "twist")
    name = make.add(TwistToPose())
    make.wire(place.outputs[0], f"{name}.x")
    place.outputs = [f"{name}.T"]
    return place


TWISTS = {"bdsim.PoseIntegrator": pose_integrator}
