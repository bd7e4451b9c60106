"""PlanarGPS: position and velocity of a vehicle on the plane, from satellites."""

from __future__ import annotations

from collections.abc import Mapping
from math import cos, sin
from typing import ClassVar

import numpy as np

from ..contract.parameter import Array, Real, parameter
from ..contract.port import XYZ, Port, State
from ..contract.random_numbers import tick
from .sensor import Sensor, drift, noise, of_axes, total_drift, update_drift


class PlanarGPS(Sensor):
    """Position and velocity of a vehicle on the plane, with noise and a drifting position error.

        y_p = p + R place + b + position_noise z,     y_v = R (v + omega x place) + velocity_noise z
        b_{k+1} = exp(-T / drift_time) b_k + drift sqrt(1 - exp(-2 T / drift_time)) z,     z ~ N(0, 1)

    R rotates the axes of the vehicle, forwards and to the left, into the axes of the plane, and `place` is
    the position of the antenna in vehicle axes. b starts from its stationary distribution, with the standard
    deviation `drift`. Each parameter is one number, or one number each for x and y. If unconnected,
    side_speed and turn_rate are 0: wheeled vehicles that do not slip only move forwards. Defaults: as GPS,
    north and east.
    Source: Beard, McLain, Small Unmanned Aircraft (2012), section 7.5.

    Example:
        {type: PlanarGPS, sample_time: 0.2, drift: 0.5, position_noise: 0.02}
    """

    icon = "satellite"
    inputs: ClassVar = (
        Port("pose", 3, "m, m, rad", "x, y and heading"),
        Port("speed", 1, "m/s", "forwards"),
        Port("side_speed", 1, "m/s", "to the left", default=0.0),
        Port("turn_rate", 1, "rad/s", "of the heading", default=0.0),
    )
    outputs: ClassVar = (
        Port("measured_position", 2, "m", "x and y of the antenna", elements=XYZ[:2]),
        Port("measured_velocity", 2, "m/s", "along x and y", elements=XYZ[:2]),
    )
    states: ClassVar = (State("b", "rest"),)

    sample_time: Real = parameter(
        default=0.2, unit="s", doc="time between readings", above=0, dimensions=(0,)
    )
    position_noise: Real = parameter(
        default=0.2, unit="m", doc="deviation of a reading", minimum=0, dimensions=(0, 1)
    )
    velocity_noise: Real = parameter(
        default=0.05, unit="m/s", doc="deviation of a reading", minimum=0, dimensions=(0, 1)
    )
    drift: Real = parameter(
        default=4.7, unit="m", doc="deviation of the slow error", minimum=0, dimensions=(0, 1)
    )
    drift_time: Real = parameter(
        default=1100.0, unit="s", doc="correlation time of the slow error", above=0, dimensions=(0,)
    )
    place: Real = parameter(
        default=[0.0, 0.0],
        unit="m",
        doc="position of the antenna, forwards and to the left",
        dimensions=(0, 1),
    )

    def check(self) -> None:
        self.constants()

    def constants(self) -> Mapping[str, Array | float]:
        time, step = float(self.drift_time), float(self.sample_time)  # type: ignore[arg-type]
        return {
            "sigma_p": of_axes(self, "position_noise", 2),
            "sigma_v": of_axes(self, "velocity_noise", 2),
            "lever": of_axes(self, "place", 2),
            "rest": np.zeros(2),
            **drift(of_axes(self, "drift", 2), time, step),
        }

    update = staticmethod(update_drift)

    @staticmethod
    def output_measured_position(
        t: float, stream: Array, sample_time: float, offset: float, pose: Array, b: Array, lever: Array,
        sigma_p: Array, decay: float, settled: Array, measured_position: Array,
    ) -> None:  # fmt: skip
        count = tick(t, offset, sample_time)
        rotate(pose, lever[0], lever[1], measured_position)
        for i in range(2):
            error = total_drift(stream, count, i, decay, settled[i], b[i]) + sigma_p[i] * noise(
                stream, count, i
            )
            measured_position[i] += pose[i] + error

    @staticmethod
    def output_measured_velocity(
        t: float, stream: Array, sample_time: float, offset: float, pose: Array, speed: float,
        side_speed: float, turn_rate: float, lever: Array, sigma_v: Array, measured_velocity: Array,
    ) -> None:  # fmt: skip
        count = tick(t, offset, sample_time)
        rotate(pose, speed - turn_rate * lever[1], side_speed + turn_rate * lever[0], measured_velocity)
        for i in range(2):
            measured_velocity[i] += sigma_v[i] * noise(stream, count, 2 + i)


def rotate(pose: Array, forwards: float, left: float, vector: Array) -> None:
    """Rotate a vector from the vehicle's axes into the plane's."""
    c, s = cos(pose[2]), sin(pose[2])
    vector[0], vector[1] = c * forwards - s * left, s * forwards + c * left
