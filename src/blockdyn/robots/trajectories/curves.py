"""Flights follow curves: Lissajous figures, the figure eight, the helix and the circle, with ramps."""

from __future__ import annotations

from dataclasses import dataclass
from math import atan2, cos, inf, isfinite, pi, sin
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...base.checked import checked_numbers
from ..calls.kernel import machine_code
from .flight_path import FlightValues
from .motion import ROUNDING, TrajectoryError, instants, numbers, refusal

Array = NDArray[np.float64]

Slopes = tuple[float, float, float, float, float]

PHASE_DEGREE = 8
STILL = 1e-300  # squared length below which a direction is undefined


def phase_at(row: Array, t: float) -> tuple[float, float, float, float, float]:
    """The phase and its derivatives up to the fourth: of a row (begin, c0 ... c8), at time t."""
    tau = t - row[0]
    u = u1 = u2 = u3 = u4 = 0.0
    for k in range(PHASE_DEGREE, -1, -1):
        # Horner's rule for all derivatives together: each adds the old value of the next lower one
        u4 = u4 * tau + u3
        u3 = u3 * tau + u2
        u2 = u2 * tau + u1
        u1 = u1 * tau + u
        u = u * tau + row[1 + k]
    return u, u1, 2.0 * u2, 6.0 * u3, 24.0 * u4


# A row of `waves` (3, 5) is (centre, slope, amplitude, ratio, shift) of a coordinate:
# centre + slope u + amplitude sin(ratio u + shift), of the phase u in rad. `facing` is the yaw, rad, and
# its reference: the direction of the curve (1), the opposite direction (-1), or +x (0).


def slopes(waves: Array, i: int, u: float) -> Slopes:
    """Coordinate i and its derivatives with respect to the phase."""
    n, angle = waves[i, 3], waves[i, 3] * u + waves[i, 4]
    s, c = waves[i, 2] * sin(angle), waves[i, 2] * cos(angle)
    return (
        waves[i, 0] + waves[i, 1] * u + s, waves[i, 1] + n * c,
        -n * n * s, -n * n * n * c, n * n * n * n * s,
    )  # fmt: skip


def bends(facing: Array, x: Slopes, y: Slopes) -> tuple[float, float]:
    """Derivative of the direction of the curve with respect to the phase, and the second derivative."""
    if facing[1] == 0.0:
        return 0.0, 0.0
    _, x1, x2, x3, _ = x
    _, y1, y2, y3, _ = y
    square = max(x1 * x1 + y1 * y1, STILL)
    turn = (x1 * y2 - y1 * x2) / square
    return turn, (x1 * y3 - y1 * x3) / square - 2.0 * turn * (x1 * x2 + y1 * y2) / square


def curve_at(
    waves: Array, facing: Array, row: Array, t: float,
    position: Array, velocity: Array, acceleration: Array, jerk: Array, snap: Array,
) -> tuple[float, float, float]:  # fmt: skip
    """Position and its derivatives; returns the yaw and its first and second derivative.

    By the chain rule up to the fourth derivative (Faa di Bruno).
    """
    u, u1, u2, u3, u4 = phase_at(row, t)
    curve = slopes(waves, 0, u), slopes(waves, 1, u), slopes(waves, 2, u)
    for i in range(3):
        f, f1, f2, f3, f4 = curve[i]
        position[i], velocity[i] = f, f1 * u1
        acceleration[i] = f2 * u1 * u1 + f1 * u2
        jerk[i] = f3 * u1 * u1 * u1 + 3.0 * f2 * u1 * u2 + f1 * u3
        snap[i] = f4 * u1 * u1 * u1 * u1 + 6.0 * f3 * u1 * u1 * u2
        snap[i] += f2 * (3.0 * u2 * u2 + 4.0 * u1 * u3) + f1 * u4
    x, y, _ = curve
    yaw = facing[0] if facing[1] == 0.0 else facing[0] + atan2(facing[1] * y[1], facing[1] * x[1])
    turn, turn1 = bends(facing, x, y)
    return yaw, turn * u1, turn1 * u1 * u1 + turn * u2


