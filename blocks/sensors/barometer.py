"""Barometer: the pressure of the air, and the height derived from it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from ..contract.parameter import Array, Real, parameter
from ..contract.port import Port, State
from ..contract.random_numbers import tick
from .sensor import Sensor, drift, noise as unit_noise, total_drift, update_drift

SEA_LEVEL = 288.15  # K
LAPSE = 0.0065  # K/m
EXPONENT = 5.25588  # g M / (R lapse) of dry air


class Barometer(Sensor):
    """The pressure of the International Standard Atmosphere, and the height from the same law.

        pressure = P0 (1 - L h / T0)^5.25588 + b + noise z,    h = -position_z,    z ~ N(0, 1)
        height   = T0 / L (1 - (pressure / P0)^(1 / 5.25588))

    b is a drift due to the weather, with the standard deviation `drift`, correlated over `drift_time`; it
    starts from its stationary distribution. P0 is the pressure where h = 0, T0 is 288.15 K and L 0.0065 K/m.
    Near the ground 12 Pa correspond to one metre.
    Source: ISO 2533:1975, Standard Atmosphere, below 11 km.

    Example:
        {type: Barometer, sample_time: 0.02, noise: 1.2}
    """

    icon = "barometer"
    inputs: ClassVar = (Port("position", 3, "m", "in the world frame, z down"),)
    outputs: ClassVar = (Port("pressure", 1, "Pa"), Port("height", 1, "m", "by the standard atmosphere"))
    states: ClassVar = (State("b", "rest"),)

    sample_time: Real = parameter(
        default=0.02, unit="s", doc="time between readings", above=0, dimensions=(0,)
    )
    noise: Real = parameter(default=1.2, unit="Pa", doc="deviation of a reading", minimum=0, dimensions=(0,))
    drift: Real = parameter(
        default=0.0, unit="Pa", doc="deviation of the slow error", minimum=0, dimensions=(0,)
    )
    drift_time: Real = parameter(
        default=1000.0, unit="s", doc="correlation time of the slow error", above=0, dimensions=(0,)
    )
    ground_pressure: Real = parameter(
        default=101325.0, unit="Pa", doc="pressure at z = 0", above=0, dimensions=(0,)
    )

    def constants(self) -> Mapping[str, Array | float]:
        time, step = float(self.drift_time), float(self.sample_time)  # type: ignore[arg-type]
        return {"rest": np.zeros(1), **drift(np.array([float(self.drift)]), time, step)}  # type: ignore[arg-type]

    update = staticmethod(update_drift)

    @staticmethod
    def output(
        t: float, stream: Array, sample_time: float, offset: float, position: Array, b: Array,
        noise: float, decay: float, settled: Array, ground_pressure: float,
    ) -> tuple[float, float]:  # fmt: skip
        count = tick(t, offset, sample_time)
        error = total_drift(stream, count, 0, decay, settled[0], b[0]) + noise * unit_noise(stream, count, 0)
        pressure = ground_pressure * (1.0 + LAPSE * position[2] / SEA_LEVEL) ** EXPONENT + error
        height = SEA_LEVEL / LAPSE * (1.0 - (pressure / ground_pressure) ** (1.0 / EXPONENT))
        return pressure, height
