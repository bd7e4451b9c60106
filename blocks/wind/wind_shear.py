"""WindShear: the mean wind, which grows with the height above ground."""

from __future__ import annotations

from collections.abc import Mapping
from math import cos, log, sin
from typing import ClassVar

from ..contract.block import Block
from ..contract.errors import ParameterError
from ..contract.parameter import Array, Real, parameter
from ..contract.port import XYZ, Crossing, Port

LOWEST = 0.9144  # m, 3 ft: the profile of MIL-F-8785C holds from this height on


class WindShear(Block):
    """The mean wind at a position, by the logarithmic profile of the boundary layer.

        y = speed ln(h / z0) / ln(h_ref / z0) (cos(direction), sin(direction), 0)

    h is the height, -z of the position, and at least 0.9144 m. `speed` is the wind at the height h_ref, by
    default 6.096 m (20 ft), and z0 the roughness length of the ground: 0.0457 m (0.15 ft) for approach and
    landing, 0.6096 m (2 ft) otherwise. `direction` is the direction in which the wind blows, from the world's
    x axis about z. Below 3 ft the wind is constant; passing that height is an event.
    Raises ParameterError unless z0 lies below 3 ft and below the reference height.
    Source: MIL-F-8785C, Flying Qualities of Piloted Airplanes, 1980, section 3.7.3.2, wind shear.

    Example:
        {type: WindShear, speed: 6.0, direction: 1.5708}
    """

    icon = "wind shear"
    inputs: ClassVar = (Port("position", 3, "m", "in the world frame, z down"),)
    outputs: ClassVar = (Port("y", 3, "m/s", "velocity of the air, in the world frame", elements=XYZ),)
    crossings: ClassVar = (Crossing("low"),)

    speed: Real = parameter(default=5.0, unit="m/s", doc="wind at the reference height", dimensions=(0,))
    direction: Real = parameter(
        default=0.0, unit="rad", doc="direction in which the wind blows", dimensions=(0,)
    )
    reference_height: Real = parameter(
        default=6.096, unit="m", doc="height at which the wind has this speed", above=0, dimensions=(0,)
    )
    roughness: Real = parameter(
        default=0.04572, unit="m", doc="roughness length of the ground", above=0, dimensions=(0,)
    )

    def check(self) -> None:
        highest = min(LOWEST, float(self.reference_height))  # type: ignore[arg-type]
        if not float(self.roughness) < highest:  # type: ignore[arg-type]
            raise ParameterError(self.kind(), "roughness", self.roughness, f"less than {highest} m")

    def constants(self) -> Mapping[str, Array | float]:
        direction = float(self.direction)  # type: ignore[arg-type]
        scale = float(self.speed) / log(float(self.reference_height) / float(self.roughness))  # type: ignore[arg-type]
        return {"north": scale * cos(direction), "east": scale * sin(direction), "lowest": LOWEST}

    @staticmethod
    def crossing(position: Array, lowest: float) -> float:
        return -position[2] - lowest  # type: ignore[no-any-return]

    @staticmethod
    def mode(position: Array, lowest: float) -> int:
        return 1 if -position[2] > lowest else 0

    @staticmethod
    def output(
        mode: int, position: Array, north: float, east: float, lowest: float, roughness: float, y: Array
    ) -> None:
        # A trial step may leave the mode's range before the event is located: the logarithm stays finite.
        height = max(-position[2], 1.5 * roughness) if mode == 1 else lowest
        profile = log(height / roughness)
        y[0] = north * profile
        y[1] = east * profile
        y[2] = 0.0