def along_curve(waves: Array, facing: Array, rows: Array, times: Array, vectors: Array, angles: Array) -> int:
    """Fill vectors (k, 5, 3), angles (k, 3) at the instants `times` (k,), whose phases are `rows` (k, 10)."""
    for k in range(times.size):
        v = vectors[k]
        angles[k, 0], angles[k, 1], angles[k, 2] = curve_at(
            waves, facing, rows[k], times[k], v[0], v[1], v[2], v[3], v[4]
        )
    return times.size


RAMP = (0.0, 0.0, 0.0, 0.0, 0.0, 7.0, -14.0, 10.0, -2.5)
"""The phase of a ramp as a fraction of rate times ramp, a polynomial in s from 0 to 1.

Its derivative 35 s^4 - 84 s^5 + 70 s^6 - 20 s^7 rises from 0 to 1 and has three derivatives of 0 at both
ends, so the flight is continuous up to its snap.
"""


@dataclass(frozen=True)
class FlightCurve:
    """A curve of sines over a phase u, and the phase over time.

    `waves` (3, 5) has a row (centre, slope, amplitude, ratio, shift) per coordinate, `facing` (2,) the
    heading and its reference: the direction of the curve (1), the opposite direction (-1) or +x (0).
    `knots` are the times at which the phase starts, reaches its rate, slows down and ends (the last two for
    finite `turns`); `table` (k + 1, 10) holds the polynomial of the phase in each interval, first
    the interval before the first knot: its time origin, then c0 ... c8.
    """

    waves: Array
    facing: Array
    knots: Array
    table: Array

    @property
    def start(self) -> float:
        """Start time, s."""
        return float(self.knots[0])

    @property
    def end(self) -> float:
        """End time, s; infinite for a flight without end."""
        return inf if self.table[-1, 2] else float(self.knots[-1])

    def at(self, times: Any) -> FlightValues:
        """The values at given instants, s, or at a number of evenly spaced ones from start to end.

        At a knot they are the values after it, at the end the values before it. Raises TrajectoryError.
        """
        if isinstance(times, int) and self.end == inf:
            raise TrajectoryError("times", times, "a list of instants: this flight has no end")
        time = np.atleast_1d(instants(times, self.start, self.end))
        piece = np.searchsorted(self.knots, time, side="right")
        late = time - self.end
        slack = ROUNDING * float(np.spacing(abs(self.knots).max()))
        piece[(late >= 0.0) & (late <= slack)] = len(self.knots) - 1
        vectors, angles = np.empty((time.size, 5, 3)), np.empty((time.size, 3))
        _native()(self.waves, self.facing, np.ascontiguousarray(self.table[piece]), time, vectors, angles)
        return FlightValues(time, *np.moveaxis(vectors, 1, 0), *angles.T)


_TYPES = ("d2", "d1", "d2", "d1", "d3", "d2")


def _native() -> Any:
    return machine_code(along_curve, _TYPES)


@checked_numbers(refusal)
def lissajous(
    amplitude: ArrayLike,
    ratio: ArrayLike,
    frequency: float,
    *,
    shift: ArrayLike = 0.0,
    slope: ArrayLike = 0.0,
    centre: ArrayLike = 0.0,
    heading: float = 0.0,
    along: bool = False,
    ramp: float = 0.0,
    turns: float | None = None,
    start: float = 0.0,
) -> FlightCurve:
    """p_i = centre_i + slope_i u + amplitude_i sin(ratio_i u + shift_i), with du/dt = frequency, rad/s.

    All vectors are (3,), m and rad, in the world frame, z down. Over the time `ramp`, s, du/dt rises smoothly
    from 0: position, velocity, acceleration, jerk and snap are continuous. After `turns` (u = 2 pi turns) the
    flight is at rest again, after a ramp of the same length; by default it never ends. The yaw is `heading`,
    rad, or, with `along`, the direction of flight plus heading, even where the speed is zero. Before the
    start and after the end the flight is at rest. Raises TrajectoryError.
    """
    vectors = {
        "centre": centre, "slope": slope, "amplitude": amplitude, "ratio": ratio, "shift": shift,
    }  # fmt: skip
    waves = np.empty((3, 5))
    for i, (name, value) in enumerate(vectors.items()):
        array = numbers(name, value)
        if array.shape not in ((), (3,)):
            raise TrajectoryError(name, array.tolist(), "three numbers, for x, y and z")
        waves[:, i] = array
    if along and not np.any(waves[:2, 1]) and not np.any(waves[:2, 2] * waves[:2, 3]):
        raise TrajectoryError("along", True, "a curve that moves along x or y; this one is vertical")
    knots, table = _phase(float(frequency), float(ramp), turns, float(start))
    facing = np.array([float(heading), np.sign(frequency) if along else 0.0])
    return FlightCurve(waves, facing, knots, table)


