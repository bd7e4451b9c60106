"""FollowPath: follows a path at the highest speed within limits of speed and acceleration."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from math import atan, cos, inf, sin, sqrt
from typing import ClassVar, NamedTuple

import numpy as np

from ...robots.wheels.pieces import point
from ...robots.wheels.speed_profile import speed_profile
from ..contract.errors import ParameterError
from ..contract.parameter import Array, Real, parameter
from ..contract.port import Crossing, Port, State
from .nearest_on_path import (
    BEFORE,
    MODES,
    SIDES,
    NearestOnPath,
    Ride,
    angle,
    crossing_values,
    mode_with_side,
    next_place,
    onto,
    turns,
)

CUTS = 5  # restarts while braking to rest: each at a tenth of the speed, so that errors do not add up
STARTS, RAMPS, LEVEL = 0, 1, 2  # the speed is below the profile, is changing, is a piece's final speed
SMALL = 1e-4  # rad; below it the series of sin(x)/x is used, whose first omitted term is below 1e-17


class Law(NamedTuple):
    """The gains of the steering."""

    offset_gain: float
    heading_gain: float


class Ramp(NamedTuple):
    """Instant at which the present change of speed began, and the speed then."""

    since: float
    begun: float


def profile_speed(number: int, ride: Ride) -> float:
    """The speed of the profile at the nearest point, m/s."""
    i, s, _ = onto(number, ride)
    if number % 2 == 1 and number > BEFORE:
        return sqrt(ride.pieces[i, 8])
    return sqrt(max(0.0, ride.pieces[i, 6] + ride.pieces[i, 7] * s))


def driven(t: float, mode: int, ride: Ride, ramp: Ramp, acceleration: float) -> float:
    """The unsigned speed, m/s."""
    number, doing = mode // MODES, mode % MODES // SIDES
    if doing == STARTS:
        return acceleration * t
    i = max(number // 2 - 1, 0)
    if number % 2 == 1 or ramp.begun < 0.0:
        return profile_speed(number, ride)
    if doing == LEVEL:
        return sqrt(ride.pieces[i, 8])
    return ramp.begun + 0.5 * ride.pieces[i, 7] * (t - ramp.since)  # type: ignore[no-any-return]


def end_speed_crossing(t: float, mode: int, ride: Ride, ramp: Ramp) -> float:
    """The crossing: rises through zero where the speed reaches the speed at the end of the piece."""
    number, doing = mode // MODES, mode % MODES // SIDES
    rate = 0.5 * ride.pieces[max(number // 2 - 1, 0), 7]
    if doing != RAMPS or number % 2 == 1 or ramp.begun < 0.0 or rate == 0.0:
        return -1.0
    gap = ramp.begun + rate * (t - ramp.since) - sqrt(ride.pieces[number // 2 - 1, 8])
    return gap if rate > 0.0 else -gap  # type: ignore[no-any-return]


def stands(i: int, ride: Ride) -> bool:
    """True if the vehicle is at rest at the end of a piece, to reverse or to stay."""
    return ride.pieces[i, 9] == 1.0  # type: ignore[no-any-return]


def next_doing(t: float, mode: int, number: int, ride: Ride, acceleration: float, levels: int) -> int:
    """The next phase of the speed, at a place of the path."""
    doing = mode % MODES // SIDES
    if doing == STARTS:
        return RAMPS if acceleration * t >= profile_speed(number, ride) else STARTS
    if number != mode // MODES:
        return RAMPS
    return LEVEL if levels == 1 else doing


def bend(mode: int, ride: Ride, law: Law) -> float:
    """The required curvature of the vehicle's path, 1/m, positive to the left of its motion."""
    number = mode // MODES
    i, _, offset = onto(number, ride)
    error = -angle(mode, ride)
    curvature = ride.pieces[i, 3] if number > 1 and number % 2 == 0 else 0.0
    part = sin(error) / error if abs(error) > SMALL else 1.0 - error * error / 6.0
    ahead = curvature * cos(error) / (1.0 - curvature * offset)
    return ahead - law.offset_gain * offset * part - law.heading_gain * error


