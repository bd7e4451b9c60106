"""Omni wheels: parameters for the wheels of an omnidirectional base."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ...robots.errors import RobotError
from ...robots.wheels.motion import mecanum_wheels, wheel_matrix
from ..contract.errors import ParameterError
from ..contract.parameter import Array, Real, parameter
from .of_library import OfLibrary


class OmniWheels(OfLibrary):
    """Base of the blocks of omnidirectional vehicles: four mecanum wheels, or a table of wheels."""

    abstract: ClassVar = True

    wheels: Real | None = parameter(
        default=None, unit="m, m, rad, rad", doc="a row per wheel: x, y, drive direction, roller angle",
        dimensions=(2,),
    )  # fmt: skip
    wheel_radius: Real | None = parameter(
        default=None, unit="m", doc="one number or one per wheel; default: 0.05 m", above=0, dimensions=(0, 1)
    )
    wheelbase: Real | None = parameter(
        default=None,
        unit="m",
        doc="distance between the axles of mecanum wheels; default: 0.4 m",
        above=0,
        dimensions=(0,),
    )
    track: Real | None = parameter(
        default=None,
        unit="m",
        doc="distance between left and right mecanum wheels; default: 0.3 m",
        above=0,
        dimensions=(0,),
    )

    vehicle_type: ClassVar = "OmniBase"
    ordinary: ClassVar = {"wheel_radius": 0.05, "wheelbase": 0.4, "track": 0.3}

    def places(self) -> Array:
        """x and y of the wheels, (n, 2), m."""
        if self.wheels is not None:
            return np.asarray(self.wheels, np.float64)[:, :2]
        return mecanum_wheels(self.number("wheelbase"), self.number("track"))[:, :2]

    def matrix(self) -> Array:
        """Rates of the wheels over v_x, v_y, omega, (n, 3). Raises ParameterError."""
        wheels = self.wheels
        if wheels is None:
            wheels = mecanum_wheels(self.number("wheelbase"), self.number("track"))
        radius = self.number("wheel_radius")
        if np.ndim(radius) and len(radius) != len(np.atleast_1d(wheels)):  # type: ignore[arg-type]
            expected = f"one number, or {len(np.atleast_1d(wheels))}"  # type: ignore[arg-type]
            raise ParameterError(self.kind(), "wheel_radius", self.wheel_radius, expected)
        try:
            return wheel_matrix(wheels, radius, "wheels")
        except RobotError as error:
            raise ParameterError(self.kind(), "wheels", self.wheels, reason=error) from None

    def check(self) -> None:
        super().check()
        self.matrix()
