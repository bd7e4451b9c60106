"""DifferentialDrive: two wheels on one axle, driven independently."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ..contract.capabilities import Body
from ..contract.errors import ParameterError
from ..contract.parameter import Array, Real, parameter
from ..contract.port import Port
from .limited_demand import BRANCHES, driven
from .two_drives import (
    crossings,
    drive_crossings,
    drive_outputs,
    drive_states,
    next_mode,
    outputs_after_event,
    ramp_starts,
    ramps,
    states_after_event,
)
from .way import DISTANCE, NEW_ARC, POSE, WAY_STATES, RollingMotion, deviation_rate, leaving, new_arc
from .wheeled import RollingVehicle


class LeftWheel(NamedTuple):
    """The drive of the left wheel."""

    left: float
    left_rate_ramp: float
    slowest: float
    fastest: float
    gain: float
    loss: float


class Right(NamedTuple):
    """The drive of the right wheel."""

    right: float
    right_rate_ramp: float
    slowest: float
    fastest: float
    gain: float
    loss: float


class Axle(NamedTuple):
    """Distance per turn of each wheel, m/rad, and the track."""

    roll_left: float
    roll_right: float
    W: float


class LastOutputs(NamedTuple):
    """Last outputs, and flags that mark ramps."""

    left_rate_ramps: float
    left_rate_before: float
    right_rate_ramps: float
    right_rate_before: float


class Crossings(NamedTuple):
    """Crossings at this event."""

    crossed_left_rate_met: int
    crossed_left_rate_faster: int
    crossed_left_rate_slower: int
    crossed_right_rate_met: int
    crossed_right_rate_faster: int
    crossed_right_rate_slower: int


class DifferentialDrive(RollingVehicle):
    """Two independently driven wheels on one axle; the pose is at the middle of the axle.

        v = (r_R w_R + r_L w_L)/2     dtheta/dt = (r_R w_R - r_L w_L)/track
        dx/dt = v cos(theta)          dy/dt = v sin(theta)

    w_L and w_R are the demands within limits: |w| stays below `wheel_rate_limit`, grows by at most
    `wheel_acceleration` and shrinks by at most `wheel_braking`. Within the limits the wheels follow the
    demand without lag; every limit is a mode, reached and left at located instants. `wheel_radius` and
    `slip`, the fraction of its distance that a wheel loses, are one number, or one number for each wheel,
    left and right: r = wheel_radius (1 - slip). `wheel_angles` are the angles that encoders would measure,
    regardless of slip.

    While the wheel rates are constant the path is a circle or a line: the pose is then exact to rounding, at
    any tolerance. The states hold the deviation of the vehicle from the arc that began at the last event. No
    input feeds through to the pose. Source: LaValle, Planning Algorithms (2006), section 13.1.2.2; Siegwart,
    Nourbakhsh, Introduction to Autonomous Mobile Robots (2004), section 3.2.2.

    Example:
        {type: DifferentialDrive, wheel_radius: 0.033, track: 0.16, wheel_rate_limit: 6.67}
    """

    icon = "differential drive"
    inputs: ClassVar = (
        Port("left", 1, "rad/s", "desired rate of the left wheel"),
        Port("right", 1, "rad/s", "desired rate of the right wheel"),
    )
    outputs: ClassVar = (
        *POSE,
        Port("speed", 1, "m/s"),
        Port("turn_rate", 1, "rad/s", "of the heading"),
        *DISTANCE,
        Port("left_rate", 1, "rad/s", "of the left wheel"),
        Port("right_rate", 1, "rad/s", "of the right wheel"),
        Port(
            "wheel_angles",
            2,
            "rad",
            "of the left and the right wheel since the start",
            elements=("left", "right"),
        ),
    )
    states: ClassVar = (
        *WAY_STATES,
        *drive_states("left_rate", "initial_left", "rad/s"),
        *drive_states("right_rate", "initial_right", "rad/s"),
    )
    crossings: ClassVar = (*NEW_ARC, *drive_crossings("left_rate"), *drive_crossings("right_rate"))

    wheel_radius: Real | None = parameter(
        default=None, unit="m", doc="one number or left, right; default: 0.05 m", above=0, dimensions=(0, 1)
    )
    track: Real | None = parameter(
        default=None, unit="m", doc="distance from wheel to wheel; default: 0.3 m", above=0, dimensions=(0,)
    )
    wheel_rate_limit: Real | None = parameter(
        default=None,
        unit="rad/s",
        doc="maximum |w|; default: no limit",
        above=0,
        infinite=True,
        dimensions=(0,),
    )
    wheel_acceleration: Real | None = parameter(
        default=None, unit="rad/s2", doc="maximum rate of increase of |w|; default: no limit", above=0,
        infinite=True, dimensions=(0,),
    )  # fmt: skip
    wheel_braking: Real | None = parameter(
        default=None, unit="rad/s2", doc="maximum rate of decrease of |w|; default: wheel_acceleration",
        above=0, infinite=True, dimensions=(0,),
    )  # fmt: skip
    slip: Real = parameter(
        default=0.0,
        unit="1",
        doc="fraction of the distance lost; one number or left, right",
        maximum=1,
        dimensions=(0, 1),
    )
    initial_rates: Real = parameter(
        default=[0.0, 0.0],
        unit="rad/s",
        doc="rates of the left and the right wheel at the start",
        dimensions=(1,),
    )

    ordinary: ClassVar = {
        "wheel_radius": 0.05, "track": 0.3, "wheel_rate_limit": inf, "wheel_acceleration": inf,
    }  # fmt: skip

    def check(self) -> None:
        super().check()
        if np.shape(self.initial_rates) != (2,):  # type: ignore[arg-type]
            raise ParameterError(self.kind(), "initial_rates", self.initial_rates, "two numbers")
        for name in ("wheel_radius", "slip"):
            value = getattr(self, name)
            if value is not None and np.shape(value) not in ((), (2,)):
                raise ParameterError(self.kind(), name, value, "a number, or two: left, right")
        if np.max(np.asarray(self.slip, np.float64)) >= 1.0:
            expected = "less than 1: the encoder count follows from the distance, which would be 0"
            raise ParameterError(self.kind(), "slip", self.slip, expected)

    def constants(self) -> Mapping[str, Any]:
        radius = self.number("wheel_radius")
        left, right = np.broadcast_to(radius * (1.0 - np.asarray(self.slip, np.float64)), (2,))
        fastest, start = self.number("wheel_rate_limit"), np.asarray(self.initial_rates, np.float64)
        return {
            **super().constants(),
            "roll_left": float(left), "roll_right": float(right), "W": self.number("track"),
            "slowest": -fastest, "fastest": fastest,
            "gain": self.number("wheel_acceleration"),
            "loss": self.number("wheel_braking", "wheel_acceleration"),
            "initial_left": float(start[0]), "initial_right": float(start[1]),
        }  # fmt: skip

    def bodies(self) -> tuple[Body, ...]:
        from ...robots.shapes.wheeled import round_body

        return (
            Body(round_body(self.number("track"), float(np.max(self.number("wheel_radius")))), ("pose",)),
        )

    @staticmethod
    def derivative(
        mode: int, way: RollingMotion, one: LeftWheel, two: Right, axle: Axle
    ) -> tuple[float, float, float, float, float, float]:
        left, right = drive_outputs(mode, one, two)
        v, omega = twist(left, right, axle)
        dx, dy = deviation_rate(way, v)
        faster_left, faster_right = ramps(mode, one, two)
        return v, omega, dx, dy, faster_left, faster_right

    @staticmethod
    def crossing(mode: int, way: RollingMotion, one: LeftWheel, two: Right) -> tuple[float, ...]:
        first, second = crossings(mode, way.t, one, two)
        return (leaving(way), *first, *second)

    @staticmethod
    def mode(mode: int, t: float, one: LeftWheel, two: Right, before: LastOutputs, now: Crossings) -> int:
        return next_mode(mode, t, one, two, before, now)

    @staticmethod
    def jump(
        mode: int, way: RollingMotion, one: LeftWheel, two: Right, before: LastOutputs, axle: Axle
    ) -> tuple[float, ...]:
        first, second = ramp_starts(mode, one, two, before)
        left, right = outputs_after_event(mode, one, two, first, second)
        v, omega = twist(left, right, axle)
        return (*new_arc(way, v, omega, 0.0, 0.0), *states_after_event(mode, first, second, before))

    @staticmethod
    def output_speed(mode: int, one: LeftWheel, two: Right, axle: Axle) -> float:
        left, right = drive_outputs(mode, one, two)
        return twist(left, right, axle)[0]

    @staticmethod
    def output_turn_rate(mode: int, one: LeftWheel, two: Right, axle: Axle) -> float:
        left, right = drive_outputs(mode, one, two)
        return twist(left, right, axle)[1]

    @staticmethod
    def output_left_rate(mode: int, one: LeftWheel) -> float:
        return driven(mode % BRANCHES, one.left, one.left_rate_ramp, one.slowest, one.fastest)

    @staticmethod
    def output_right_rate(mode: int, two: Right) -> float:
        return driven(mode // BRANCHES, two.right, two.right_rate_ramp, two.slowest, two.fastest)

    @staticmethod
    def output_wheel_angles(
        rolled: float, turned: float, heading0: float, axle: Axle, wheel_angles: Array
    ) -> None:
        around = 0.5 * axle.W * (turned - heading0)
        wheel_angles[0] = (rolled - around) / axle.roll_left
        wheel_angles[1] = (rolled + around) / axle.roll_right


def twist(left: float, right: float, axle: Axle) -> tuple[float, float]:
    """Speed and rate of turn, m/s and rad/s, from the rates of both wheels."""
    one, two = axle.roll_left * left, axle.roll_right * right
    return 0.5 * (one + two), (two - one) / axle.W