def _phase(frequency: float, ramp: float, turns: float | None, start: float) -> tuple[Array, Array]:
    if not isfinite(frequency) or frequency == 0.0:
        raise TrajectoryError("frequency", frequency, "a number of rad/s other than 0")
    if not 0.0 <= ramp < inf:
        raise TrajectoryError("ramp", ramp, "a time, s, of zero or more")
    rate = frequency
    blend = np.array(RAMP) * rate * ramp / (ramp or 1.0) ** np.arange(1 + PHASE_DEGREE)
    cruise = np.zeros(1 + PHASE_DEGREE)
    cruise[:2] = 0.5 * rate * ramp, rate
    if turns is None:
        knots = np.array([start, start + ramp])
        rows = [np.zeros(1 + PHASE_DEGREE), blend, cruise]
    else:
        steady = 2.0 * pi * turns / abs(rate) - ramp
        if not 0.0 <= steady < inf:
            least = abs(rate) * ramp / (2.0 * pi)
            raise TrajectoryError("turns", turns, f"at least {least:.6g}, which the ramps take")
        final = 2.0 * pi * turns * (1.0 if rate > 0.0 else -1.0)
        slowing, standstill = -blend, np.zeros(1 + PHASE_DEGREE)
        slowing[0], standstill[0] = final - 0.5 * rate * ramp, final
        slowing[1] += rate
        knots = start + np.array([0.0, ramp, ramp + steady, 2.0 * ramp + steady])
        rows = [np.zeros(1 + PHASE_DEGREE), blend, cruise, slowing, standstill]
    begins = np.concatenate([knots[:1], knots])
    table = np.column_stack([begins, np.array(rows)])
    # Without a ramp some intervals have length 0. The table keeps its shape: its last row is repeated.
    long = np.concatenate([[True], np.diff(knots) > 0.0])
    rows_kept = np.flatnonzero(np.append([True], np.append(long[1:], True)))
    rows_kept = np.append(rows_kept, np.full(len(table) - rows_kept.size, rows_kept[-1]))
    return knots[long], table[rows_kept]


@checked_numbers(refusal)
def figure_eight(
    length: float, width: float, frequency: float, *, centre: ArrayLike = 0.0, heading: float = 0.0,
    along: bool = False, ramp: float = 0.0, turns: float | None = None, start: float = 0.0,
) -> FlightCurve:  # fmt: skip
    """A level eight (lemniscate of Gerono), `length` along x and `width` along y, m, from its crossing.

        x = length / 2 sin u      y = width / 2 sin 2u      du/dt = frequency

    It crosses its centre at its highest speed, frequency sqrt(length^2 / 4 + width^2). Other arguments are
    as in `lissajous`.
    """
    return lissajous(
        [0.5 * length, 0.5 * width, 0.0], [1.0, 2.0, 0.0], frequency, centre=centre, heading=heading,
        along=along, ramp=ramp, turns=turns, start=start,
    )  # fmt: skip


@checked_numbers(refusal)
def helix(
    radius: float, climb: float, frequency: float, *, centre: ArrayLike = 0.0, heading: float = 0.0,
    along: bool = False, ramp: float = 0.0, turns: float | None = None, start: float = 0.0,
) -> FlightCurve:  # fmt: skip
    """A flight about a vertical axis at `radius`, m, from centre + (radius, 0, 0), up by `climb`, m, a turn.

        x = radius cos u      y = radius sin u      z = -climb u / (2 pi)      du/dt = frequency

    Seen from above it runs clockwise, from x to y. With climb = 0 it is a circle. Other arguments are as
    in `lissajous`.
    """
    return lissajous(
        [radius, radius, 0.0], [1.0, 1.0, 0.0], frequency, shift=[0.5 * pi, 0.0, 0.0],
        slope=[0.0, 0.0, -climb / (2.0 * pi)], centre=centre, heading=heading, along=along, ramp=ramp,
        turns=turns, start=start,
    )  # fmt: skip
