"""DriveToPoint: driving towards a point, at a speed proportional to the distance."""

from __future__ import annotations

from math import hypot
from typing import ClassVar

from ..contract.block import Block
from ..contract.parameter import Array, Real, parameter
from ..contract.port import Crossing, Port
from .seen_angle import branch_angle, passes, side, turned_back

SEEN = (Crossing("behind", +1), Crossing("across", +1))


class DriveToPoint(Block):
    """Steers towards a point, at a speed proportional to the distance.

        v = speed_gain rho                 rho = |goal - position|
        turn = steering_gain alpha         alpha = atan2(goal - position) - theta, in [-pi, pi)

    `turn` is the steering angle of a Bicycle or the turn rate of a Unicycle. The goal may move. When it lies
    exactly opposite to the heading, alpha jumps by 2 pi, at a located instant; there are no other jumps. To
    end a run at the goal, test `distance` < 0.1 with a Compare and a Stop. Source: Corke, Robotics, Vision
    and Control (2017), section 4.1.1.1.

    Example:
        {type: DriveToPoint, speed_gain: 0.5, steering_gain: 4.0}
    """

    icon = "to a point"
    inputs: ClassVar = (Port("pose", 3, "m, m, rad", "x, y and heading"), Port("goal", 2, "m", "where to"))
    outputs: ClassVar = (
        Port("v", 1, "m/s", "speed"),
        Port("turn", 1, "", "steering angle, or turn rate"),
        Port("distance", 1, "m", "from the goal"),
        Port("alpha", 1, "rad", "direction in which the goal is seen, to the left"),
    )
    crossings: ClassVar = SEEN

    speed_gain: Real = parameter(default=0.5, unit="1/s", doc="gain from rho to v", dimensions=(0,))
    steering_gain: Real = parameter(
        default=4.0, unit="[turn]/rad", doc="gain from alpha to turn", dimensions=(0,)
    )

    @staticmethod
    def crossing(mode: int, pose: Array, goal: Array) -> tuple[float, float]:
        ahead, left = turned_back(goal[0] - pose[0], goal[1] - pose[1], pose[2])
        return passes(mode, ahead, left)

    @staticmethod
    def mode(mode: int, pose: Array, goal: Array) -> int:
        ahead, left = turned_back(goal[0] - pose[0], goal[1] - pose[1], pose[2])
        return side(mode, ahead, left)

    @staticmethod
    def output_v(pose: Array, goal: Array, speed_gain: float) -> float:
        return speed_gain * hypot(goal[0] - pose[0], goal[1] - pose[1])

    @staticmethod
    def output_turn(mode: int, pose: Array, goal: Array, steering_gain: float) -> float:
        ahead, left = turned_back(goal[0] - pose[0], goal[1] - pose[1], pose[2])
        return steering_gain * branch_angle(mode, ahead, left)

    @staticmethod
    def output_distance(pose: Array, goal: Array) -> float:
        return hypot(goal[0] - pose[0], goal[1] - pose[1])

    @staticmethod
    def output_alpha(mode: int, pose: Array, goal: Array) -> float:
        ahead, left = turned_back(goal[0] - pose[0], goal[1] - pose[1], pose[2])
        return branch_angle(mode, ahead, left)
