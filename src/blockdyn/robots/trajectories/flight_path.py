"""FlightPath prescribes position and yaw over time, with derivatives up to snap and flat inputs."""

from __future__ import annotations

from dataclasses import dataclass
from math import atan2, perm
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...base.checked import checked_numbers
from ..calls.kernel import machine_code
from ..library.vehicles import vehicle_from
from ..vehicles.flatness import FlatBody, Flight, flat_inputs
from .motion import ROUNDING, instants, refusal

Array = NDArray[np.float64]

DEGREE = 7
WIDTH = 2 + DEGREE  # a row of a table: the time at which the polynomial begins, then c0 ... c7
COLUMNS = 6  # x, y, z, the turn, and the two components of the turn's reference direction
TURN, FORWARD, RIGHT = 3, 4, 5

SAMPLES = 65  # per piece; the largest is refined: a polynomial of degree 14 has at most 7 maxima
NEWTON = 4  # steps from there

FACTORS = tuple(tuple(float(perm(k, order)) for k in range(DEGREE + 1)) for order in range(5))
"""k (k - 1) ... (k - order + 1): the factors of the derivatives of powers."""


def derivative_at(row: Array, order: int, t: float) -> float:
    """The derivative of a row's polynomial, of order 0 to 4, at time t."""
    tau = t - row[0]
    value = 0.0
    for k in range(DEGREE, order - 1, -1):
        value = value * tau + FACTORS[order][k] * row[1 + k]
    return value


def vector_at(rows: Array, order: int, t: float, out: Array) -> None:
    """The derivatives of the position, of order 0 to 4, at time t, into out (3,)."""
    for i in range(3):
        out[i] = derivative_at(rows[i], order, t)


# The direction (hx, hy) is a separate polynomial, so that the yaw along a path is regular at zero speed: at
# a start from rest the velocity is t^3 times a nonzero vector, and (hx, hy) is this vector.


def yaw_at(rows: Array, t: float) -> float:
    """The turn, and the angle of the direction, rad."""
    hx, hy = derivative_at(rows[FORWARD], 0, t), derivative_at(rows[RIGHT], 0, t)
    return derivative_at(rows[TURN], 0, t) + atan2(hy, hx)


def yaw_rate_at(rows: Array, t: float) -> float:
    """The rate of the yaw, rad/s."""
    hx, hy = derivative_at(rows[FORWARD], 0, t), derivative_at(rows[RIGHT], 0, t)
    dx, dy = derivative_at(rows[FORWARD], 1, t), derivative_at(rows[RIGHT], 1, t)
    return derivative_at(rows[TURN], 1, t) + (hx * dy - hy * dx) / (hx * hx + hy * hy)


def yaw_acceleration_at(rows: Array, t: float) -> float:
    """The rate of the yaw rate, rad/s2."""
    hx, hy = derivative_at(rows[FORWARD], 0, t), derivative_at(rows[RIGHT], 0, t)
    dx, dy = derivative_at(rows[FORWARD], 1, t), derivative_at(rows[RIGHT], 1, t)
    ddx, ddy = derivative_at(rows[FORWARD], 2, t), derivative_at(rows[RIGHT], 2, t)
    square = hx * hx + hy * hy
    turn = hx * dy - hy * dx
    bend = (hx * ddy - hy * ddx) / square - 2.0 * turn * (hx * dx + hy * dy) / (square * square)
    return derivative_at(rows[TURN], 2, t) + bend


@dataclass(frozen=True)
class FlightValues:
    """A flight over time, one row per instant. World axes, z down; m, s, rad."""

    time: Array
    position: Array  # (k, 3)
    velocity: Array
    acceleration: Array
    jerk: Array
    snap: Array
    yaw: Array  # (k,)
    yaw_rate: Array
    yaw_acceleration: Array


@dataclass(frozen=True)
class FlightPath:
    """Polynomials of degree 7 in time for the position (x, y, z) and the yaw, piece by piece.

    `knots` (k,) are the instants at which a piece begins or the last piece ends. `table` (m, 6, 9) holds one
    piece per row, first the piece before the first knot; after k + 1 the last is repeated. For x, y, z,
    the turn and the direction (hx, hy) a piece has the time origin of the polynomial, then c0 ... c7.
    yaw = turn + atan2(hy, hx).
    """

    knots: Array
    table: Array

    @property
    def start(self) -> float:
        """Start time, s."""
        return float(self.knots[0])

    @property
    def end(self) -> float:
        """End time, s."""
        return float(self.knots[-1])

    def at(self, times: ArrayLike = 101) -> FlightValues:
        """The values at given instants, s, or at a number of evenly spaced ones from start to end.

        At a knot they are the values after it, at the last knot before it. Raises TrajectoryError.
        """
        time = np.atleast_1d(instants(times, self.start, self.end))
        piece = np.searchsorted(self.knots, time, side="right")
        late = time - self.knots[-1]
        slack = ROUNDING * float(np.spacing(abs(self.knots).max()))
        piece[(late >= 0.0) & (late <= slack)] = len(self.knots) - 1
        # (9, 6, k), so that a row is one of the kernels' rows, with all instants adjacent
        rows: Any = self.table[piece].transpose(1, 2, 0)
        p0, p1, p2, p3, p4 = (
            np.stack([np.asarray(derivative_at(rows[i], n, time)) for i in range(3)], axis=1)  # type: ignore[arg-type]
            for n in range(5)
        )
        turn, hx, hy = ([derivative_at(rows[i], n, time) for n in range(3)] for i in (TURN, FORWARD, RIGHT))  # type: ignore[arg-type]
        square = np.square(hx[0]) + np.square(hy[0])
        rate = (hx[0] * hy[1] - hy[0] * hx[1]) / square
        bend = (hx[0] * hy[2] - hy[0] * hx[2]) / square
        bend = bend - 2.0 * rate * (hx[0] * hx[1] + hy[0] * hy[1]) / square
        yaw = turn[0] + np.arctan2(hy[0], hx[0])
        return FlightValues(time, p0, p1, p2, p3, p4, yaw, turn[1] + rate, turn[2] + bend)

    def peaks(self, order: int) -> Array:
        """The maximum length (m,) of the position's derivative of this order in each of m pieces."""
        return peaks(self.table[1 : len(self.knots), :3, 1:], np.diff(self.knots), order)


