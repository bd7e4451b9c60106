"""GPS: position and velocity from satellites."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from ..contract.parameter import Array, Real, parameter
from ..contract.port import XYZ, Port, State
from ..contract.random_numbers import tick
from .sensor import Sensor, drift, noise, total_drift, update_drift


class GPS(Sensor):
    """Position and velocity in the world frame, with noise and a slowly drifting position error.

        y_p = p + b + position_noise z,     y_v = v + velocity_noise z,     z ~ N(0, 1)
        b_{k+1} = exp(-T / drift_time) b_k + drift sqrt(1 - exp(-2 T / drift_time)) z

    b starts from its stationary distribution, with the standard deviation `drift`. Each parameter is one
    number or one per axis. Defaults: the errors of a receiver for small aircraft, north and east 4.7 m,
    height 9.2 m, correlated over 1100 s. Source: Beard, McLain, Small Unmanned Aircraft (2012), section 7.5.

    Example:
        {type: GPS, sample_time: 0.2, drift: 0.0, position_noise: 0.02}
    """

    icon = "satellite"
    inputs: ClassVar = (
        Port("position", 3, "m", "in the world frame"),
        Port("velocity", 3, "m/s", "in the world frame"),
    )
    outputs: ClassVar = (
        Port("measured_position", 3, "m", "in the world frame", elements=XYZ),
        Port("measured_velocity", 3, "m/s", "in the world frame", elements=XYZ),
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
        default=[4.7, 4.7, 9.2], unit="m", doc="deviation of the slow error", minimum=0, dimensions=(0, 1)
    )
    drift_time: Real = parameter(
        default=1100.0, unit="s", doc="correlation time of the slow error", above=0, dimensions=(0,)
    )

    def check(self) -> None:
        self.constants()

    def constants(self) -> Mapping[str, Array | float]:
        time, step = float(self.drift_time), float(self.sample_time)  # type: ignore[arg-type]
        return {
            "sigma_p": self.triple("position_noise"),
            "sigma_v": self.triple("velocity_noise"),
            "rest": np.zeros(3),
            **drift(self.triple("drift"), time, step),
        }

    update = staticmethod(update_drift)

    @staticmethod
    def output_measured_position(
        t: float, stream: Array, sample_time: float, offset: float, position: Array, b: Array,
        sigma_p: Array, decay: float, settled: Array, measured_position: Array,
    ) -> None:  # fmt: skip
        count = tick(t, offset, sample_time)
        for i in range(3):
            error = total_drift(stream, count, i, decay, settled[i], b[i]) + sigma_p[i] * noise(
                stream, count, i
            )
            measured_position[i] = position[i] + error

    @staticmethod
    def output_measured_velocity(
        t: float, stream: Array, sample_time: float, offset: float, velocity: Array, sigma_v: Array,
        measured_velocity: Array,
    ) -> None:  # fmt: skip
        count = tick(t, offset, sample_time)
        for i in range(3):
            measured_velocity[i] = velocity[i] + sigma_v[i] * noise(stream, count, 3 + i)
