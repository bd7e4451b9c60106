"""A flight's time is divided among its segments."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .flight_path import peaks
from .smoothest import Spline, smoothest

Array = NDArray[np.float64]

STRETCHES = 80  # at most, where the ends are not at rest; two do where they are
MET = 1e-9  # relative: how close to its limit a speed or an acceleration has to be

ROUNDS = 8  # in which the best shares and their stretch agree, where the ends are not at rest
MOST = 1e6  # a stretch that no flight needs: with speed at its ends, longer is not always slower
REACH = 5.0  # exponents of e: how far the best shares lie from the trapezoids, or above the longest


def trapezoid_times(points: Array, resting: list[int], speed: float, acceleration: float | None) -> Array:
    """The durations of segments flown as trapezoids: from rest to rest between points in `resting`.

    A segment at whose end the vehicle need not rest is given the time of its length at `speed`, with the
    time to accelerate or brake where it rests on one side.
    """
    lengths = np.linalg.norm(np.diff(points, axis=0), axis=1)
    durations = lengths / speed
    if acceleration is None:
        return np.asarray(durations)
    reach = speed * speed / acceleration  # to gain the speed and to lose it again
    rest_to_rest = np.where(
        lengths > reach, durations + speed / acceleration, 2.0 * np.sqrt(lengths / acceleration)
    )
    half = 0.5 * (durations + rest_to_rest)
    at_rest = np.zeros(len(points), bool)
    at_rest[resting] = True
    sides = at_rest[:-1].astype(int) + at_rest[1:]
    return np.asarray(np.choose(sides, [durations, half, rest_to_rest]))


def peak(spline: Spline, order: int) -> float:
    """The greatest length of the derivative of that order."""
    return float(peaks(spline.coefficients, spline.durations, order).max())


def excess(spline: Spline, speed: float, acceleration: float | None) -> float:
    """The factor by which a flight from rest to rest has to take longer to meet its limits."""
    fastest = peak(spline, 1) / speed
    return fastest if acceleration is None else max(fastest, float(np.sqrt(peak(spline, 2) / acceleration)))


def fit(
    points: Array, durations: Array, derivatives: Array, speed: float, acceleration: float | None,
    *, best: bool,
) -> Spline:  # fmt: skip
    """The spline with the shortest durations, in these proportions or the best ones, within the limits.

    From rest to rest one stretch is exact: a flight k times as long has 1/k of the speed and 1/k^2 of the
    acceleration, and its best proportions are the same. With speed at the ends it is not, and the stretch is
    bracketed and halved; one that finds none ends beyond the limits.
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
    """Durations of the same sum that make the cost least.

    The cost J of a segment, as a function of its duration T with fixed conditions at its ends, has the slope
    -H, where H is the Hamiltonian of the variational problem, constant along the segment:

        dJ/dT = -(s^2 - 2 j s' + 2 a s'' - 2 v s''')

    with velocity v, acceleration a, jerk j and snap s. The derivatives at the points are optimal, so they add
    nothing. Source: Mellinger, Kumar, ICRA 2011, section IV.C, with this slope in place of differences;
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
        # by the logarithms, with the sum of the durations kept
        return float(np.log(J)), (slope * T - T / total * float(slope @ T)) / J

    if len(durations) == 1:
        return durations
    logs = np.log(durations / durations.max())
    bounds = [(least, REACH) for least in (logs - REACH).tolist()]
    optimum = minimize(cost, logs, jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": 200})
    return shared(np.asarray(optimum.x))


def duration_slopes(spline: Spline) -> Array:
    """The slope of the least cost by each duration (m,), for minimum snap."""
    c = spline.coefficients
    v, a, j, s, s1, s2, s3 = (c[..., k] * factor for k, factor in enumerate((1, 2, 6, 24, 120, 720, 5040), 1))
    return np.asarray(-np.sum(s * s - 2.0 * j * s1 + 2.0 * a * s2 - 2.0 * v * s3, axis=1))
