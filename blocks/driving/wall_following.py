"""WallFollowing: driving along a wall at a distance, by two beams."""

from __future__ import annotations

from math import atan, cos, pi, sin, sqrt
from typing import ClassVar, NamedTuple

from ..contract.block import Block
from ..contract.parameter import Real, option, parameter
from ..contract.port import Port


class Beams(NamedTuple):
    """The measurements of the wall."""

    beside: float
    ahead: float
    beam_angle: float


class Law(NamedTuple):
    """Distance and gains of wall following."""

    distance: float
    distance_gain: float
    heading_gain: float
    way: float


def slope(beams: Beams) -> float:
    """The tangent of the angle between wall and heading, positive if the wall leads away."""
    return (beams.ahead * cos(beams.beam_angle) - beams.beside) / (beams.ahead * sin(beams.beam_angle))


def wall_distance(beams: Beams) -> float:
    """The distance from the wall, m."""
    return beams.beside / sqrt(1.0 + slope(beams) ** 2)


def bend(beams: Beams, law: Law) -> float:
    """The required curvature of the path, 1/m."""
    tangent = slope(beams)
    error = wall_distance(beams) - law.distance
    inwards = law.distance_gain * error * sqrt(1.0 + tangent * tangent) + law.heading_gain * tangent
    return law.way * inwards


class WallFollowing(Block):
    """Follows a wall at a given distance, by the ranges of a beam to the side and of a beam further ahead.

        tan(delta) = (ahead cos(beam_angle) - beside)/(ahead sin(beam_angle))     D = beside cos(delta)
        k = +-(distance_gain (D - distance) + heading_gain sin(delta))/cos(delta)
        omega = v k     gamma = atan(wheelbase k)

    with the plus sign for a wall on the left; delta is the angle between wall and heading, positive if the
    wall leads away. Along a straight wall, as a function of the distance driven, D'' + heading_gain D' +
    distance_gain (D - distance) = 0, exactly and at any speed, as long as the vehicle follows its commands.
    Both beams must meet the same wall. For ranges of 0 the angle is undefined: end the run earlier. Source:
    the linearizing law of Bemporad, Di Marco, Tesi, Sonar-Based Wall-Following Control of Mobile Robots,
    Journal of Dynamic Systems, Measurement, and Control 122(1), 2000, 226-230, doi:10.1115/1.482468, over
    distance instead of time.

    Example:
        {type: WallFollowing, side: left, distance: 0.5, speed: 0.3}
    """

    icon = "along a wall"
    inputs: ClassVar = (
        Port("beside", 1, "m", "range at right angles to the heading"),
        Port("ahead", 1, "m", "range of the beam that is turned forwards by beam_angle"),
    )
    outputs: ClassVar = (
        Port("v", 1, "m/s", "speed"),
        Port("gamma", 1, "rad", "steering angle of a bicycle"),
        Port("omega", 1, "rad/s", "rate of turn"),
        Port("wall", 1, "m", "distance from the wall"),
        Port("delta", 1, "rad", "angle between wall and heading, positive if the wall leads away"),
    )

    side: str = option(default="left", doc="side of the wall", choices=("left", "right"))
    distance: Real = parameter(
        default=0.5, unit="m", doc="desired distance from the wall", above=0, dimensions=(0,)
    )
    speed: Real = parameter(default=0.5, unit="m/s", doc="speed v", dimensions=(0,))
    beam_angle: Real = parameter(
        default=pi / 4, unit="rad", doc="angle between the beams", above=0, maximum=pi / 2, dimensions=(0,)
    )
    distance_gain: Real = parameter(default=4.0, unit="1/m2", doc="gain from D to curvature", dimensions=(0,))
    heading_gain: Real = parameter(
        default=4.0, unit="1/m", doc="gain from delta to curvature", dimensions=(0,)
    )
    wheelbase: Real = parameter(
        default=1.0, unit="m", doc="wheelbase of the bicycle", above=0, dimensions=(0,)
    )

    def constants(self) -> dict[str, float]:
        return {"way": 1.0 if self.side == "left" else -1.0}

    @staticmethod
    def output_v(speed: float) -> float:
        return speed

    @staticmethod
    def output_gamma(beams: Beams, law: Law, wheelbase: float) -> float:
        return atan(wheelbase * bend(beams, law))

    @staticmethod
    def output_omega(beams: Beams, law: Law, speed: float) -> float:
        return speed * bend(beams, law)

    @staticmethod
    def output_wall(beams: Beams) -> float:
        return wall_distance(beams)

    @staticmethod
    def output_delta(beams: Beams) -> float:
        return atan(slope(beams))
