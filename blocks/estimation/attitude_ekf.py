"""AttitudeEKF: attitude and gyroscope bias with their covariance."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ...robots.lie.kernels.quaternion import rotation_of_quaternion
from ...robots.vehicles.estimation.attitude import advance_attitude, correct_attitude, observe_direction
from ...robots.vehicles.estimation.kalman import Correction, begin, due
from ..contract.parameter import Array, Real, option, parameter
from ..contract.port import Port, Size, State, bus
from ..contract.random_numbers import tick
from . import outputs as shown
from .estimator import Estimator
from .outputs import ACCELEROMETER, GYROSCOPE, GYROSCOPE_BIAS, QUATERNION, RATES

THREE = Size((3,))
DEVIATIONS = bus(attitude=THREE, gyroscope_bias=THREE)


class Field(NamedTuple):
    """The measured directions, these directions in the world frame, and the variances of the readings."""

    accelerometer: Array
    magnetic_field: Array
    weight: Array
    earth: Array
    variances: Array
    clock_m: Array


class Workspace(NamedTuple):
    """Arrays that a step writes to."""

    R: Array
    turned: Array
    work: Array


class AttitudeEKF(Estimator):
    """The multiplicative extended Kalman filter of attitude and gyroscope bias.

        q <- q exp((w - b) T)                  w = 3/2 gyroscope - 1/2 its last reading
        accelerometer = -R' g z + noise        magnetic_field = R' field + noise

    The errors are the rotation vector in body axes, R_true = R exp(e), and the error of the bias.
    `acceleration` is the standard deviation, per reading, of everything that the accelerometer measures in
    addition to gravity: its noise and the vehicle's accelerations, which the filter treats as noise. There is
    an input for a magnetometer if its sample time is given. Noise densities and walk belong to the IMU: q
    drifts by N sqrt(t), the bias by K sqrt(t). `covariance` is an optional output, 6 x 6. Updates use
    Joseph's form. The filter linearizes about its estimate, so a large initial error of the attitude can make
    it diverge. Outputs: see Estimator. Raises ParameterError if the sample time of the magnetometer is not an
    integer multiple of the IMU's, and for a zero quaternion.
    Source: Markley, Attitude error representations for Kalman filtering, Journal of Guidance, Control, and
    Dynamics 26(2), 2003; Crassidis, Markley, Cheng, same journal 30(1), 2007.

    Example:
        {type: AttitudeEKF, sample_time: 0.002, magnetometer_sample_time: 0.02, acceleration: 0.5}
    """

    icon = "Attitude\nEKF"
    states: ClassVar = (State("x", "x0"), State("P", "P0"))

    acceleration: Real = parameter(
        default=0.5, unit="m/s2", doc="deviation of a reading from gravity", above=0, dimensions=(0, 1)
    )
    magnetometer_noise: Real = parameter(
        default=3.0e-7, unit="T", doc="deviation of a reading", above=0, dimensions=(0, 1)
    )
    magnetometer_sample_time: Real | None = parameter(
        default=None,
        unit="s",
        doc="sample time of the magnetometer; default: no magnetometer",
        above=0,
        dimensions=(0,),
    )
    magnetometer_offset: Real = parameter(
        default=0.0, unit="s", doc="time of the first reading", minimum=0, dimensions=(0,)
    )
    field: Real = parameter(
        default=[2.0e-5, 0.0, 4.5e-5], unit="T", doc="the earth's, in the world frame", dimensions=(1,)
    )
    gravity: Real = parameter(default=9.81, unit="m/s2", above=0, dimensions=(0,))
    gyroscope_noise: Real = parameter(
        default=2.443e-4, unit="rad/s", doc="noise density, per sqrt(Hz)", above=0, dimensions=(0, 1)
    )
    gyroscope_walk: Real = parameter(
        default=1.0e-5, unit="rad/s", doc="deviation of the bias after 1 s", minimum=0, dimensions=(0, 1)
    )
    attitude_deviation: Real = parameter(
        default=0.3, unit="rad", doc="deviation at the start, about each axis", above=0, dimensions=(0, 1)
    )
    gyroscope_bias_deviation: Real = parameter(
        default=0.02, unit="rad/s", doc="deviation at the start", above=0, dimensions=(0, 1)
    )
    covariance: bool = option(default=False, doc="has an output of the covariance")

    def input_ports(self) -> tuple[Port, ...]:
        magnetic = () if self.magnetometer_sample_time is None else (Port("magnetic_field", 3, "T"),)
        return (ACCELEROMETER, GYROSCOPE, *magnetic)

    def output_ports(self) -> tuple[Port, ...]:
        deviations = Port("deviations", DEVIATIONS, "rad, rad/s", "roots of the covariance's diagonal")
        covariance = (Port("covariance", Size((6, 6))),) if self.covariance else ()
        return (QUATERNION, RATES, GYROSCOPE_BIAS, deviations, *covariance)

    def constants(self) -> Mapping[str, Array | float]:
        T = float(self.sample_time)  # type: ignore[arg-type]
        start = np.concatenate([self.triple("attitude_deviation"), self.triple("gyroscope_bias_deviation")])
        bias = self.triple("initial_gyroscope_bias")
        densities = np.concatenate([self.triple("gyroscope_noise"), self.triple("gyroscope_walk")])
        return {
            "x0": np.concatenate([self.first_attitude(), bias, np.zeros(4)]),
            "P0": np.diag(start**2),
            "growth": densities**2 * T,
            "weight": np.array([0.0, 0.0, -float(self.gravity)]),  # type: ignore[arg-type]
            "earth": self.earth_field(),
            "variances": np.array([self.triple("acceleration") ** 2, self.triple("magnetometer_noise") ** 2]),
            "clock_m": self.clock("magnetometer"),
            **({"magnetic_field": np.zeros(3)} if self.magnetometer_sample_time is None else {}),
        }

    def scratch(self) -> Mapping[str, tuple[int, ...]]:
        return {
            "change": (6,), "gain": (6,), "product": (6,), "R": (3, 3), "turned": (6, 6), "work": (2, 4)
        }  # fmt: skip

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        covariance = {"output_covariance": shown.covariance} if self.covariance else {}
        return {**super().functions(), **covariance}

    @staticmethod
    def update(
        t: float, sample_time: float, offset: float, gyroscope: Array, field: Field, x: Array, P: Array,
        c: Correction, growth: Array, work: Workspace, next_x: Array, next_P: Array,
    ) -> None:  # fmt: skip
        for i in range(11):
            next_x[i] = x[i]
        for i in range(6):
            for j in range(6):
                next_P[i, j] = P[i, j]
        rotation_of_quaternion(x[0], x[1], x[2], x[3], work.R)
        begin(c)
        observe_direction(c, next_P, work.R, field.accelerometer, field.weight, field.variances[0])
        if due(field.clock_m, tick(t, offset, sample_time)):
            observe_direction(c, next_P, work.R, field.magnetic_field, field.earth, field.variances[1])
        correct_attitude(c, next_x, next_P, work.work)
        advance_attitude(
            next_x, next_P, gyroscope, growth, sample_time, work.R, work.turned, work.work
        )  # fmt: skip

    output_quaternion = staticmethod(shown.attitude)
    output_rates = staticmethod(shown.turning)
    output_gyroscope_bias = staticmethod(shown.bias)
    output_deviations = staticmethod(shown.deviations)
