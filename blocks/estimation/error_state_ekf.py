"""ErrorStateEKF: position, velocity, attitude and biases of a vehicle from its IMU and other sensors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np

from ...robots.vehicles.estimation.error_state import (
    ERRORS,
    STATES,
    Inertial,
    SensorReadings,
    Workspace,
    advance,
    correct,
)
from ...robots.vehicles.estimation.kalman import Correction, due
from ..contract.errors import Refusal
from ..contract.parameter import Array, Real, option, parameter
from ..contract.port import SCALAR, XYZ, Port, Size, State, bus
from ..contract.random_numbers import tick
from . import outputs as shown
from .estimator import Estimator
from .outputs import ACCELEROMETER, GYROSCOPE, GYROSCOPE_BIAS, QUATERNION, RATES

THREE = Size((3,))
DEVIATIONS = bus(
    position=THREE, velocity=THREE, attitude=THREE, accelerometer_bias=THREE, gyroscope_bias=THREE
)
SENSORS = {  # by the names of their clocks: the input, its shape, its unit
    "position": (THREE, "m", "in the world frame, z down"),
    "velocity": (THREE, "m/s", "in the world frame, z down"),
    "quaternion": (Size((4,)), "", "attitude, scalar first, of any length but 0"),
    "height": (SCALAR, "m", "against z"),
}


def noise(default: float, unit: str) -> Any:
    return parameter(default=default, unit=unit, doc="deviation of a reading", above=0, dimensions=(0, 1))


def period(sensor: str) -> Any:
    doc = f"of the measured {sensor}; default: it is not measured"
    return parameter(default=None, unit="s", doc=doc, above=0, dimensions=(0,))


def first_reading() -> Any:
    return parameter(default=0.0, unit="s", doc="time of the first reading", minimum=0, dimensions=(0,))


def spread(default: float, unit: str) -> Any:
    return parameter(default=default, unit=unit, doc="deviation at the start", above=0, dimensions=(0, 1))


class ErrorStateEKF(Estimator):
    """The error-state Kalman filter: an IMU propagates the state, other sensors correct it.

        dp/dt = v      dv/dt = R(q) (accelerometer - b_a) + g z      dq/dt = q (0, gyroscope - b_g) / 2

    with the accelerations and rates at the middle of each step, from two readings. The 15 errors are the
    errors of p, v, attitude (R_true = R exp(e), in body axes), b_a and b_g. Each sensor X with a sample time
    has an input measured_X: position, velocity, quaternion and height (against z), as GPS, MotionCapture and
    Barometer output them, with white noise. Noise densities and walks belong to the IMU. `deviations` are the
    square roots of the covariance's diagonal; `covariance` is an optional output, 15 x 15. Updates use
    Joseph's form. Outputs: see Estimator. The IMU and the markers are assumed to be at the estimated point.

    Raises ParameterError for sample times that are not integer multiples of the IMU's and for a zero
    quaternion at the start; a measured zero quaternion ends the run.
    Source: Sola, Quaternion kinematics for the error-state Kalman filter, arXiv 1711.02508.

    Example:
        {type: ErrorStateEKF, sample_time: 0.002, position_sample_time: 0.02, quaternion_sample_time: 0.02}
    """

    icon = "Error-state\nEKF"
    states: ClassVar = (State("x", "x0"), State("P", "P0"))

    position_sample_time: Real | None = period("position")
    position_offset: Real = first_reading()
    position_noise: Real = noise(0.0005, "m")
    velocity_sample_time: Real | None = period("velocity")
    velocity_offset: Real = first_reading()
    velocity_noise: Real = noise(0.05, "m/s")
    quaternion_sample_time: Real | None = period("quaternion")
    quaternion_offset: Real = first_reading()
    quaternion_noise: Real = noise(0.003, "rad")
    height_sample_time: Real | None = period("height")
    height_offset: Real = first_reading()
    height_noise: Real = parameter(
        default=0.1, unit="m", doc="deviation of a reading", above=0, dimensions=(0,)
    )
    accelerometer_noise: Real = parameter(
        default=1.716e-3, unit="m/s2", doc="noise density, per sqrt(Hz)", above=0, dimensions=(0, 1)
    )
    gyroscope_noise: Real = parameter(
        default=2.443e-4, unit="rad/s", doc="noise density, per sqrt(Hz)", above=0, dimensions=(0, 1)
    )
    accelerometer_walk: Real = parameter(
        default=1.0e-4, unit="m/s2", doc="deviation of the bias after 1 s", minimum=0, dimensions=(0, 1)
    )
    gyroscope_walk: Real = parameter(
        default=1.0e-5, unit="rad/s", doc="deviation of the bias after 1 s", minimum=0, dimensions=(0, 1)
    )
    gravity: Real = parameter(
        default=9.81, unit="m/s2", doc="acceleration of free fall, along z", minimum=0, dimensions=(0,)
    )
    initial_position: Real = parameter(default=0.0, unit="m", doc="position at the start", dimensions=(0, 1))
    initial_velocity: Real = parameter(
        default=0.0, unit="m/s", doc="velocity at the start", dimensions=(0, 1)
    )
    initial_accelerometer_bias: Real = parameter(
        default=0.0, unit="m/s2", doc="bias at the start", dimensions=(0, 1)
    )
    position_deviation: Real = spread(0.1, "m")
    velocity_deviation: Real = spread(0.1, "m/s")
    attitude_deviation: Real = spread(0.1, "rad")
    accelerometer_bias_deviation: Real = spread(0.1, "m/s2")
    gyroscope_bias_deviation: Real = spread(0.02, "rad/s")
    covariance: bool = option(default=False, doc="has an output of the covariance")

    def measures(self, sensor: str) -> bool:
        """True if a sensor is present."""
        return getattr(self, f"{sensor}_sample_time") is not None

    def input_ports(self) -> tuple[Port, ...]:
        others = [Port(f"measured_{name}", *port) for name, port in SENSORS.items() if self.measures(name)]
        return (ACCELEROMETER, GYROSCOPE, *others)

    def output_ports(self) -> tuple[Port, ...]:
        covariance = (Port("covariance", Size((ERRORS, ERRORS))),) if self.covariance else ()
        return (
            Port("position", 3, "m", "in the world frame", elements=XYZ),
            Port("velocity", 3, "m/s", "in the world frame", elements=XYZ),
            QUATERNION,
            RATES,
            Port("accelerometer_bias", 3, "m/s2", elements=XYZ),
            GYROSCOPE_BIAS,
            Port("deviations", DEVIATIONS, "m, m/s, rad, m/s2, rad/s", "roots of the covariance's diagonal"),
            *covariance,
        )

    def constants(self) -> Mapping[str, Array | float]:
        T = float(self.sample_time)  # type: ignore[arg-type]
        walks = ("accelerometer_noise", "gyroscope_noise", "accelerometer_walk", "gyroscope_walk")
        starts = ("position", "velocity", "attitude", "accelerometer_bias", "gyroscope_bias")
        absent = {
            f"measured_{name}": np.zeros(size.shape) if size.shape else 0.0
            for name, (size, _, _) in SENSORS.items()
            if not self.measures(name)
        }
        x0 = [
            self.triple("initial_position"), self.triple("initial_velocity"), self.first_attitude(),
            self.triple("initial_accelerometer_bias"), self.triple("initial_gyroscope_bias"), np.zeros(7),
        ]  # fmt: skip
        return {
            "x0": np.concatenate(x0),
            "P0": np.diag(np.concatenate([self.triple(f"{name}_deviation") for name in starts]) ** 2),
            "growth": np.concatenate([np.zeros(3), *(self.triple(name) ** 2 * T for name in walks)]),
            "clocks": np.array([self.clock(name) for name in SENSORS]),
            "variances": np.array([self.triple(f"{name}_noise") ** 2 for name in SENSORS]),
            **absent,
        }

    def scratch(self) -> Mapping[str, tuple[int, ...]]:
        correction = {"change": (ERRORS,), "gain": (ERRORS,), "product": (ERRORS,)}
        return {**correction, "frames": (5, 3, 3), "carried": (ERRORS, ERRORS), "work": (2, 4)}

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        covariance = {"output_covariance": shown.covariance} if self.covariance else {}
        return {**super().functions(), **covariance}

    @staticmethod
    def update(
        t: float, offset: float, measured: SensorReadings, imu: Inertial, c: Correction, room: Workspace,
        x: Array, P: Array, next_x: Array, next_P: Array,
    ) -> None:  # fmt: skip
        for i in range(STATES):
            next_x[i] = x[i]
        for i in range(ERRORS):
            for j in range(ERRORS):
                next_P[i, j] = P[i, j]
        count, q = tick(t, offset, imu.sample_time), measured.measured_quaternion
        if due(measured.clocks[2], count) and q[0] == 0.0 and q[1] == 0.0 and q[2] == 0.0 and q[3] == 0.0:
            raise Refusal("the measured quaternion is zero, which is not an attitude: check the sensor")
        correct(c, next_x, next_P, measured, count, room.work)
        advance(next_x, next_P, imu, room)

    @staticmethod
    def output_position(x: Array, position: Array) -> None:
        for i in range(3):
            position[i] = x[i]

    @staticmethod
    def output_velocity(x: Array, velocity: Array) -> None:
        for i in range(3):
            velocity[i] = x[3 + i]

    @staticmethod
    def output_quaternion(x: Array, quaternion: Array) -> None:
        for i in range(4):
            quaternion[i] = x[6 + i]

    @staticmethod
    def output_rates(gyroscope: Array, x: Array, rates: Array) -> None:
        for i in range(3):
            rates[i] = gyroscope[i] - x[13 + i]

    @staticmethod
    def output_accelerometer_bias(x: Array, accelerometer_bias: Array) -> None:
        for i in range(3):
            accelerometer_bias[i] = x[10 + i]

    @staticmethod
    def output_gyroscope_bias(x: Array, gyroscope_bias: Array) -> None:
        for i in range(3):
            gyroscope_bias[i] = x[13 + i]

    output_deviations = staticmethod(shown.deviations)