def peaks(coefficients: Array, durations: Array, order: int) -> Array:
    """The maximum lengths (m,) of a derivative of pieces (m, n, 8) with `durations` (m,)."""
    powers = np.arange(1 + DEGREE - order)
    c = (coefficients * FACTORS[order])[..., order:] * durations[:, np.newaxis, np.newaxis] ** powers
    square = np.zeros((len(c), 2 * powers.size - 1))
    for i in powers:
        square[:, i : i + powers.size] += np.einsum("mi,mij->mj", c[:, :, i], c)
    return np.sqrt(greatest(square))


def greatest(c: Array) -> Array:
    """The maximum values (m,) on [0, 1] of polynomials (m, n), lowest degree first."""
    powers = np.arange(c.shape[1])
    slope = c[:, 1:] * powers[1:]
    curve = slope[:, 1:] * powers[1:-1]
    grid = np.linspace(0.0, 1.0, SAMPLES)
    values = c @ (grid[:, np.newaxis] ** powers).T
    best = values.max(axis=1)
    s = grid[values.argmax(axis=1)]
    for _ in range(NEWTON):
        power = s[:, np.newaxis] ** powers
        rise, bend = np.sum(slope * power[:, :-1], axis=1), np.sum(curve * power[:, :-2], axis=1)
        step = rise / np.where(bend < 0.0, bend, np.inf)
        s = np.clip(s - np.clip(step, -1.0 / SAMPLES, 1.0 / SAMPLES), 0.0, 1.0)
        best = np.maximum(best, np.sum(c * s[:, np.newaxis] ** powers, axis=1))
    return np.asarray(best)


@dataclass(frozen=True)
class FlatValues:
    """The state and inputs of a vehicle along a flight: a row per instant."""

    time: Array
    quaternion: Array  # (k, 4), scalar first, from body to world, without sign changes
    rates: Array  # (k, 3), rad/s, in body axes
    angular_acceleration: Array  # (k, 3), rad/s2
    thrust: Array  # (k,), N
    torque: Array  # (k, 3), N m


_TYPES = ("d", "d2", "d1", "d", *["d2"] * 4, "d2", *["d2"] * 4, "d1", "d2")


@checked_numbers(refusal)
def flat_motion(vehicle: ArrayLike, flight: FlightValues) -> FlatValues:
    """The attitude, rates, thrust and torque with which a vehicle flies along a flight.

    `vehicle` is a Multirotor, or the name or mapping of one; its linear drag is included, its
    quadratic drag is not. The equations are in the block Flatness. Raises
    RobotError for an unknown vehicle, TrajectoryError if the argument is not a flight.
    """
    model = vehicle_from(vehicle)
    count = flight.time.size
    quaternion, thrust = np.empty((count, 4)), np.empty(count)
    rates, acceleration, torque = np.empty((3, count, 3))
    vectors = (flight.velocity, flight.acceleration, flight.jerk, flight.snap)
    angles = np.column_stack([flight.yaw, flight.yaw_rate, flight.yaw_acceleration])
    machine_code(along_flight, _TYPES)(
        model.mass, np.array(model.inertia), np.array(model.linear_drag), model.gravity,
        *(np.ascontiguousarray(v) for v in vectors), angles,
        quaternion, rates, acceleration, torque, thrust, np.empty((3, 3)),
    )  # fmt: skip
    # q and -q are one attitude: the sign nearest to the previous quaternion is used
    turns = np.where(np.sum(quaternion[1:] * quaternion[:-1], axis=1) < 0.0, -1.0, 1.0)
    quaternion[1:] *= np.cumprod(turns)[:, np.newaxis]
    return FlatValues(flight.time, quaternion, rates, acceleration, thrust, torque)


def along_flight(
    mass: float, J: Array, drag: Array, gravity: float,
    velocity: Array, acceleration: Array, jerk: Array, snap: Array, angles: Array,
    quaternion: Array, rates: Array, turning: Array, torque: Array, thrust: Array, R: Array,
) -> int:  # fmt: skip
    """Fill quaternion, rates, angular acceleration, torque and thrust, one row per instant."""
    flown = FlatBody(mass, J, drag, gravity)
    for k in range(thrust.size):
        flight = Flight(
            velocity[k], acceleration[k], jerk[k], snap[k], angles[k, 0], angles[k, 1], angles[k, 2]
        )
        thrust[k] = flat_inputs(flown, flight, quaternion[k], rates[k], turning[k], torque[k], R)
    return thrust.size
