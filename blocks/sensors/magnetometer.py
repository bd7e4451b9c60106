"""Magnetometer: the earth's magnetic field in body axes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ...robots.vehicles.flight import attitude_matrix
from ..contract.parameter import Array, Real, parameter
from ..contract.port import XYZ, Port
from ..contract.random_numbers import tick
from .sensor import Sensor, noise


class Magnetometer(Sensor):
    """The earth's magnetic field in body axes, plus the field of the vehicle's iron.

        measured_field = R(q)' field + hard_iron + noise z,     z ~ N(0, 1)

    q is the attitude from body to world, scalar first, of any norm except 0; R(q) = R(q / |q|). `field` is in
    the world frame, x to magnetic north, z down; its default is typical of middle northern latitudes.

    Example:
        {type: Magnetometer, noise: 3.0e-7}
    """

    icon = "compass"
    inputs: ClassVar = (Port("quaternion", 4, "", "attitude, scalar first", direction=True),)
    outputs: ClassVar = (Port("measured_field", 3, "T", "in body axes", elements=XYZ),)

    field: Real = parameter(
        default=[2.0e-5, 0.0, 4.5e-5], unit="T", doc="the earth's, in the world frame", dimensions=(1,)
    )
    hard_iron: Real = parameter(default=0.0, unit="T", doc="the vehicle's own field", dimensions=(0, 1))
    noise: Real = parameter(
        default=3.0e-7, unit="T", doc="deviation of a reading", minimum=0, dimensions=(0, 1)
    )

    def check(self) -> None:
        self.constants()

    def constants(self) -> Mapping[str, Array]:
        return {
            "earth": self.triple("field"), "iron": self.triple("hard_iron"), "sigma": self.triple("noise")
        }  # fmt: skip

    @staticmethod
    def output(
        t: float, stream: Array, sample_time: float, offset: float, quaternion: Array,
        earth: Array, iron: Array, sigma: Array, measured_field: Array,
    ) -> None:  # fmt: skip
        count = tick(t, offset, sample_time)
        R = attitude_matrix(quaternion)
        for i in range(3):
            turned = R[i] * earth[0] + R[i + 3] * earth[1] + R[i + 6] * earth[2]
            measured_field[i] = turned + iron[i] + sigma[i] * noise(stream, count, i)
