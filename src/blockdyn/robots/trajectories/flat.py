"""Flat motion: attitude, rates, thrust and torque of a vehicle along a flight, at many instants."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.checked import guarded
from ..calls.kernel import machine_code
from ..library.vehicles import vehicle_from
from ..vehicles.flatness import Flight, Flown, flat_inputs
from .errors import refusal
from .flight_path import FlightValues

Array = NDArray[np.float64]


@dataclass(frozen=True)
class FlatValues:
    """The state and inputs of a vehicle along a flight: a row per instant."""

    time: Array
    quaternion: Array  # (k, 4), scalar first, from body to world, of one sign throughout
    rates: Array  # (k, 3), rad/s, in body axes
    angular_acceleration: Array  # (k, 3), rad/s2
    thrust: Array  # (k,), N
    torque: Array  # (k, 3), N m


_TYPES = ("d", "d2", "d1", "d", *["d2"] * 4, "d2", *["d2"] * 4, "d1", "d2")


@guarded(refusal)
def flat_motion(vehicle: Any, flight: FlightValues) -> FlatValues:
    """The attitude, rates, thrust and torque with which a vehicle flies along a flight.

    `vehicle` is a Multirotor, or the name or mapping of one; its linear drag is taken into account, its
    quadratic drag is not. The equations are those of the block Flatness. Raises
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
    # q and -q are one attitude: each is taken from the side of the one before
    turns = np.where(np.sum(quaternion[1:] * quaternion[:-1], axis=1) < 0.0, -1.0, 1.0)
    quaternion[1:] *= np.cumprod(turns)[:, np.newaxis]
    return FlatValues(flight.time, quaternion, rates, acceleration, thrust, torque)


def along_flight(
    mass: float, J: Array, drag: Array, gravity: float,
    velocity: Array, acceleration: Array, jerk: Array, snap: Array, angles: Array,
    quaternion: Array, rates: Array, turning: Array, torque: Array, thrust: Array, R: Array,
) -> int:  # fmt: skip
    """Fill quaternion, rates, angular acceleration, torque and thrust, a row an instant."""
    flown = Flown(mass, J, drag, gravity)
    for k in range(thrust.size):
        flight = Flight(
            velocity[k], acceleration[k], jerk[k], snap[k], angles[k, 0], angles[k, 1], angles[k, 2]
        )
        thrust[k] = flat_inputs(flown, flight, quaternion[k], rates[k], turning[k], torque[k], R)
    return thrust.size
