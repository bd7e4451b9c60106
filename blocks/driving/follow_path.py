"""FollowPath: along a path, as fast as limits of speed and acceleration allow."""

from __future__ import annotations

from functools import cached_property
from math import atan, cos, inf, sin, sqrt
from typing import ClassVar, NamedTuple

import numpy as np

from ...robots.wheels.pieces import point
from ...robots.wheels.speed_profile import speed_profile
from ..contract.errors import ParameterError
from ..contract.parameter import Array, Real, parameter
from ..contract.port import Crossing, Port
from .nearest_on_path import SIDES, NearestOnPath, Ride, angle, onto, watched

SMALL = 1e-4  # rad, below it the series of sin(x)/x, whose first term left out is below 1e-17


class Law(NamedTuple):
    """The gains of the steering."""

    offset_gain: float
    heading_gain: float


def allowed(mode: int, ride: Ride) -> float:
    """The speed of the profile at the nearest point, m/s."""
    number = mode // SIDES
    i, s, _ = onto(number, ride)
    if number % 2 == 1 and i == ride.pieces.shape[0] - 1 and number > 1:
        return sqrt(ride.pieces[i, 7])
    return sqrt(max(0.0, ride.pieces[i, 5] + ride.pieces[i, 6] * s))


def driven(t: float, mode: int, ride: Ride, acceleration: float) -> float:
    """The speed, m/s."""
    return min(allowed(mode, ride), acceleration * t)


def bend(mode: int, ride: Ride, law: Law) -> float:
    """The curvature that the vehicle is to drive, 1/m."""
    number = mode // SIDES
    i, _, offset = onto(number, ride)
    error = -angle(mode, ride)
    curvature = ride.pieces[i, 3] if number > 1 and number % 2 == 0 else 0.0
    part = sin(error) / error if abs(error) > SMALL else 1.0 - error * error / 6.0
    ahead = curvature * cos(error) / (1.0 - curvature * offset)
    return ahead - law.offset_gain * offset * part - law.heading_gain * error


