"""A minimum-snap flight goes through points with the smallest changes of the torques."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...base.checked import guarded
from .allocation import excess, fit, trapezoid_times
from .flight_path import COLUMNS, FORWARD, RIGHT, TURN, WIDTH, FlightPath
from .heading import directions, ends
from .motion import ROUNDING, TrajectoryError, numbers, refusal
from .smoothest import Spline, smoothest

Array = NDArray[np.float64]

SLACK = 1e-6  # relative: how far beyond a limit the stretched times may end


@guarded(refusal)
def minimum_snap(
    points: Any, *, times: Any = None, speed: float | None = None, acceleration_limit: float | None = None,
    best_times: bool = False, heading: Any = 0.0, along: bool = False, stops: Sequence[int] = (),
    velocity0: Any = 0.0, velocityf: Any = 0.0, start: float = 0.0,
) -> FlightPath:  # fmt: skip
    """The flight through points (N, 3), m, z down, that minimises the integral of the squared snap.

    Its pieces are polynomials of degree 7; at inner points, derivatives up to the sixth are continuous.
    Except for yaw, the torques of a multirotor follow from the snap. At both ends acceleration and jerk are
    0, and the velocity is velocity0 and velocityf. At the points listed in `stops` (numbers from 0) the
    vehicle stops, as for a take-off; a point given twice between stops is a place to hover.

    `times` (N,), s, are the instants of the points. Without them, they follow from `speed`, m/s, and
    `acceleration_limit`, m/s2, the maxima of the flight: each segment takes the time of a trapezoid with
    these limits, or the share of the total time that minimises the snap, and all are stretched by the same
    factor until a limit is met. The faster of these two flights is taken, with `best_times` always the
    second. With `times` the limits, if given, are checked.

    `heading`, the yaw, rad, is one number, or one per point, with minimum yaw acceleration in between, the
    short way round: by at most pi from point to point. With `along` the nose points in the direction of
    flight, and heading is added to that. Raises TrajectoryError for times that do not increase, for a segment
    that exceeds a limit, for coinciding points without times, and for values that are not numbers.
    Source: Mellinger, Kumar, ICRA 2011; Richter, Bry, Roy, ISRR 2013 (Springer 2016).
    """
    P = _points(points)
    resting = _stops(stops, len(P))
    D = np.full((len(P), 3, 3), np.nan)
    D[resting] = 0.0
    D[0, 0], D[-1, 0] = _vector("velocity0", velocity0), _vector("velocityf", velocityf)
    limits = {"speed": speed, "acceleration_limit": acceleration_limit}
    for name, limit in limits.items():
        if limit is not None and not (np.isfinite(limit) and limit > 0.0):
            raise TrajectoryError(name, limit, "greater than zero")
    if times is not None:
        if best_times:
            raise TrajectoryError("best_times", True, "not given together with times: these are the times")
        instants = _instants(times, len(P))
        start = float(instants[0])
        durations = np.diff(instants)
        spline = smoothest(P, durations, D)
    else:
        if speed is None:
            raise TrajectoryError("times", None, "the instants of the points, or the greatest speed, m/s")
        for name, end in (("velocity0", D[0, 0]), ("velocityf", D[-1, 0])):
            if np.linalg.norm(end) > speed:
                raise TrajectoryError(name, end.tolist(), f"at most as fast as the speed, {speed:.6g} m/s")
        _check_distinct(P)
        trapezoids = trapezoid_times(P, resting, speed, acceleration_limit)
        splines = [
            fit(P, trapezoids, D, speed, acceleration_limit, best=best)
            for best in ([True] if best_times else [True, False])
        ]
        inside = [each for each in splines if excess(each, speed, acceleration_limit) <= 1.0 + SLACK]
        spline = min(inside or splines, key=lambda each: float(each.durations.sum()))
    path = _path(P, spline, start, _turns(heading, len(P), spline.durations), along)
    _check_limits(path, limits)
    return path


def _points(points: ArrayLike) -> Array:
    P = numbers("points", points)
    if P.ndim != 2 or P.shape[1] != 3 or len(P) < 2:
        raise TrajectoryError("points", f"of shape {P.shape}", "a row (x, y, z) per point, at least 2 points")
    return P


def _stops(stops: Any, count: int) -> list[int]:
    for stop in stops:
        if not isinstance(stop, (int, np.integer)) or not 0 <= stop < count:
            raise TrajectoryError("stops", list(stops), f"numbers of points, 0 to {count - 1}")
    return sorted({0, count - 1, *map(int, stops)})


def _vector(name: str, value: ArrayLike) -> Array:
    vector = numbers(name, value)
    if vector.shape not in ((), (3,)):
        raise TrajectoryError(name, vector.tolist(), "three numbers, in the world frame")
    return vector


def _instants(times: ArrayLike, count: int) -> Array:
    instants = numbers("times", times)
    if instants.shape != (count,):
        raise TrajectoryError("times", instants.tolist(), f"{count} instants, one per point")
    for i in np.flatnonzero(np.diff(instants) <= 0.0).tolist():
        raise TrajectoryError(
            "times", instants.tolist(), f"increasing times; the time of point {i + 1} does not"
        )
    return instants


def _check_distinct(P: Array) -> None:
    nothing = ROUNDING * np.spacing(np.ptp(P, axis=0).max())
    for i in np.flatnonzero(np.linalg.norm(np.diff(P, axis=0), axis=1) <= nothing).tolist():
        raise TrajectoryError(
            "points", P[i].tolist(), f"points that differ, or times; points {i} and {i + 1} are one"
        )


def _turns(heading: ArrayLike, count: int, durations: Array) -> Array:
    """The polynomials of the yaw (m, 4), at rest at both ends."""
    angles = numbers("heading", heading)
    if angles.shape not in ((), (count,)):
        raise TrajectoryError("heading", angles.tolist(), f"a number, or {count} numbers, one per point")
    rates = np.full((count, 1, 1), np.nan)
    rates[0] = rates[-1] = 0.0
    column = np.unwrap(np.broadcast_to(angles, (count,)))[:, np.newaxis]
    return smoothest(column, durations, rates).coefficients[:, 0]


def _path(P: Array, spline: Spline, start: float, turns: Array, along: bool) -> FlightPath:
    knots = start + np.concatenate([[0.0], np.cumsum(spline.durations)])
    pieces = spline.coefficients
    table = np.zeros((len(knots) + 1, COLUMNS, WIDTH))
    table[1:-1, :, 0] = knots[:-1, np.newaxis]
    table[1:-1, :3, 1:] = pieces
    table[1:-1, TURN, 1:5] = turns
    table[:, FORWARD, 1] = 1.0
    for row, point in ((0, 0), (-1, -1)):
        table[row, :3, 1] = P[point]
    table[0, TURN, 1] = turns[0, 0]
    table[-1, TURN, 1] = np.polynomial.polynomial.polyval(spline.durations[-1], turns[-1])
    if along:
        pointing = directions(pieces[:, :2], spline.durations)
        table[1:-1, FORWARD : RIGHT + 1, 1:] = pointing
        table[0, FORWARD : RIGHT + 1, 1] = ends(pointing[0], float(spline.durations[0]))[0]
        table[-1, FORWARD : RIGHT + 1, 1] = ends(pointing[-1], float(spline.durations[-1]))[1]
    if not np.all(np.isfinite(table)):
        raise TrajectoryError("times", "so close together that no number holds the rates", "longer ones")
    return FlightPath(knots, table)


def _check_limits(path: FlightPath, limits: dict[str, float | None]) -> None:
    for order, (name, limit) in enumerate(limits.items(), 1):
        if limit is None:
            continue
        peaks = path.peaks(order)
        worst = int(peaks.argmax())
        if peaks[worst] > limit * (1.0 + SLACK):
            unit = ("m/s", "m/s2")[order - 1]
            expected = f"at least {peaks[worst]:.6g} {unit}, which segment {worst} reaches; or longer times"
            raise TrajectoryError(name, limit, expected)
