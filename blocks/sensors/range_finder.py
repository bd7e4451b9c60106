"""RangeFinder: the distance to level ground along the body's z axis."""

from __future__ import annotations

from typing import ClassVar

from ...robots.vehicles.flight import attitude_matrix
from ..contract.parameter import Array, Real, parameter
from ..contract.port import Port
from ..contract.random_numbers import tick
from .sensor import Sensor, noise as unit_noise


class RangeFinder(Sensor):
    """A beam along the body's z axis, downwards, that is reflected by level ground at z = ground.

        range = d (1 + relative_noise z_1) + noise z_2,   d = (ground - position_z) / R(q)_zz,   z ~ N(0, 1)

    q is the attitude from body to world, scalar first. If the beam meets the ground only beyond `maximum`, or
    not at all, `valid` is 0 and the range is `maximum`.

    Example:
        {type: RangeFinder, maximum: 4.0}
    """

    icon = "range"
    inputs: ClassVar = (
        Port("position", 3, "m", "in the world frame, z down"),
        Port("quaternion", 4, "", "attitude, scalar first", direction=True),
    )
    outputs: ClassVar = (
        Port("range", 1, "m"),
        Port("valid", 1, "", "1 if the beam met the ground, otherwise 0"),
    )

    noise: Real = parameter(default=0.005, unit="m", doc="deviation of a reading", minimum=0, dimensions=(0,))
    relative_noise: Real = parameter(
        default=0.0,
        unit="1",
        doc="deviation of a reading, relative to its distance",
        minimum=0,
        dimensions=(0,),
    )
    maximum: Real = parameter(default=4.0, unit="m", doc="maximum range", above=0, dimensions=(0,))
    ground: Real = parameter(default=0.0, unit="m", doc="z of the ground", dimensions=(0,))

    @staticmethod
    def output(
        t: float, stream: Array, sample_time: float, offset: float, position: Array, quaternion: Array,
        noise: float, relative_noise: float, maximum: float, ground: float,
    ) -> tuple[float, float]:  # fmt: skip
        down = attitude_matrix(quaternion)[8]
        above = ground - position[2]
        if above < 0.0 or above > maximum * down:
            return maximum, 0.0
        count = tick(t, offset, sample_time)
        error = noise * unit_noise(stream, count, 1)
        return above / down * (1.0 + relative_noise * unit_noise(stream, count, 0)) + error, 1.0
