"""PlanarIMU: accelerometer and gyroscope of a vehicle on the plane."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from typing import ClassVar, NamedTuple

import numpy as np

from ..contract.parameter import Array, Real, parameter
from ..contract.port import XYZ, Port, State
from ..contract.random_numbers import tick
from .sensor import Sensor, noise, of_axes, step_drift


class Motion(NamedTuple):
    """Motion of the vehicle, now and at the last reading."""

    speed: float
    side_speed: float
    turn_rate: float
    last: Array
    lever: Array


class Walk(NamedTuple):
    """The biases, as random walks, and the standard deviations of their steps."""

    b_a: Array
    b_g: Array
    kick_a: Array
    kick_g: Array


class PlanarIMU(Sensor):
    """An accelerometer and a gyroscope of a vehicle on the plane, at a `place` r in its axes.

        accelerometer = (u' - omega v, v' + omega u) + omega' x r - omega^2 r + bias + b_a + N_a / sqrt(T) z
        gyroscope     = omega + bias + b_g + N_g / sqrt(T) z,       z ~ N(0, 1)

    forwards and to the left, with the speeds u, forwards, and v, to the left. The rates of change u', v' and
    omega' are means since the last reading, as from an integrating instrument, and 0 at the first reading: a
    jump of the speed affects one reading. N is the noise density, the Allan deviation at 1 s; the biases b
    are random walks, b_{k+1} = b_k + K sqrt(T) z. If unconnected, side_speed is 0: wheeled vehicles that do
    not slip only move forwards. Defaults: as IMU. Source: IEEE Std 952-1997, Annex C, for noise and walk by
    the Allan deviation.

    Example:
        {type: PlanarIMU, sample_time: 0.01, gyroscope_bias: 0.002}
    """

    icon = "inertial"
    inputs: ClassVar = (
        Port("speed", 1, "m/s", "forwards"),
        Port("turn_rate", 1, "rad/s", "of the heading"),
        Port("side_speed", 1, "m/s", "to the left", default=0.0),
    )
    outputs: ClassVar = (
        Port("accelerometer", 2, "m/s2", "at the instrument, forwards and to the left", elements=XYZ[:2]),
        Port("gyroscope", 1, "rad/s", "turn rate, to the left"),
    )
    states: ClassVar = (State("last", "still"), State("b_a", "rest"), State("b_g", "one"))

    accelerometer_noise: Real = parameter(
        default=1.716e-3, unit="m/s2", doc="noise density, per sqrt(Hz)", minimum=0, dimensions=(0, 1)
    )
    gyroscope_noise: Real = parameter(
        default=2.443e-4, unit="rad/s", doc="noise density, per sqrt(Hz)", minimum=0, dimensions=(0,)
    )
    accelerometer_walk: Real = parameter(
        default=0.0, unit="m/s2", doc="deviation of the bias after 1 s", minimum=0, dimensions=(0, 1)
    )
    gyroscope_walk: Real = parameter(
        default=0.0, unit="rad/s", doc="deviation of the bias after 1 s", minimum=0, dimensions=(0,)
    )
    accelerometer_bias: Real = parameter(default=0.0, unit="m/s2", doc="bias at the start", dimensions=(0, 1))
    gyroscope_bias: Real = parameter(default=0.0, unit="rad/s", doc="bias at the start", dimensions=(0,))
    place: Real = parameter(
        default=[0.0, 0.0],
        unit="m",
        doc="position of the instrument, forwards and to the left",
        dimensions=(0, 1),
    )

    def check(self) -> None:
        self.constants()

    def constants(self) -> Mapping[str, Array | float]:
        root = sqrt(float(self.sample_time))  # type: ignore[arg-type]
        walk = float(self.gyroscope_walk)  # type: ignore[arg-type]
        return {
            "sigma_a": of_axes(self, "accelerometer_noise", 2) / root,
            "sigma_g": float(self.gyroscope_noise) / root,  # type: ignore[arg-type]
            "kick_a": of_axes(self, "accelerometer_walk", 2) * root,
            "kick_g": np.array([walk * root]),
            "bias_a": of_axes(self, "accelerometer_bias", 2),
            "lever": of_axes(self, "place", 2),
            "still": np.zeros(3), "rest": np.zeros(2), "one": np.zeros(1),
        }  # fmt: skip

    @staticmethod
    def update(
        t: float, stream: Array, sample_time: float, offset: float, speed: float, side_speed: float,
        turn_rate: float, walk: Walk, next_last: Array, next_b_a: Array, next_b_g: Array,
    ) -> None:  # fmt: skip
        count = tick(t, offset, sample_time)
        next_last[0], next_last[1], next_last[2] = speed, side_speed, turn_rate
        step_drift(stream, count, 0, 1.0, walk.kick_a, walk.b_a, next_b_a)
        step_drift(stream, count, 2, 1.0, walk.kick_g, walk.b_g, next_b_g)

    @staticmethod
    def output_accelerometer(
        t: float, stream: Array, sample_time: float, offset: float, motion: Motion, b_a: Array, bias_a: Array,
        sigma_a: Array, accelerometer: Array,
    ) -> None:  # fmt: skip
        count = tick(t, offset, sample_time)
        specific_force(motion, 0.0 if count == 0.0 else 1.0 / sample_time, accelerometer)
        for i in range(2):
            accelerometer[i] += bias_a[i] + b_a[i] + sigma_a[i] * noise(stream, count, i)

    @staticmethod
    def output_gyroscope(
        t: float, stream: Array, sample_time: float, offset: float, turn_rate: float, b_g: Array,
        gyroscope_bias: float, sigma_g: float,
    ) -> float:  # fmt: skip
        count = tick(t, offset, sample_time)
        return turn_rate + gyroscope_bias + b_g[0] + sigma_g * noise(stream, count, 2)  # type: ignore[no-any-return]


def specific_force(motion: Motion, rate: float, force: Array) -> None:
    """Write the acceleration of the instrument, in the axes of the vehicle; `rate` is 1 over the period."""
    u, v, w = motion.speed, motion.side_speed, motion.turn_rate
    x, y = motion.lever[0], motion.lever[1]
    turning = (w - motion.last[2]) * rate
    force[0] = (u - motion.last[0]) * rate - w * v - turning * y - w * w * x
    force[1] = (v - motion.last[1]) * rate + w * u + turning * x - w * w * y
