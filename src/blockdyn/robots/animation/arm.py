"""Arm: a robot as a body of an animation."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..model.poses import Array
from ..model.robot import Robot
from ..pictures.picture import ground
from ..pictures.solids import Face
from .body import Body
from .carried import Carried, Motion
from .paint import Paint
from .shape import Shape, shape_of, skeleton


@dataclass(frozen=True)
class ArmBody(Body):
    """Tubes from joint to joint, on a post; its last frame is that of the tool."""

    robot: Robot

    @property
    def foot(self) -> Array:
        return np.array(self.robot.base)[:3, 3]

    def bones(self) -> Carried:
        return skeleton(self.robot)

    def radius(self, extent: float) -> float:
        return 0.033 * extent * math.sqrt(min(1.0, 8 / (len(self.robot.joints) + 1)))

    def floor(self, lowest: float, radius: float) -> float:
        return min(lowest, float(self.foot[2])) - 2.2 * radius

    def shape(self, motion: Motion, radius: float, paint: Paint) -> Shape:
        return shape_of(self.robot, motion, radius, paint)

    def ground(self, floor: float, radius: float) -> Sequence[Face]:
        return list(ground(np.array(self.robot.base), floor, radius))
