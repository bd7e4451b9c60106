"""RandomPath: driving from one random point of an area to the next."""

from __future__ import annotations

from math import hypot
from typing import ClassVar, NamedTuple

import numpy as np

from ..contract.block import Block
from ..contract.errors import ParameterError
from ..contract.parameter import Array, Real, parameter
from ..contract.port import XYZ, Crossing, Port, State
from ..contract.random_numbers import uniforms
from .seen_angle import branch_angle, passes, side, turned_back

BESIDE = 1e-6  # relative to the distance: a goal this far to the rear counts as passed, despite rounding


class GoalDraw(NamedTuple):
    """The index of the goal, and its random stream."""

    number: float
    stream: Array
    corners: Array


def goal_of(drawn: GoalDraw) -> tuple[float, float]:
    """The goal of this index."""
    u, v = uniforms(drawn.stream[0], drawn.stream[1], drawn.number, 0)
    x0, x1, y0, y1 = drawn.corners[0], drawn.corners[1], drawn.corners[2], drawn.corners[3]
    return x0 + (x1 - x0) * u, y0 + (y1 - y0) * v


def to_goal(pose: Array, drawn: GoalDraw) -> tuple[float, float]:
    """The goal in vehicle axes, relative to the vehicle: ahead and to the left."""
    x, y = goal_of(drawn)
    return turned_back(x - pose[0], y - pose[1], pose[2])


class RandomPath(Block):
    """Drives to a random point of an area, then to the next, and so on.

        v = speed     turn = steering_gain alpha     alpha = atan2(goal - position) - theta, in [-pi, pi)

    `turn` is the steering angle of a Bicycle or the turn rate of a Unicycle. The next goal is drawn at the
    located instant when the vehicle comes within `reach` of the present goal, or passes it: a vehicle whose
    turning circle is too wide for a goal does not circle around it. Goals are uniform in the `area`, from -a
    to a in x and y, or from x0 to x1 and from y0 to y1; goal n depends only on the seed of the run, its
    scenario, the block's path and n. On its way the vehicle may leave the area. Raises ParameterError for an
    area without a size. Source: RandomPath of Corke, Robotics Toolbox, which has its own generator, and tests
    the goal only at the ends of its steps.

    Example:
        {type: RandomPath, area: [0, 20, 0, 10], speed: 1.0, steering_gain: 1.0}
    """

    icon = "waypoints"
    random: ClassVar = True
    inputs: ClassVar = (Port("pose", 3, "m, m, rad", "x, y and heading"),)
    outputs: ClassVar = (
        Port("v", 1, "m/s", "speed"),
        Port("turn", 1, "", "steering angle, or turn rate"),
        Port("goal", 2, "m", "where to", elements=XYZ[:2]),
        Port("count", 1, "", "number of goals reached or passed"),
    )
    states: ClassVar = (State("number", "first", held=True),)
    crossings: ClassVar = (
        Crossing("reached", +1),
        Crossing("passed", +1),
        Crossing("behind", +1),
        Crossing("across", +1),
    )

    area: Real = parameter(default=10.0, unit="m", doc="half its side, or x0, x1, y0, y1", dimensions=(0, 1))
    speed: Real = parameter(default=1.0, unit="m/s", doc="speed v", dimensions=(0,))
    steering_gain: Real = parameter(
        default=1.0, unit="[turn]/rad", doc="gain from alpha to turn", dimensions=(0,)
    )
    reach: Real = parameter(
        default=0.1, unit="m", doc="distance at which a goal is reached", above=0, dimensions=(0,)
    )

    def check(self) -> None:
        corners = self._corners()
        if corners.shape != (4,) or not (corners[0] < corners[1] and corners[2] < corners[3]):
            expected = "a number above 0, or x0, x1, y0, y1 with x0 < x1 and y0 < y1"
            raise ParameterError(self.kind(), "area", self.area, expected)

    def constants(self) -> dict[str, Array | float]:
        return {"first": 0.0, "corners": self._corners()}

    def _corners(self) -> Array:
        """x0, x1, y0, y1."""
        area = np.asarray(self.area, np.float64)
        return area if area.ndim else area * np.array([-1.0, 1.0, -1.0, 1.0])

    @staticmethod
    def crossing(mode: int, pose: Array, drawn: GoalDraw, reach: float) -> tuple[float, float, float, float]:
        ahead, left = to_goal(pose, drawn)
        behind, across = passes(mode, ahead, left)
        return reach - hypot(ahead, left), -ahead, behind, across

    @staticmethod
    def mode(mode: int, pose: Array, drawn: GoalDraw) -> int:
        ahead, left = to_goal(pose, drawn)
        return side(mode, ahead, left)

    @staticmethod
    def jump(pose: Array, drawn: GoalDraw, crossed_reached: int, crossed_passed: int) -> float:
        ahead, left = to_goal(pose, drawn)
        # A new goal may lie to the rear: it does not count as passed, and the vehicle turns to it.
        passed = crossed_passed == 1 and ahead > -BESIDE * abs(left)
        return drawn.number + 1.0 if crossed_reached == 1 or passed else drawn.number

    @staticmethod
    def output_v(speed: float) -> float:
        return speed

    @staticmethod
    def output_turn(mode: int, pose: Array, drawn: GoalDraw, steering_gain: float) -> float:
        ahead, left = to_goal(pose, drawn)
        return steering_gain * branch_angle(mode, ahead, left)

    @staticmethod
    def output_goal(drawn: GoalDraw, goal: Array) -> None:
        goal[0], goal[1] = goal_of(drawn)

    @staticmethod
    def output_count(number: float) -> float:
        return number
