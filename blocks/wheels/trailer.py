"""Trailer: a trailer that a vehicle on wheels pulls or pushes, until it jackknifes."""

from __future__ import annotations

from math import cos, pi, sin
from typing import ClassVar, NamedTuple

from ..contract.block import Block
from ..contract.capabilities import Body
from ..contract.errors import ParameterError
from ..contract.parameter import Array, Real, option, parameter
from ..contract.port import PLANAR, Crossing, Port, State


class Hitch(NamedTuple):
    """Motion of the vehicle, the angle between vehicle and trailer, and the place of the hitch."""

    speed: float
    turn_rate: float
    folded: float
    length: float
    hitch_offset: float


def turning(joint: Hitch) -> float:
    """The rate of turn of the trailer, rad/s."""
    pulled = joint.speed * sin(joint.folded)
    return (pulled - joint.hitch_offset * joint.turn_rate * cos(joint.folded)) / joint.length


class Trailer(Block):
    """A trailer with one axle, which follows the hitch of a vehicle without slip.

        dphi/dt = omega - omega_t     omega_t = (v sin(phi) - c omega cos(phi))/d     phi = theta - theta_t
        v_t = v cos(phi) + c omega sin(phi)

    v, omega and theta belong to the vehicle; `hitch_offset` c is the distance from its axle back to the
    hitch, `length` d from the hitch back to the trailer's axle. `pose`, `trailer_speed` and
    `trailer_turn_rate` belong to the trailer; a second trailer can be connected to them. When the trailer is
    pulled straight, tan(phi/2) decays as exp(-v t/d); when it is pushed, it grows. When |phi| reaches
    `jackknife` the trailer would hit the vehicle: this ends the run at that instant, with an error unless
    `tolerated`.
    Source: LaValle, Planning Algorithms (2006), section 13.1.2.4; Altafini, Some Properties of the General
    n-Trailer, International Journal of Control 74(4), 2001, 409-424.

    Example:
        {type: Trailer, length: 3.0, hitch_offset: 0.5}
    """

    icon = "trailer"
    inputs: ClassVar = (
        Port("towed_by", 3, "m, m, rad", "pose of the vehicle"),
        Port("speed", 1, "m/s", "of its axle"),
        Port("turn_rate", 1, "rad/s", "of its heading"),
    )
    outputs: ClassVar = (
        Port("pose", 3, "m, m, rad", "of the axle: x, y and heading", elements=PLANAR),
        Port("hitch_angle", 1, "rad", "heading of the vehicle minus the trailer's heading"),
        Port("trailer_speed", 1, "m/s", "of the axle"),
        Port("trailer_turn_rate", 1, "rad/s", "of the heading"),
    )
    states: ClassVar = (State("folded", "initial_angle", "rad"),)
    crossings: ClassVar = (Crossing("to_the_left", +1), Crossing("to_the_right", -1))
    ends_run: ClassVar = True

    length: Real = parameter(
        default=3.0, unit="m", doc="distance from the hitch to the axle", above=0, dimensions=(0,)
    )
    hitch_offset: Real = parameter(
        default=0.0, unit="m", doc="distance from the axle to the hitch", dimensions=(0,)
    )
    jackknife: Real = parameter(
        default=pi / 2, unit="rad", doc="hitch angle at which the two touch", above=0, maximum=pi,
        dimensions=(0,),
    )  # fmt: skip
    initial_angle: Real = parameter(default=0.0, unit="rad", doc="hitch angle at the start", dimensions=(0,))
    tolerated: bool = option(default=False, doc="whether a jackknife ends the run without an error")

    def check(self) -> None:
        if not abs(float(self.initial_angle)) < float(self.jackknife):  # type: ignore[arg-type]
            expected = f"less than the angle at which it jackknifes, {self.jackknife}"
            raise ParameterError(self.kind(), "initial_angle", self.initial_angle, expected)

    def failure(self) -> str | None:
        if self.tolerated:
            return None
        angle = float(self.jackknife) * 180.0 / pi  # type: ignore[arg-type]
        return (
            f"the trailer has jackknifed: its hitch angle has reached {angle:.4g} degrees\n"
            "drive forwards, steer against the fold when pushing, or set tolerated: true"
        )

    def bodies(self) -> tuple[Body, ...]:
        from ...robots.shapes.wheeled import trailer_body

        length = float(self.length)  # type: ignore[arg-type]
        return (Body(trailer_body(length, 0.45 * length, 0.1 * length), ("pose",)),)

    @staticmethod
    def derivative(joint: Hitch) -> float:
        return joint.turn_rate - turning(joint)

    @staticmethod
    def crossing(folded: float, jackknife: float) -> tuple[float, float]:
        return folded - jackknife, folded + jackknife

    @staticmethod
    def mode(folded: float, jackknife: float) -> int:
        return 1 if abs(folded) >= jackknife else 0

    @staticmethod
    def output_pose(towed_by: Array, folded: float, length: float, hitch_offset: float, pose: Array) -> None:
        theta = towed_by[2]
        pose[2] = theta - folded
        pose[0] = towed_by[0] - hitch_offset * cos(theta) - length * cos(pose[2])
        pose[1] = towed_by[1] - hitch_offset * sin(theta) - length * sin(pose[2])

    @staticmethod
    def output_hitch_angle(folded: float) -> float:
        return folded

    @staticmethod
    def output_trailer_speed(joint: Hitch) -> float:
        return joint.speed * cos(joint.folded) + joint.hitch_offset * joint.turn_rate * sin(joint.folded)

    @staticmethod
    def output_trailer_turn_rate(joint: Hitch) -> float:
        return turning(joint)
