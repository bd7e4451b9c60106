"""A minimum-snap flight passes through points with the smallest changes of the torques.

It is a spline with the least squared derivative of order four. Its time is divided among the segments by
speed trapezoids, or for minimum cost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import factorial, perm
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...base.checked import checked_numbers
from .flight_path import COLUMNS, FORWARD, RIGHT, TURN, WIDTH, FlightPath, peaks
from .lines import directions, ends
from .motion import ROUNDING, TrajectoryError, numbers, refusal

Array = NDArray[np.float64]

SLACK = 1e-6  # relative: how far beyond a limit the stretched times may end
STRETCHES = 80  # at most, if the ends are not at rest; two suffice at rest
MET = 1e-9  # relative: how close to its limit a speed or an acceleration has to be

ROUNDS = 8  # of best shares and their stretch, if the ends are not at rest
MOST = 1e6  # largest stretch: with speed at the ends, longer is not always slower
REACH = 5.0  # exponents of e: bounds of the best shares relative to the trapezoids, or above the longest


@checked_numbers(refusal)
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
    factor until a limit is met. The faster of these two flights is used, with `best_times` always the
    second. With `times` the limits, if given, are checked.

    `heading`, the yaw, rad, is one number, or one per point, with minimum yaw acceleration in between, the
    short way: by at most pi between points. With `along` the nose points in the direction of
    flight, and heading is added to it. Raises TrajectoryError for times that do not increase, for a segment
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


def trapezoid_times(points: Array, resting: list[int], speed: float, acceleration: float | None) -> Array:
    """The durations of segments flown as trapezoids: from rest to rest between points in `resting`.

    A segment without rest at an end gets the time of its length at `speed`, plus the time to
    accelerate or brake at the other end if the vehicle rests there.
    """
    lengths = np.linalg.norm(np.diff(points, axis=0), axis=1)
    durations = lengths / speed
    if acceleration is None:
        return np.asarray(durations)
    reach = speed * speed / acceleration  # to reach the speed and to brake again
    rest_to_rest = np.where(
        lengths > reach, durations + speed / acceleration, 2.0 * np.sqrt(lengths / acceleration)
    )
    half = 0.5 * (durations + rest_to_rest)
    at_rest = np.zeros(len(points), bool)
    at_rest[resting] = True
    sides = at_rest[:-1].astype(int) + at_rest[1:]
    return np.asarray(np.choose(sides, [durations, half, rest_to_rest]))


def peak(spline: Spline, order: int) -> float:
    """The maximum length of the derivative of this order."""
    return float(peaks(spline.coefficients, spline.durations, order).max())


def excess(spline: Spline, speed: float, acceleration: float | None) -> float:
    """The factor on the durations with which a flight from rest to rest meets its limits."""
    fastest = peak(spline, 1) / speed
    return fastest if acceleration is None else max(fastest, float(np.sqrt(peak(spline, 2) / acceleration)))


def fit(
    points: Array, durations: Array, derivatives: Array, speed: float, acceleration: float | None,
    *, best: bool,
) -> Spline:  # fmt: skip
    """The spline with the shortest durations, in these proportions or the best ones, within the limits.

    From rest to rest one stretch is exact: a flight k times as long has 1/k of the speed and 1/k^2 of the
    acceleration, and its best proportions are equal. With speed at the ends it is not exact, and the stretch
    is found by bisection; if no stretch suffices, the result exceeds the limits.
    """
    if best:
        durations = shared_best(points, durations, derivatives)
        if np.any(derivatives[[0, -1], 0]):
            for _ in range(ROUNDS):
                ratio = excess(smoothest(points, durations, derivatives), speed, acceleration)
                durations = shared_best(points, min(ratio, 2.0) * durations, derivatives)
    stretch, short, long = 1.0, 0.0, np.inf
    for count in range(STRETCHES):
        spline = smoothest(points, stretch * durations, derivatives)
        ratio = excess(spline, speed, acceleration)
        if abs(ratio - 1.0) <= MET or stretch > MOST:
            break
        short, long = (stretch, long) if ratio > 1.0 else (short, stretch)
        if short and long < np.inf:
            stretch = float(np.sqrt(short * long))
        elif count < 2:
            stretch *= ratio
        else:
            stretch *= 2.0 if ratio > 1.0 else 0.5
    return spline


def shared_best(points: Array, durations: Array, derivatives: Array) -> Array:
    """Durations with equal sum and least cost.

    The cost J of a segment, as a function of its duration T with fixed conditions at its ends, has the slope
    -H, where H is the Hamiltonian of the variational problem, constant along the segment:

        dJ/dT = -(s^2 - 2 j s' + 2 a s'' - 2 v s''')

    with velocity v, acceleration a, jerk j and snap s. The derivatives at the points are optimal, so they
    have no effect. Source: Mellinger, Kumar, ICRA 2011, section IV.C, with this slope instead of differences;
    Gelfand, Fomin, Calculus of Variations (1963), section 17.
    """
    from scipy.optimize import minimize

    total = float(durations.sum())

    def shared(logs: Array) -> Array:
        parts = np.exp(logs - logs.max())
        return np.asarray(parts / parts.sum() * total)

    def cost(logs: Array) -> tuple[float, Any]:
        T = shared(logs)
        spline = smoothest(points, T, derivatives)
        J = spline.cost()
        slope = duration_slopes(spline)
        # by the logarithms, at constant sum of the durations
        return float(np.log(J)), (slope * T - T / total * float(slope @ T)) / J

    if len(durations) == 1:
        return durations
    logs = np.log(durations / durations.max())
    bounds = [(least, REACH) for least in (logs - REACH).tolist()]
    optimum = minimize(cost, logs, jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": 200})
    return shared(np.asarray(optimum.x))


def duration_slopes(spline: Spline) -> Array:
    """The derivatives of the least cost by the durations (m,), for minimum snap."""
    c = spline.coefficients
    v, a, j, s, s1, s2, s3 = (c[..., k] * factor for k, factor in enumerate((1, 2, 6, 24, 120, 720, 5040), 1))
    return np.asarray(-np.sum(s * s - 2.0 * j * s1 + 2.0 * a * s2 - 2.0 * v * s3, axis=1))


@dataclass(frozen=True)
class Spline:
    """A spline of order r over segments of given `durations` (m,), s."""

    durations: Array
    coefficients: Array  # (m, n, 2r), in the time since the segment's start, lowest degree first

    def cost(self) -> float:
        """The integral over time of the squared r-th derivative, over all coordinates."""
        n = self.coefficients.shape[2]
        r = n // 2
        c = (self.coefficients * self.durations[:, np.newaxis, np.newaxis] ** np.arange(n))[..., r:]
        square = [[perm(i, r) * perm(j, r) / (i + j - n + 1) for j in range(r, n)] for i in range(r, n)]
        each = np.einsum("mni,ij,mnj->m", c, square, c)
        return float(np.sum(each / self.durations ** (n - 1)))


def smoothest(points: Array, durations: Array, derivatives: Array) -> Spline:
    """The spline of order r through points (m + 1, n) with the least integral of the squared r-th derivative.

    `derivatives` (m + 1, r - 1, n) are the derivatives 1 ... r - 1 at the points; they are NaN at points
    where they are free, and numbers at the first and last point. The optimum has degree 2r - 1, and 2r - 2
    continuous derivatives where they are free (Schoenberg, On interpolation by spline functions and its
    minimal properties, 1964), which makes it unique. Raises TrajectoryError if double precision cannot
    distinguish three points and their times.
    """
    fixed = np.flatnonzero(~np.isnan(derivatives[:, 0, 0]))
    coefficients = [
        _fit_spline(points[i : j + 1], durations[i:j], derivatives[[i, j]])
        for i, j in pairwise(fixed.tolist())
    ]
    return Spline(durations, np.concatenate(coefficients))


def _fit_spline(points: Array, durations: Array, derivatives: Array) -> Array:
    """The coefficients (m, n, 2r) of a spline whose derivatives (2, r - 1, n) are given at both ends.

    The unknowns are control points of B-splines, each of the size of the segments that it covers: their
    matrix is totally positive, and elimination is as accurate as the values of the points for any ratio of
    the segments. With the derivatives at the points as unknowns, rounding grows with the power 2r - 1
    of the ratio of two segments.
    Source: de Boor, Pinkus, Backward error analysis for totally positive linear systems, Numerische
    Mathematik 27, 1977; de Boor, A Practical Guide to Splines (2001), chapters IX and XIII.
    """
    from scipy.interpolate import BSpline
    from scipy.linalg import solve_banded

    r, degree = derivatives.shape[1] + 1, 2 * derivatives.shape[1] + 1
    inner, mean = len(points) - 2, float(np.mean(durations))
    x = np.concatenate([[0.0], np.cumsum(durations / mean)])
    scale = mean ** np.arange(degree + 1)
    relative = points - points[0]  # points far from the origin keep their digits
    ends = np.concatenate([relative[[0, -1]][:, np.newaxis], derivatives], axis=1) * scale[:r, np.newaxis]
    control = np.zeros((inner + 2 * r, points.shape[1]))
    control[:r] = _end_controls(ends[0], x[1:])
    control[-r:] = _end_controls(ends[1], (x - x[-1])[-2::-1])[::-1]
    knots = np.concatenate([np.zeros(degree), x, np.full(degree, x[-1])])
    if inner:
        basis = BSpline.design_matrix(x[1:-1], knots, degree)
        unknown: Any = basis[:, r:-r]
        sizes = unknown.max(axis=1).toarray().reshape(-1, 1)
        unknown, right = unknown.multiply(1.0 / sizes).tocsr(), (relative[1:-1] - basis @ control) / sizes
        width = min(r, inner) - 1
        bands = [np.pad(unknown.diagonal(k), (max(k, 0), max(-k, 0))) for k in range(width, -width - 1, -1)]
        try:
            control[r:-r] = solve_banded((width, width), bands, right)
        except np.linalg.LinAlgError:
            raise TrajectoryError(
                "points", "so close together that their order is lost in rounding", "fewer of them"
            ) from None
    spline = BSpline(knots, control, degree)
    c = np.stack([spline(x[:-1], k) / factorial(k) for k in range(degree + 1)], axis=2) / scale
    c[..., 0] = points[:-1]
    c[0, :, 1:r] = (derivatives[0] / [[factorial(k)] for k in range(1, r)]).T  # zeros at rest
    return np.asarray(c)


def _end_controls(ends: Array, later: Array) -> Array:
    """The first r control points (r, n): the polar form of the Taylor polynomial at the next knots.

    `ends` (r, n) are the derivatives there, `later` the distances to the other knots, signed.
    Source: Ramshaw, Blossoms are polar forms, Computer Aided Geometric Design 6, 1989.
    """
    r = len(ends)
    control = np.empty_like(ends)
    sums = np.zeros(r)  # elementary symmetric polynomials of the distances so far
    sums[0] = 1.0
    for j in range(r):
        weights = [sums[k] * factorial(2 * r - 1 - k) / factorial(2 * r - 1) for k in range(j + 1)]
        control[j] = weights @ ends[: j + 1]
        sums[1:] = sums[1:] + sums[:-1] * later[min(j, len(later) - 1)]
    return control