class FollowPath(NearestOnPath):
    """Follows a path forwards, with a speed profile along it.

        k = kappa cos(psi)/(1 - kappa e) - offset_gain e sin(psi)/psi - heading_gain psi,     psi = -alpha
        omega = v k     gamma = atan(wheelbase k)     v = min(v(s), acceleration t)

    with the offset e, to the left, and the curvature kappa of the nearest point. v(s) is the greatest profile
    with v <= speed, v^2 |kappa| <= side_acceleration, and rates of at most `acceleration` and `braking`. The
    vehicle starts at rest at t = 0; at the end of the path v is `final_speed`. All kinks of the profile are
    events. Over the way that is driven, small errors obey e'' + heading_gain e' + offset_gain e
    = 0 at any speed. `rest` is what is left of the path.

    Raises ParameterError for a corner where there is a limit of side acceleration. Source: Canudas de Wit,
    Khennouf, Samson, Sordalen, Nonlinear Control Design for Mobile Robots, in: Recent Trends in Mobile
    Robots, World Scientific, 1993, 121-156; for the speed see `robots.wheels.speed_profile`.

    Example:
        {type: FollowPath, spline: [[0, 0], [5, 1], [8, 5]], speed: 2.0, side_acceleration: 1.0}
    """

    icon = "along a path"
    outputs: ClassVar[tuple[Port, ...]] = (
        Port("v", 1, "m/s", "speed"),
        Port("gamma", 1, "rad", "steering angle of a bicycle"),
        Port("omega", 1, "rad/s", "rate of turn"),
        Port("rest", 1, "m", "left of the path"),
        *NearestOnPath.outputs,
    )
    crossings: ClassVar[tuple[Crossing, ...]] = (*NearestOnPath.crossings, Crossing("started", +1))

    speed: Real = parameter(default=1.0, unit="m/s", doc="greatest v", above=0, dimensions=(0,))
    acceleration: Real = parameter(
        default=1.0, unit="m/s2", doc="greatest rate at which v grows", above=0, dimensions=(0,)
    )
    braking: Real | None = parameter(
        default=None, unit="m/s2", doc="greatest rate at which v shrinks; acceleration", above=0,
        dimensions=(0,),
    )  # fmt: skip
    side_acceleration: Real = parameter(
        default=inf,
        unit="m/s2",
        doc="greatest v^2 |curvature|; none",
        above=0,
        infinite=True,
        dimensions=(0,),
    )
    final_speed: Real = parameter(
        default=0.0, unit="m/s", doc="at the end of the path", minimum=0, dimensions=(0,)
    )
    wheelbase: Real = parameter(default=1.0, unit="m", doc="of the bicycle", above=0, dimensions=(0,))
    offset_gain: Real = parameter(default=1.0, unit="1/m2", doc="curvature over offset", dimensions=(0,))
    heading_gain: Real = parameter(default=2.0, unit="1/m", doc="curvature over the angle", dimensions=(0,))

    @cached_property
    def pieces(self) -> Array:
        """Pieces of one rate each: with their first v^2, twice the rate, and the last v^2, (k, 8)."""
        pieces = self.curve
        side = float(self.side_acceleration)  # type: ignore[arg-type]
        if self.waypoints is not None and len(pieces) > 1 and side < inf:
            expected = "no such limit on a path with corners, or a `spline` in the place of `waypoints`"
            raise ParameterError(self.kind(), "side_acceleration", side, expected)
        with np.errstate(divide="ignore"):
            limits = np.minimum(float(self.speed), np.sqrt(side / np.abs(pieces[:, 3])))  # type: ignore[arg-type]
        grows = float(self.acceleration)  # type: ignore[arg-type]
        shrinks = grows if self.braking is None else float(self.braking)  # type: ignore[arg-type]
        final = float(self.final_speed)  # type: ignore[arg-type]
        phases, _ = speed_profile(
            pieces[:, 4], limits, acceleration=grows, braking=shrinks, initial=inf, final=final
        )
        return np.array([_cut(pieces, phases, k) for k in range(len(phases))])

    @staticmethod
    def crossing(  # type: ignore[override]
        t: float, mode: int, ride: Ride, acceleration: float
    ) -> tuple[float, float, float, float, float, float, float]:
        beyond, back, after, earlier, behind, across = watched(mode, ride)
        gap = acceleration * t - allowed(mode, ride)
        return beyond, back, after, earlier, behind, across, gap

    @staticmethod
    def output_v(t: float, mode: int, ride: Ride, acceleration: float) -> float:
        return driven(t, mode, ride, acceleration)

    @staticmethod
    def output_gamma(mode: int, ride: Ride, law: Law, wheelbase: float) -> float:
        return atan(wheelbase * bend(mode, ride, law))

    @staticmethod
    def output_omega(t: float, mode: int, ride: Ride, acceleration: float, law: Law) -> float:
        return driven(t, mode, ride, acceleration) * bend(mode, ride, law)

    @staticmethod
    def output_rest(mode: int, ride: Ride) -> float:
        i, s, _ = onto(mode // SIDES, ride)
        return ride.knots[-1] - ride.knots[i] - s  # type: ignore[no-any-return]


def _cut(pieces: Array, phases: Array, k: int) -> list[float]:
    """The part of a piece that is driven in one phase."""
    _, segment, place, speed, rate = phases[k]
    piece = pieces[int(segment)]
    follows = k + 1 < len(phases) and phases[k + 1, 1] == segment
    length = (phases[k + 1, 2] if follows else piece[4]) - place
    x, y = point(piece, place)
    heading = piece[2] + place * piece[3]
    last = max(0.0, speed * speed + 2.0 * rate * length)
    return [x, y, heading, piece[3], length, speed * speed, 2.0 * rate, last]
