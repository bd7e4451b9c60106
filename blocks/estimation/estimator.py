"""Estimator: common part of sampled estimators of a vehicle's motion."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ..contract.block import Block
from ..contract.errors import ParameterError
from ..contract.parameter import Array, Real, parameter
from ..sensors.sensor import triple
from ..vehicles.attitude import quaternion


class Estimator(Block):
    """Takes in readings at the ticks of the IMU's clock.

    At a tick it outputs its prediction for that instant from all earlier readings: only the rates have direct
    feedthrough, so a loop through it is not an algebraic loop. A measurement from another sensor is new at
    the ticks of that sensor's own clock, X_sample_time and X_offset, and held in between.
    """

    abstract: ClassVar = True
    sampled: ClassVar = True

    sample_time: Real = parameter(
        default=0.01, unit="s", doc="sample time of the IMU", above=0, dimensions=(0,)
    )
    offset: Real = parameter(
        default=0.0, unit="s", doc="time of the first reading", minimum=0, dimensions=(0,)
    )
    initial_attitude: Real = parameter(
        default=[0.0, 0.0, 0.0], unit="rad", doc="roll, pitch, yaw, or a quaternion, scalar first",
        dimensions=(1,),
    )  # fmt: skip
    initial_gyroscope_bias: Real = parameter(
        default=0.0, unit="rad/s", doc="bias at the start", dimensions=(0, 1)
    )

    def check(self) -> None:
        self.constants()

    def triple(self, name: str) -> Array:
        """A parameter with one number for all three axes or one for each. Raises ParameterError."""
        return triple(self, name)

    def first_attitude(self) -> Array:
        """The unit quaternion at the start. Raises ParameterError."""
        return quaternion(self.kind(), "initial_attitude", self.initial_attitude)

    def earth_field(self) -> Array:
        """The field in the world. Raises ParameterError if it is zero."""
        value = self.triple("field")
        if not value.any():
            raise ParameterError(self.kind(), "field", value.tolist(), "a vector that is not zero")
        return value

    def clock(self, name: str) -> Array:
        """Ticks from one reading of a sensor to the next, 0 without the sensor, and the tick of the first.

        Raises ParameterError if the sensor is read between two ticks.
        """
        period, first = getattr(self, f"{name}_sample_time"), getattr(self, f"{name}_offset")
        if period is None:
            return np.zeros(2)
        ticks = np.array([period, first - self.offset]) / float(self.sample_time)  # type: ignore[arg-type]
        rounded = np.round(ticks)
        # Sample times are rounded decimal fractions: their quotients are whole to a few parts in 1e16.
        good = np.abs(ticks - rounded) <= 1e-9 * np.maximum(np.abs(rounded), 1.0)
        for bad, option, value in (
            (~good[0] or rounded[0] < 1, "sample_time", period),
            (~good[1], "offset", first),
        ):
            if bad:
                expected = f"a whole multiple of sample_time, {self.sample_time:g} s"
                expected += "" if option == "sample_time" else f", from offset, {self.offset:g} s, on"
                raise ParameterError(self.kind(), f"{name}_{option}", value, expected)
        return np.asarray(rounded)