class FollowPath(NearestOnPath):
    """Follows a path, with a speed profile along it.

        k = kappa cos(psi)/(1 - kappa e) - offset_gain e sin(psi)/psi - heading_gain psi,     psi = -alpha
        omega = |v| k     gamma = +-atan(wheelbase k)     v = +-min(v(s), acceleration t)

    with the offset e, to the left, and the curvature kappa of the nearest point, both seen in the direction
    of travel. v(s) is the highest profile with v <= speed, v^2 |kappa| <= side_acceleration, and rates of at
    most `acceleration` and `braking`. The vehicle starts at rest at t = 0; at the end of the path v is
    `final_speed`. As functions of the distance driven, small errors obey e'' + heading_gain e' + offset_gain
    e = 0 at any speed. `rest` is the remaining length of the path.

    `arcs` of negative length are driven backwards, with the minus sign; the vehicle stops where the direction
    changes, and reverses at once. In each phase of the profile v changes at the rate of the phase, from its
    value at the beginning, so that a vehicle with exactly these limits can follow it; if a phase lasts longer
    than planned, v keeps its final value. A phase that brakes to rest restarts at each tenth of its speed. At
    the end v stays 0, even if the vehicle moves on. All of these changes are events.

    Raises ParameterError for a corner in the path if side acceleration is limited. Source: Canudas de Wit,
    Khennouf, Samson, Sordalen, Nonlinear Control Design for Mobile Robots, in: Recent Trends in Mobile
    Robots, World Scientific, 1993, 121-156; for the speed see `robots.wheels.speed_profile`.

    Example:
        {type: FollowPath, spline: [[0, 0], [5, 1], [8, 5]], speed: 2.0, side_acceleration: 1.0}
    """

    icon = "along a path"
    outputs: ClassVar[tuple[Port, ...]] = (
        Port("v", 1, "m/s", "speed, negative backwards"),
        Port("gamma", 1, "rad", "steering angle of a bicycle"),
        Port("omega", 1, "rad/s", "rate of turn"),
        Port("rest", 1, "m", "left of the path"),
        *NearestOnPath.outputs,
    )
    crossings: ClassVar[tuple[Crossing, ...]] = (
        *NearestOnPath.crossings,
        Crossing("started", +1),
        Crossing("levels", +1),
    )
    states: ClassVar[tuple[State, ...]] = (
        State("since", "zero", "s", held=True),
        State("begun", "never", "m/s", held=True),
        State("begun_in", "never", held=True),
    )

    speed: Real = parameter(default=1.0, unit="m/s", doc="maximum v", above=0, dimensions=(0,))
    acceleration: Real = parameter(
        default=1.0, unit="m/s2", doc="maximum rate of increase of v", above=0, dimensions=(0,)
    )
    braking: Real | None = parameter(
        default=None, unit="m/s2", doc="maximum rate of decrease of v; default: acceleration", above=0,
        dimensions=(0,),
    )  # fmt: skip
    side_acceleration: Real = parameter(
        default=inf,
        unit="m/s2",
        doc="maximum v^2 |curvature|; default: no limit",
        above=0,
        infinite=True,
        dimensions=(0,),
    )
    final_speed: Real = parameter(
        default=0.0, unit="m/s", doc="speed at the end of the path", minimum=0, dimensions=(0,)
    )
    wheelbase: Real = parameter(
        default=1.0, unit="m", doc="wheelbase of the bicycle", above=0, dimensions=(0,)
    )
    offset_gain: Real = parameter(
        default=1.0, unit="1/m2", doc="gain from the offset to curvature", dimensions=(0,)
    )
    heading_gain: Real = parameter(
        default=2.0, unit="1/m", doc="gain from the angle to curvature", dimensions=(0,)
    )

    @cached_property
    def pieces(self) -> Array:
        """Pieces of constant rate: the first v^2, twice the rate, the last v^2, 1 if that is 0; (k, 10)."""
        pieces = self.curve
        side = float(self.side_acceleration)  # type: ignore[arg-type]
        if self.waypoints is not None and len(pieces) > 1 and side < inf:
            expected = "no such limit on a path with corners, or a `spline` in place of `waypoints`"
            raise ParameterError(self.kind(), "side_acceleration", side, expected)
        with np.errstate(divide="ignore"):
            limits = np.minimum(float(self.speed), np.sqrt(side / np.abs(pieces[:, 3])))  # type: ignore[arg-type]
        grows = float(self.acceleration)  # type: ignore[arg-type]
        shrinks = grows if self.braking is None else float(self.braking)  # type: ignore[arg-type]
        final = float(self.final_speed)  # type: ignore[arg-type]
        phases, _ = speed_profile(
            pieces[:, 4] * pieces[:, 5], limits, acceleration=grows, braking=shrinks, initial=inf, final=final
        )
        ended = sqrt(max(0.0, phases[-1, 3] ** 2 + 2.0 * phases[-1, 4] * (pieces[-1, 4] - phases[-1, 2])))
        parts = _in_cuts(phases, ended if final > 0.0 else 0.0)
        after = [at if of == part[0] else inf for part, (of, at, *_) in zip(parts, [*parts[1:], (-1, inf)])]
        return np.array([
            [*_cut(pieces[of], at, min(end, pieces[of, 4])), speed**2, 2.0 * rate, last**2, last == 0.0]
            for (of, at, speed, rate, last), end in zip(parts, after)
        ])  # fmt: skip

    def constants(self) -> Mapping[str, Array | float]:
        return {**super().constants(), "never": -1.0, "zero": 0.0}

    @staticmethod
    def crossing(  # type: ignore[override]
        t: float, mode: int, ride: Ride, ramp: Ramp, acceleration: float
    ) -> tuple[float, float, float, float, float, float, float, float]:
        beyond, back, after, earlier, behind, across = crossing_values(mode, ride)
        starts = mode % MODES // SIDES == STARTS
        gap = acceleration * t - profile_speed(mode // MODES, ride) if starts else -1.0
        return beyond, back, after, earlier, behind, across, gap, end_speed_crossing(t, mode, ride, ramp)

    @staticmethod
    def mode(  # type: ignore[override]
        mode: int, t: float, ride: Ride, acceleration: float, crossed_levels: int
    ) -> int:
        last = mode // MODES
        i = last // 2 - 1
        number = last if last % 2 == 1 and last > BEFORE and stands(i, ride) else next_place(last, ride)
        if crossed_levels == 1 and number == last and stands(i, ride):
            number += 2 if turns(i, ride.pieces) else 1
        doing = next_doing(t, mode, number, ride, acceleration, crossed_levels)
        return mode_with_side(number, mode % SIDES, ride) + SIDES * doing

    @staticmethod
    def jump(t: float, mode: int, ride: Ride, ramp: Ramp, begun_in: float) -> tuple[float, float, float]:
        ramps = float(mode // SIDES)
        if ramps == begun_in:
            return ramp.since, ramp.begun, begun_in
        return t, profile_speed(mode // MODES, ride), ramps

    @staticmethod
    def output_v(t: float, mode: int, ride: Ride, ramp: Ramp, acceleration: float) -> float:
        i, _, _ = onto(mode // MODES, ride)
        return ride.pieces[i, 5] * driven(t, mode, ride, ramp, acceleration)  # type: ignore[no-any-return]

    @staticmethod
    def output_gamma(mode: int, ride: Ride, law: Law, wheelbase: float) -> float:
        i, _, _ = onto(mode // MODES, ride)
        return ride.pieces[i, 5] * atan(wheelbase * bend(mode, ride, law))  # type: ignore[no-any-return]

    @staticmethod
    def output_omega(t: float, mode: int, ride: Ride, ramp: Ramp, acceleration: float, law: Law) -> float:
        return driven(t, mode, ride, ramp, acceleration) * bend(mode, ride, law)

    @staticmethod
    def output_rest(mode: int, ride: Ride) -> float:
        i, s, _ = onto(mode // MODES, ride)
        return ride.knots[-1] - ride.knots[i] - s  # type: ignore[no-any-return]


def _in_cuts(phases: Array, final: float) -> list[tuple[int, float, float, float, float]]:
    """Segment, place, first speed, rate and last speed of phases; those that brake to rest in CUTS."""
    ends = [*phases[1:, 3], final]
    rows = []
    for (_, segment, place, speed, rate), end in zip(phases, ends):
        cuts = CUTS if rate < 0.0 and end == 0.0 else 1
        for k in range(cuts):
            at = place + speed**2 * (1.0 - 100.0**-k) / (2.0 * abs(rate)) if k else place
            last = end if k + 1 == cuts else speed * 0.1 ** (k + 1)
            rows.append((int(segment), at, speed * 0.1**k, rate, last))
    return rows


def _cut(piece: Array, begin: float, end: float) -> list[float]:
    """The part of a piece from one place to another."""
    x, y = point(piece, begin)
    return [x, y, piece[2] + begin * piece[3], piece[3], end - begin, piece[5]]
