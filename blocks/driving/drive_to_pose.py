"""DriveToPose: driving to a point and a heading there, forwards or backwards."""

from __future__ import annotations

from math import atan, cos, hypot, sin
from typing import ClassVar, NamedTuple

from ..contract.block import Block
from ..contract.parameter import Array, Real, parameter
from ..contract.port import Crossing, Port, State
from .seen_angle import branch_angle, passes, side, turned_back

BESIDE = 1e-12  # relative to the distance: a goal no farther to the rear than this is abeam, within rounding


class Approach(NamedTuple):
    """Pose of the vehicle, pose of the goal, and direction of driving."""

    pose: Array
    goal: Array
    direction: float


class Gains(NamedTuple):
    """The gains of the polar law."""

    k_rho: float
    k_alpha: float
    k_beta: float


def from_vehicle(view: Approach) -> tuple[float, float]:
    """The vector to the goal, or away from it if the vehicle drives backwards, in vehicle axes."""
    way = view.direction
    dx, dy = view.goal[0] - view.pose[0], view.goal[1] - view.pose[1]
    return turned_back(way * dx, way * dy, view.pose[2])


def from_goal(view: Approach) -> tuple[float, float]:
    """The heading of the goal, in axes of which the first points in the direction of travel."""
    way = view.direction
    dx, dy = view.goal[0] - view.pose[0], view.goal[1] - view.pose[1]
    c, s = cos(view.goal[2]), sin(view.goal[2])
    return way * (c * dx + s * dy), way * (s * dx - c * dy)


def sides(mode: int) -> tuple[int, int]:
    """The modes of both angles from the mode of the block, 0 (not determined yet) or 1 to 4."""
    if mode == 0:
        return 0, 0
    return (1 if mode % 2 == 1 else -1), (1 if mode <= 2 else -1)


def turning(mode: int, view: Approach, gains: Gains) -> float:
    """The rate of turn."""
    one, two = sides(mode)
    ahead, left = from_vehicle(view)
    along, across = from_goal(view)
    return gains.k_alpha * branch_angle(one, ahead, left) + gains.k_beta * branch_angle(two, along, across)


class DriveToPose(Block):
    """Drives to a pose, by a control law in polar coordinates about the goal.

        rho = |goal - position|    alpha = atan2(s (goal - position)) - theta    beta = theta* - theta - alpha
        v = s k_rho rho            omega = k_alpha alpha + k_beta beta           gamma = atan(s omega L / |v|)

    with the angles in [-pi, pi). Each jumps by 2 pi, at an event, when it passes pi: alpha when the goal lies
    opposite to the direction of travel, beta when the goal's heading is opposite to it. The direction s is
    chosen once, at the start: 1 if the goal lies ahead, |alpha| <= pi/2, and -1 otherwise. `omega` is for a
    Unicycle, `gamma` for a Bicycle of that `wheelbase`. Near the goal rho' = -k_rho rho, alpha' = -(k_alpha -
    k_rho) alpha - k_beta beta, beta' = -k_rho alpha: stable for k_rho > 0, k_beta < 0, k_alpha > k_rho. At
    the goal itself the angles and gamma are undefined: end the run earlier, when `distance` is small. Source:
    Astolfi, Exponential Stabilization of a Wheeled Mobile Robot Via Discontinuous Control, Journal of Dynamic
    Systems, Measurement, and Control 121(1), 1999, 121-126, doi:10.1115/1.2802429; Corke, Robotics, Vision
    and Control (2017), section 4.1.1.4.

    Example:
        {type: DriveToPose, k_rho: 1.0, k_alpha: 5.0, k_beta: -2.0}
    """

    icon = "to a pose"
    inputs: ClassVar = (
        Port("pose", 3, "m, m, rad", "x, y and heading"),
        Port("goal", 3, "m, m, rad", "the goal, and the heading there"),
    )
    outputs: ClassVar = (
        Port("v", 1, "m/s", "speed"),
        Port("omega", 1, "rad/s", "rate of turn"),
        Port("gamma", 1, "rad", "steering angle"),
        Port("distance", 1, "m", "from the goal"),
        Port("alpha", 1, "rad"),
        Port("beta", 1, "rad"),
    )
    states: ClassVar = (State("direction", "undecided", held=True),)
    crossings: ClassVar = (
        Crossing("alpha_behind", +1),
        Crossing("alpha_across", +1),
        Crossing("beta_behind", +1),
        Crossing("beta_across", +1),
    )

    k_rho: Real = parameter(default=1.0, unit="1/s", doc="gain from rho to v", dimensions=(0,))
    k_alpha: Real = parameter(default=5.0, unit="1/s", doc="gain from alpha to omega", dimensions=(0,))
    k_beta: Real = parameter(default=-2.0, unit="1/s", doc="gain from beta to omega", dimensions=(0,))
    wheelbase: Real = parameter(
        default=1.0, unit="m", doc="wheelbase of the bicycle", above=0, dimensions=(0,)
    )

    def constants(self) -> dict[str, float]:
        return {"undecided": 0.0}

    @staticmethod
    def crossing(mode: int, view: Approach) -> tuple[float, float, float, float]:
        one, two = sides(mode)
        ahead, left = from_vehicle(view)
        along, across = from_goal(view)
        return (*passes(one, ahead, left), *passes(two, along, across))

    @staticmethod
    def mode(mode: int, view: Approach) -> int:
        if view.direction == 0.0:
            return 0
        one, two = sides(mode)
        ahead, left = from_vehicle(view)
        along, across = from_goal(view)
        return (1 if side(one, ahead, left) > 0 else 2) + (0 if side(two, along, across) > 0 else 2)

    @staticmethod
    def jump(pose: Array, goal: Array, direction: float) -> float:
        if direction != 0.0:
            return direction
        dx, dy = goal[0] - pose[0], goal[1] - pose[1]
        ahead, _ = turned_back(dx, dy, pose[2])
        return 1.0 if ahead >= -BESIDE * hypot(dx, dy) else -1.0

    @staticmethod
    def output_v(view: Approach, k_rho: float) -> float:
        return view.direction * k_rho * hypot(view.goal[0] - view.pose[0], view.goal[1] - view.pose[1])

    @staticmethod
    def output_omega(mode: int, view: Approach, gains: Gains) -> float:
        return turning(mode, view, gains)

    @staticmethod
    def output_gamma(mode: int, view: Approach, gains: Gains, wheelbase: float) -> float:
        v = abs(gains.k_rho) * hypot(view.goal[0] - view.pose[0], view.goal[1] - view.pose[1])
        rate = view.direction * turning(mode, view, gains) * wheelbase
        return atan(rate / v) if v > 0.0 else 0.0

    @staticmethod
    def output_distance(pose: Array, goal: Array) -> float:
        return hypot(goal[0] - pose[0], goal[1] - pose[1])

    @staticmethod
    def output_alpha(mode: int, view: Approach) -> float:
        one, _ = sides(mode)
        ahead, left = from_vehicle(view)
        return branch_angle(one, ahead, left)

    @staticmethod
    def output_beta(mode: int, view: Approach) -> float:
        _, two = sides(mode)
        along, across = from_goal(view)
        return branch_angle(two, along, across)
