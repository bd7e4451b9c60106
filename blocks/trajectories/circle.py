"""Circle: a point on a circle at constant speed."""

from __future__ import annotations

from collections.abc import Mapping
from math import cos, sin
from typing import ClassVar

import numpy as np

from ..contract.block import Block
from ..contract.errors import ParameterError
from ..contract.parameter import Array, Real, parameter
from ..contract.port import XYZ, Port


class Circle(Block):
    """A point that moves on a circle.

        position = centre + radius (a cos(frequency t + phase) + b sin(frequency t + phase))

    with its velocity and acceleration, all of them 3-vectors. a is the direction `across` made perpendicular
    to `normal`, b = normal x a, both of length 1. Seen from the tip of the normal the point moves
    anticlockwise; by default it moves in the x-y plane, starting at +x. No step of the solver is longer than
    an eighth of a turn. Raises ParameterError for vectors of other sizes, and for an `across` parallel to the
    normal.

    Example:
        {type: Circle, radius: 0.05, frequency: =2*pi*0.2, centre: [0.6, -0.15, 0]}
    """

    icon = "circle path"
    outputs: ClassVar = (
        Port("position", 3, "m", elements=XYZ),
        Port("velocity", 3, "m/s", elements=XYZ),
        Port("acceleration", 3, "m/s2", elements=XYZ),
    )

    radius: Real = parameter(default=1.0, unit="m", minimum=0, dimensions=(0,))
    frequency: Real = parameter(default=1.0, unit="rad/s", doc="angular frequency", dimensions=(0,))
    phase: Real = parameter(default=0.0, unit="rad", doc="angle at t = 0", dimensions=(0,))
    centre: Real = parameter(default=[0.0, 0.0, 0.0], unit="m", dimensions=(1,))
    normal: Real = parameter(
        default=[0.0, 0.0, 1.0], unit="1", doc="direction perpendicular to the plane", dimensions=(1,)
    )
    across: Real = parameter(
        default=[1.0, 0.0, 0.0], unit="1", doc="direction from the centre to angle 0", dimensions=(1,)
    )

    def check(self) -> None:
        for name in ("centre", "normal", "across"):
            if np.shape(getattr(self, name)) != (3,):
                raise ParameterError(self.kind(), name, getattr(self, name), "three numbers")
        if not np.linalg.norm(np.cross(self.normal, self.across)) > 0.0:  # type: ignore[arg-type]
            raise ParameterError(self.kind(), "across", self.across, "a direction other than the normal's")

    def constants(self) -> Mapping[str, Array]:
        # Gram-Schmidt: `across` need not lie in the plane; only its component in the plane counts.
        n, across = np.asarray(self.normal), np.asarray(self.across)
        n = n / np.linalg.norm(n)
        a = across - n * (n @ across)
        a = a / np.linalg.norm(a)
        return {"a": a, "b": np.cross(n, a)}

    def longest_step(self) -> float:
        frequency = abs(float(self.frequency))  # type: ignore[arg-type]
        return 2 * np.pi / frequency / 8 if frequency > 0 else np.inf

    @staticmethod
    def output_position(
        t: float, radius: float, frequency: float, phase: float, centre: Array, a: Array, b: Array,
        position: Array,
    ) -> None:  # fmt: skip
        c, s = radius * cos(frequency * t + phase), radius * sin(frequency * t + phase)
        for i in range(3):
            position[i] = centre[i] + c * a[i] + s * b[i]

    @staticmethod
    def output_velocity(
        t: float, radius: float, frequency: float, phase: float, a: Array, b: Array, velocity: Array
    ) -> None:
        speed = radius * frequency
        c, s = speed * cos(frequency * t + phase), speed * sin(frequency * t + phase)
        for i in range(3):
            velocity[i] = c * b[i] - s * a[i]

    @staticmethod
    def output_acceleration(
        t: float, radius: float, frequency: float, phase: float, a: Array, b: Array, acceleration: Array
    ) -> None:
        inwards = radius * frequency * frequency
        c, s = inwards * cos(frequency * t + phase), inwards * sin(frequency * t + phase)
        for i in range(3):
            acceleration[i] = -c * a[i] - s * b[i]
