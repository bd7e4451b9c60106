"""Bicycle: a vehicle that steers with its front wheel, without slip."""

from __future__ import annotations

from collections.abc import Mapping
from math import cos, inf, pi, tan
from typing import Any, ClassVar, NamedTuple

from ..contract.capabilities import Body
from ..contract.errors import ParameterError
from ..contract.parameter import Array, Real, parameter
from ..contract.port import Port
from .limited_demand import BRANCHES, driven
from .two_drives import (
    Speed,
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


class Steering(NamedTuple):
    """The steering."""

    gamma: float
    steering_ramp: float
    rightmost: float
    leftmost: float
    swing: float
    swing_back: float


class LastOutputs(NamedTuple):
    """Last outputs, and flags that mark ramps."""

    speed_ramps: float
    speed_before: float
    steering_ramps: float
    steering_before: float


class Crossings(NamedTuple):
    """Crossings at this event."""

    crossed_speed_met: int
    crossed_speed_faster: int
    crossed_speed_slower: int
    crossed_steering_met: int
    crossed_steering_faster: int
    crossed_steering_slower: int


class Bicycle(RollingVehicle):
    """The kinematic car: the point between its rear wheels moves where the car points.

        dx/dt = v cos(theta)     dy/dt = v sin(theta)     dtheta/dt = v tan(gamma) / wheelbase

    v and gamma are the demands within limits. v stays between -reverse_limit and speed_limit; |v| grows by at
    most `acceleration` and shrinks by at most `braking`; |gamma| stays below `steering_limit`, and changes at
    no more than `steering_rate`. Within all limits the vehicle follows the demand without lag; every limit is
    a mode, reached and left at located instants. Limited rates begin at `initial_speed` and
    `initial_steering`.

    While the steering is constant the path is a circle or a line: the pose is then exact to rounding, at any
    tolerance and for any changes of speed. The states hold the deviation of the vehicle from the arc that
    began at the last event. No input feeds through to the pose. `wheel_rates` are the rates of the front and
    the rear wheel, v / (r cos(gamma)) and v / r. Raises ParameterError for a steering limit of 90 degrees or
    more, where the model breaks down. Source: Corke, Robotics, Vision and Control (2017), section 4.1.1;
    LaValle, Planning Algorithms (2006), section 13.1.2.1.

    Example:
        {type: Bicycle, wheelbase: 2.7, speed_limit: 10.0, acceleration: 2.0, steering_rate: 0.6}
    """

    icon = "car"
    inputs: ClassVar = (Port("v", 1, "m/s", "speed of the rear axle"), Port("gamma", 1, "rad", "steering"))
    outputs: ClassVar = (
        *POSE,
        Port("speed", 1, "m/s", "of the rear axle"),
        Port("steering", 1, "rad", "to the left"),
        Port("turn_rate", 1, "rad/s", "of the heading"),
        *DISTANCE,
        Port("wheel_rates", 2, "rad/s", "of the front and the rear wheel", elements=("front", "rear")),
    )
    states: ClassVar = (
        *WAY_STATES,
        *drive_states("speed", "initial_speed", "m/s"),
        *drive_states("steering", "initial_steering", "rad"),
    )
    crossings: ClassVar = (*NEW_ARC, *drive_crossings("speed"), *drive_crossings("steering"))

    wheelbase: Real | None = parameter(
        default=None,
        unit="m",
        doc="distance from the rear axle to the front axle; default: 1 m",
        above=0,
        dimensions=(0,),
    )
    wheel_radius: Real | None = parameter(
        default=None, unit="m", doc="radius of both wheels; default: 0.3 m", above=0, dimensions=(0,)
    )
    speed_limit: Real | None = parameter(
        default=None, unit="m/s", doc="maximum v; default: no limit", above=0, infinite=True, dimensions=(0,)
    )
    reverse_limit: Real | None = parameter(
        default=None,
        unit="m/s",
        doc="maximum -v; default: speed_limit",
        minimum=0,
        infinite=True,
        dimensions=(0,),
    )
    acceleration: Real | None = parameter(
        default=None, unit="m/s2", doc="maximum rate of increase of |v|; default: no limit", above=0,
        infinite=True, dimensions=(0,),
    )  # fmt: skip
    braking: Real | None = parameter(
        default=None, unit="m/s2", doc="maximum rate of decrease of |v|; default: acceleration", above=0,
        infinite=True, dimensions=(0,),
    )  # fmt: skip
    steering_limit: Real | None = parameter(
        default=None,
        unit="rad",
        doc="maximum |gamma|, less than pi/2; default: 1 rad",
        above=0,
        dimensions=(0,),
    )
    steering_rate: Real | None = parameter(
        default=None,
        unit="rad/s",
        doc="maximum |dgamma/dt|; default: no limit",
        above=0,
        infinite=True,
        dimensions=(0,),
    )
    slip: Real = parameter(
        default=0.0, unit="1", doc="fraction of v that the wheels lose", maximum=1, dimensions=(0,)
    )
    initial_speed: Real = parameter(default=0.0, unit="m/s", doc="v at the start", dimensions=(0,))
    initial_steering: Real = parameter(default=0.0, unit="rad", doc="gamma at the start", dimensions=(0,))

    ordinary: ClassVar = {
        "wheelbase": 1.0, "wheel_radius": 0.3, "speed_limit": inf, "acceleration": inf, "steering_limit": 1.0,
        "steering_rate": inf,
    }  # fmt: skip

    def check(self) -> None:
        super().check()
        greatest = self.number("steering_limit")
        if not greatest < pi / 2:
            expected = "less than pi/2: a wheel across the vehicle cannot roll, tan(gamma) is infinite there"
            raise ParameterError(self.kind(), "steering_limit", self.steering_limit, expected)
        if not abs(float(self.initial_steering)) <= greatest:  # type: ignore[arg-type]
            expected = f"at most the steering limit, {greatest:g}"
            raise ParameterError(self.kind(), "initial_steering", self.initial_steering, expected)

    def constants(self) -> Mapping[str, Any]:
        angle, swing = self.number("steering_limit"), self.number("steering_rate")
        return {
            **super().constants(),
            "L": self.number("wheelbase"), "r": self.number("wheel_radius"),
            "least_speed": -self.number("reverse_limit", "speed_limit"),
            "greatest_speed": self.number("speed_limit"),
            "gain": self.number("acceleration"), "loss": self.number("braking", "acceleration"),
            "rightmost": -angle, "leftmost": angle, "swing": swing, "swing_back": swing,
        }  # fmt: skip

    def bodies(self) -> tuple[Body, ...]:
        from ...robots.shapes.wheeled import car_body

        wheelbase = self.number("wheelbase")
        return (Body(car_body(wheelbase, 0.55 * wheelbase, self.number("wheel_radius")), ("pose",)),)

    @staticmethod
    def derivative(
        mode: int, way: RollingMotion, drive: Speed, wheel: Steering, L: float, slip: float
    ) -> tuple[float, float, float, float, float, float]:
        speed, gamma = drive_outputs(mode, drive, wheel)
        v = (1.0 - slip) * speed
        dx, dy = deviation_rate(way, v)
        speeding, swinging = ramps(mode, drive, wheel)
        return v, v * tan(gamma) / L, dx, dy, speeding, swinging

    @staticmethod
    def crossing(mode: int, way: RollingMotion, drive: Speed, wheel: Steering) -> tuple[float, ...]:
        one, two = crossings(mode, way.t, drive, wheel)
        return (leaving(way), *one, *two)

    @staticmethod
    def mode(mode: int, t: float, drive: Speed, wheel: Steering, before: LastOutputs, now: Crossings) -> int:
        return next_mode(mode, t, drive, wheel, before, now)

    @staticmethod
    def jump(
        mode: int,
        way: RollingMotion,
        drive: Speed,
        wheel: Steering,
        before: LastOutputs,
        L: float,
        slip: float,
    ) -> tuple[float, ...]:
        one, two = ramp_starts(mode, drive, wheel, before)
        speed, gamma = outputs_after_event(mode, drive, wheel, one, two)
        speeding, swinging = ramps(mode, drive, wheel)
        v, curvature = (1.0 - slip) * speed, tan(gamma) / L
        gain = (1.0 - slip) * speeding if swinging == 0.0 else 0.0
        return (
            *new_arc(way, v, v * curvature, gain, gain * curvature),
            *states_after_event(mode, one, two, before),
        )

    @staticmethod
    def output_speed(mode: int, drive: Speed) -> float:
        return driven(mode % BRANCHES, drive.v, drive.speed_ramp, drive.least_speed, drive.greatest_speed)

    @staticmethod
    def output_steering(mode: int, wheel: Steering) -> float:
        return driven(mode // BRANCHES, wheel.gamma, wheel.steering_ramp, wheel.rightmost, wheel.leftmost)

    @staticmethod
    def output_turn_rate(mode: int, drive: Speed, wheel: Steering, L: float, slip: float) -> float:
        speed, gamma = drive_outputs(mode, drive, wheel)
        return (1.0 - slip) * speed * tan(gamma) / L

    @staticmethod
    def output_wheel_rates(mode: int, drive: Speed, wheel: Steering, r: float, wheel_rates: Array) -> None:
        speed, gamma = drive_outputs(mode, drive, wheel)
        wheel_rates[0] = speed / (r * cos(gamma))
        wheel_rates[1] = speed / r
