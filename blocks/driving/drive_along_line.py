"""DriveAlongLine: steering onto a line and along it."""

from __future__ import annotations

from collections.abc import Mapping
from math import hypot
from typing import ClassVar

import numpy as np

from ..contract.block import Block
from ..contract.errors import ParameterError
from ..contract.parameter import Array, Real, parameter
from ..contract.port import Crossing, Port
from .seen_angle import branch_angle, passes, side, turned_back


class DriveAlongLine(Block):
    """Steers onto the line a x + b y + c = 0 and along it, in the direction (-b, a).

        d = (a x + b y + c)/|(a, b)|      to the right of the line
        turn = distance_gain d + steering_gain alpha,     alpha = atan2(a, -b) - theta, in [-pi, pi)

    `turn` is the steering angle of a Bicycle or the turn rate of a Unicycle. At a speed v the offset of a
    Bicycle with wheelbase L obeys, near the line, d'' + v steering_gain/L d' + v^2 distance_gain/L d = 0.
    Raises ParameterError if a and b are both zero. Source: Corke, Robotics, Vision and Control (2017),
    section 4.1.1.2, with the signs of its model sl_driveline.

    Example:
        {type: DriveAlongLine, line: [1, -2, 4], distance_gain: 0.5, steering_gain: 1.0}
    """

    icon = "onto a line"
    inputs: ClassVar = (Port("pose", 3, "m, m, rad", "x, y and heading"),)
    outputs: ClassVar = (
        Port("turn", 1, "", "steering angle, or turn rate"),
        Port("distance", 1, "m", "from the line, positive to its right"),
        Port("alpha", 1, "rad", "direction of the line, seen to the left"),
    )
    crossings: ClassVar = (Crossing("behind", +1), Crossing("across", +1))

    line: Real = parameter(default=[0.0, 1.0, 0.0], unit="1, 1, m", doc="a, b, c", dimensions=(1,))
    distance_gain: Real = parameter(default=0.5, unit="1/m", doc="gain from d to turn", dimensions=(0,))
    steering_gain: Real = parameter(
        default=1.0, unit="[turn]/rad", doc="gain from alpha to turn", dimensions=(0,)
    )

    def check(self) -> None:
        line = np.asarray(self.line, np.float64)
        if line.shape != (3,) or not hypot(line[0], line[1]) > 0.0:
            expected = "three numbers a, b, c, of which a and b are not both zero"
            raise ParameterError(self.kind(), "line", self.line, expected)

    def constants(self) -> Mapping[str, float]:
        a, b, c = np.asarray(self.line, np.float64) / hypot(*np.asarray(self.line, np.float64)[:2])
        return {"a": float(a), "b": float(b), "c": float(c)}

    @staticmethod
    def crossing(mode: int, pose: Array, a: float, b: float) -> tuple[float, float]:
        ahead, left = turned_back(-b, a, pose[2])
        return passes(mode, ahead, left)

    @staticmethod
    def mode(mode: int, pose: Array, a: float, b: float) -> int:
        ahead, left = turned_back(-b, a, pose[2])
        return side(mode, ahead, left)

    @staticmethod
    def output_turn(
        mode: int, pose: Array, a: float, b: float, c: float, distance_gain: float, steering_gain: float
    ) -> float:
        ahead, left = turned_back(-b, a, pose[2])
        distance = a * pose[0] + b * pose[1] + c
        return distance_gain * distance + steering_gain * branch_angle(mode, ahead, left)  # type: ignore[no-any-return]

    @staticmethod
    def output_distance(pose: Array, a: float, b: float, c: float) -> float:
        return a * pose[0] + b * pose[1] + c  # type: ignore[no-any-return]

    @staticmethod
    def output_alpha(mode: int, pose: Array, a: float, b: float) -> float:
        ahead, left = turned_back(-b, a, pose[2])
        return branch_angle(mode, ahead, left)
