"""IMU: accelerometer and gyroscope."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from typing import ClassVar, NamedTuple

import numpy as np

from ..contract.parameter import Array, Real, parameter
from ..contract.port import XYZ, Port, State
from ..contract.random_numbers import tick
from .sensor import Sensor, noise, step_drift


class Motion(NamedTuple):
    """The measured motion, and the position of the instrument."""

    specific_force: Array
    rates: Array
    angular_acceleration: Array
    place: Array


class IMU(Sensor):
    """An accelerometer and a gyroscope at the point r of a rigid body, in body axes.

        accelerometer = f + dw/dt x r + w x (w x r) + bias + b_a + N_a / sqrt(T) z
        gyroscope     = w + bias + b_g + N_g / sqrt(T) z,       z ~ N(0, 1), cut off at +-range

    f is the specific force at the centre of mass, acceleration minus gravity, and w are the rates. N is the
    noise density, the Allan deviation at 1 s. The biases b are random walks: b_{k+1} = b_k + K sqrt(T) z,
    with the Allan deviation K sqrt(tau / 3). `accelerometer_bias` and `gyroscope_bias` are the biases at
    switch-on. Defaults: noise densities of a Bosch BMI088 at 100 Hz, its data sheet's 175 ug / sqrt(Hz) and
    0.014 deg/s / sqrt(Hz). If unconnected, the angular acceleration is 0.
    Source: IEEE Std 952-1997, Annex C, for noise and walk by the Allan deviation.

    Example:
        {type: IMU, sample_time: 0.002, gyroscope_walk: 1.0e-4}
    """

    icon = "inertial"
    inputs: ClassVar = (
        Port("specific_force", 3, "m/s2", "at the centre of mass, in body axes"),
        Port("rates", 3, "rad/s", "angular velocity in body axes"),
        Port("angular_acceleration", 3, "rad/s2", "in body axes", default=0.0),
    )
    outputs: ClassVar = (
        Port("accelerometer", 3, "m/s2", "specific force at the instrument", elements=XYZ),
        Port("gyroscope", 3, "rad/s", "angular velocity", elements=XYZ),
    )
    states: ClassVar = (State("b_a", "rest"), State("b_g", "rest"))

    accelerometer_noise: Real = parameter(
        default=1.716e-3, unit="m/s2", doc="noise density, per sqrt(Hz)", minimum=0, dimensions=(0, 1)
    )
    gyroscope_noise: Real = parameter(
        default=2.443e-4, unit="rad/s", doc="noise density, per sqrt(Hz)", minimum=0, dimensions=(0, 1)
    )
    accelerometer_walk: Real = parameter(
        default=0.0, unit="m/s2", doc="deviation of the bias after 1 s", minimum=0, dimensions=(0, 1)
    )
    gyroscope_walk: Real = parameter(
        default=0.0, unit="rad/s", doc="deviation of the bias after 1 s", minimum=0, dimensions=(0, 1)
    )
    accelerometer_bias: Real = parameter(default=0.0, unit="m/s2", doc="bias at the start", dimensions=(0, 1))
    gyroscope_bias: Real = parameter(default=0.0, unit="rad/s", doc="bias at the start", dimensions=(0, 1))
    accelerometer_range: Real = parameter(
        default=np.inf, unit="m/s2", doc="maximum reading", above=0, infinite=True, dimensions=(0,)
    )
    gyroscope_range: Real = parameter(
        default=np.inf, unit="rad/s", doc="maximum reading", above=0, infinite=True, dimensions=(0,)
    )
    place: Real = parameter(
        default=[0.0, 0.0, 0.0],
        unit="m",
        doc="position relative to the centre of mass, in body axes",
        dimensions=(1,),
    )

    def check(self) -> None:
        self.triple("place")
        self.constants()

    def constants(self) -> Mapping[str, Array | float]:
        root = sqrt(float(self.sample_time))  # type: ignore[arg-type]
        return {
            "sigma_a": self.triple("accelerometer_noise") / root,
            "sigma_g": self.triple("gyroscope_noise") / root,
            "kick_a": self.triple("accelerometer_walk") * root,
            "kick_g": self.triple("gyroscope_walk") * root,
            "bias_a": self.triple("accelerometer_bias"),
            "bias_g": self.triple("gyroscope_bias"),
            "rest": np.zeros(3),
        }

    @staticmethod
    def update(
        t: float, stream: Array, sample_time: float, offset: float, b_a: Array, b_g: Array,
        kick_a: Array, kick_g: Array, next_b_a: Array, next_b_g: Array,
    ) -> None:  # fmt: skip
        count = tick(t, offset, sample_time)
        step_drift(stream, count, 0, 1.0, kick_a, b_a, next_b_a)
        step_drift(stream, count, 3, 1.0, kick_g, b_g, next_b_g)

    @staticmethod
    def output_accelerometer(
        t: float, stream: Array, sample_time: float, offset: float, motion: Motion, b_a: Array, bias_a: Array,
        sigma_a: Array, accelerometer_range: float, accelerometer: Array,
    ) -> None:  # fmt: skip
        count = tick(t, offset, sample_time)
        force, w, a, r = motion.specific_force, motion.rates, motion.angular_acceleration, motion.place
        along, square = w[0] * r[0] + w[1] * r[1] + w[2] * r[2], w[0] * w[0] + w[1] * w[1] + w[2] * w[2]
        for i in range(3):
            j, k = (i + 1) % 3, (i + 2) % 3
            lever = a[j] * r[k] - a[k] * r[j] + w[i] * along - r[i] * square  # w x (w x r) = w (w r) - r w^2
            reading = force[i] + lever + bias_a[i] + b_a[i] + sigma_a[i] * noise(stream, count, i)
            accelerometer[i] = min(max(reading, -accelerometer_range), accelerometer_range)

    @staticmethod
    def output_gyroscope(
        t: float, stream: Array, sample_time: float, offset: float, rates: Array,
        b_g: Array, bias_g: Array, sigma_g: Array, gyroscope_range: float, gyroscope: Array,
    ) -> None:  # fmt: skip
        count = tick(t, offset, sample_time)
        for i in range(3):
            reading = rates[i] + bias_g[i] + b_g[i] + sigma_g[i] * noise(stream, count, 3 + i)
            gyroscope[i] = min(max(reading, -gyroscope_range), gyroscope_range)
