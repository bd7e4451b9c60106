"""DifferentialWheels: the rates of two wheels that move a vehicle at a speed and a turn rate."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ..contract.errors import ParameterError
from ..contract.parameter import Real, parameter
from ..contract.port import Crossing, Port
from .of_library import OfLibrary


class Axle(NamedTuple):
    """The angle of each wheel per distance, rad/m, half the track, m, and the maximum rate, rad/s."""

    left_turn: float
    right_turn: float
    half_track: float
    greatest: float


def wheel_rates(v: float, omega: float, axle: Axle) -> tuple[float, float]:
    """The rates of the left and the right wheel without limits, rad/s."""
    return (v - axle.half_track * omega) * axle.left_turn, (v + axle.half_track * omega) * axle.right_turn


def share(mode: int, v: float, omega: float, axle: Axle) -> float:
    """The fraction of the demand that the limit allows."""
    if mode == 0:
        return 1.0
    left, right = wheel_rates(v, omega, axle)
    return axle.greatest / abs(left if mode == 1 else right)


class DifferentialWheels(OfLibrary):
    """The wheel rates of a DifferentialDrive for a speed and a turn rate.

        w_L = c (v - omega track/2)/r_L    w_R = c (v + omega track/2)/r_R

    with c = min(1, wheel_rate_limit/max |w|). If a wheel is at its limit, both slow down by the same
    factor, so that the curvature is kept; the instants at which the limit is reached and left, and at which
    the other wheel becomes the faster one, are located. `wheel_radius`, one number or left and right, and
    `track` are as in DifferentialDrive; to model errors, use different numbers. Source: Siegwart, Nourbakhsh,
    Introduction to Autonomous Mobile Robots (2004), section 3.2.2.

    Example:
        {type: DifferentialWheels, vehicle: turtlebot3-burger}
    """

    icon = "mixer"
    inputs: ClassVar = (Port("v", 1, "m/s", "speed"), Port("omega", 1, "rad/s", "rate of turn"))
    outputs: ClassVar = (
        Port("left", 1, "rad/s", "rate of the left wheel"),
        Port("right", 1, "rad/s", "rate of the right wheel"),
    )
    crossings: ClassVar = (Crossing("limit"), Crossing("faster", +1))

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

    vehicle_type: ClassVar = "DifferentialDrive"
    ordinary: ClassVar = {"wheel_radius": 0.05, "track": 0.3, "wheel_rate_limit": inf}

    def check(self) -> None:
        super().check()
        if self.wheel_radius is not None and np.shape(np.asarray(self.wheel_radius)) not in ((), (2,)):
            expected = "a number, or two: left, right"
            raise ParameterError(self.kind(), "wheel_radius", self.wheel_radius, expected)

    def constants(self) -> Mapping[str, Any]:
        left, right = np.broadcast_to(self.number("wheel_radius"), (2,)).tolist()
        return {
            "left_turn": 1.0 / left, "right_turn": 1.0 / right, "half_track": 0.5 * self.number("track"),
            "greatest": self.number("wheel_rate_limit"),
        }  # fmt: skip

    @staticmethod
    def crossing(mode: int, v: float, omega: float, axle: Axle) -> tuple[float, float]:
        if axle.greatest == inf:
            return -1.0, -1.0
        left, right = wheel_rates(v, omega, axle)
        left, right = abs(left), abs(right)
        if mode == 0:
            return max(left, right) - axle.greatest, -1.0
        return max(left, right) - axle.greatest, right - left if mode == 1 else left - right

    @staticmethod
    def mode(v: float, omega: float, axle: Axle) -> int:
        """0: within the limit; 1 or 2: the left or the right wheel is the faster, and at its limit."""
        left, right = wheel_rates(v, omega, axle)
        if max(abs(left), abs(right)) <= axle.greatest:
            return 0
        return 1 if abs(left) >= abs(right) else 2

    @staticmethod
    def output_left(mode: int, v: float, omega: float, axle: Axle) -> float:
        return share(mode, v, omega, axle) * wheel_rates(v, omega, axle)[0]

    @staticmethod
    def output_right(mode: int, v: float, omega: float, axle: Axle) -> float:
        return share(mode, v, omega, axle) * wheel_rates(v, omega, axle)[1]
