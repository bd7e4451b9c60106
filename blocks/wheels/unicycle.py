"""Unicycle: a wheel that rolls without slipping on the plane."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import Any, ClassVar, NamedTuple

from ..contract.capabilities import Body
from ..contract.parameter import Real, parameter
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


class TurnRate(NamedTuple):
    """The turn rate demand, its ramp and limits."""

    omega: float
    turn_rate_ramp: float
    rightmost: float
    leftmost: float
    swing: float
    swing_back: float


class LastOutputs(NamedTuple):
    """Last outputs, and flags that mark ramps."""

    speed_ramps: float
    speed_before: float
    turn_rate_ramps: float
    turn_rate_before: float


class Crossings(NamedTuple):
    """Crossings at this event."""

    crossed_speed_met: int
    crossed_speed_faster: int
    crossed_speed_slower: int
    crossed_turn_rate_met: int
    crossed_turn_rate_faster: int
    crossed_turn_rate_slower: int


class Unicycle(RollingVehicle):
    """A wheel that rolls without slipping, or any vehicle with its speed and turn rate as inputs.

        dx/dt = v cos(theta)     dy/dt = v sin(theta)     dtheta/dt = omega

    v and omega are the demands within limits. v stays between -reverse_limit and speed_limit; |v| grows by at
    most `acceleration` and shrinks by at most `braking`; |omega| stays below `turn_limit`, and changes by at
    most `turn_acceleration`. Within all limits the vehicle follows the demand without lag; every limit is a
    mode, reached and left at located instants. Limited rates begin at `initial_speed` and
    `initial_turn_rate`.

    While v and omega are constant, or omega is zero, the path is a circle or a line: the pose is then exact
    to rounding, at any tolerance. The states hold the deviation of the vehicle from the arc that began at the
    last event. No input feeds through to the pose. Source: LaValle, Planning Algorithms (2006), section
    13.1.2.2.

    Example:
        {type: Unicycle, speed_limit: 1.0, acceleration: 0.5, turn_limit: 2.0}
    """

    icon = "unicycle"
    inputs: ClassVar = (Port("v", 1, "m/s", "speed"), Port("omega", 1, "rad/s", "turn rate to the left"))
    outputs: ClassVar = (
        *POSE,
        Port("speed", 1, "m/s"),
        Port("turn_rate", 1, "rad/s", "of the heading"),
        *DISTANCE,
    )
    states: ClassVar = (
        *WAY_STATES,
        *drive_states("speed", "initial_speed", "m/s"),
        *drive_states("turn_rate", "initial_turn_rate", "rad/s"),
    )
    crossings: ClassVar = (*NEW_ARC, *drive_crossings("speed"), *drive_crossings("turn_rate"))

    speed_limit: Real = parameter(
        default=inf, unit="m/s", doc="maximum v", above=0, infinite=True, dimensions=(0,)
    )
    reverse_limit: Real | None = parameter(
        default=None,
        unit="m/s",
        doc="maximum -v; default: speed_limit",
        minimum=0,
        infinite=True,
        dimensions=(0,),
    )
    acceleration: Real = parameter(
        default=inf, unit="m/s2", doc="maximum rate of increase of |v|", above=0, infinite=True,
        dimensions=(0,),
    )  # fmt: skip
    braking: Real | None = parameter(
        default=None, unit="m/s2", doc="maximum rate of decrease of |v|; default: acceleration", above=0,
        infinite=True, dimensions=(0,),
    )  # fmt: skip
    turn_limit: Real = parameter(
        default=inf, unit="rad/s", doc="maximum |omega|", above=0, infinite=True, dimensions=(0,)
    )
    turn_acceleration: Real = parameter(
        default=inf, unit="rad/s2", doc="maximum |domega/dt|", above=0, infinite=True, dimensions=(0,)
    )
    initial_speed: Real = parameter(default=0.0, unit="m/s", doc="v at the start", dimensions=(0,))
    initial_turn_rate: Real = parameter(default=0.0, unit="rad/s", doc="omega at the start", dimensions=(0,))

    def constants(self) -> Mapping[str, Any]:
        turn, swing = self.number("turn_limit"), self.number("turn_acceleration")
        return {
            **super().constants(),
            "least_speed": -self.number("reverse_limit", "speed_limit"),
            "greatest_speed": self.number("speed_limit"),
            "gain": self.number("acceleration"), "loss": self.number("braking", "acceleration"),
            "rightmost": -turn, "leftmost": turn, "swing": swing, "swing_back": swing,
        }  # fmt: skip

    def bodies(self) -> tuple[Body, ...]:
        from ...robots.shapes.wheeled import round_body

        return (Body(round_body(0.4, 0.08), ("pose",)),)

    @staticmethod
    def derivative(
        mode: int, way: RollingMotion, drive: Speed, turning: TurnRate
    ) -> tuple[float, float, float, float, float, float]:
        v, omega = drive_outputs(mode, drive, turning)
        dx, dy = deviation_rate(way, v)
        speeding, swinging = ramps(mode, drive, turning)
        return v, omega, dx, dy, speeding, swinging

    @staticmethod
    def crossing(mode: int, way: RollingMotion, drive: Speed, turning: TurnRate) -> tuple[float, ...]:
        one, two = crossings(mode, way.t, drive, turning)
        return (leaving(way), *one, *two)

    @staticmethod
    def mode(
        mode: int, t: float, drive: Speed, turning: TurnRate, before: LastOutputs, now: Crossings
    ) -> int:
        return next_mode(mode, t, drive, turning, before, now)

    @staticmethod
    def jump(
        mode: int, way: RollingMotion, drive: Speed, turning: TurnRate, before: LastOutputs
    ) -> tuple[float, ...]:
        one, two = ramp_starts(mode, drive, turning, before)
        v, omega = outputs_after_event(mode, drive, turning, one, two)
        gain = ramps(mode, drive, turning)[0] if omega == 0.0 else 0.0
        return (*new_arc(way, v, omega, gain, 0.0), *states_after_event(mode, one, two, before))

    @staticmethod
    def output_speed(mode: int, drive: Speed) -> float:
        return driven(mode % BRANCHES, drive.v, drive.speed_ramp, drive.least_speed, drive.greatest_speed)

    @staticmethod
    def output_turn_rate(mode: int, turning: TurnRate) -> float:
        return driven(
            mode // BRANCHES, turning.omega, turning.turn_rate_ramp, turning.rightmost, turning.leftmost
        )
