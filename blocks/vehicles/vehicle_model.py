"""What blocks share that know a vehicle: the option that names it, and its numbers."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ...robots.errors import RobotError
from ..contract.block import Block
from ..contract.errors import ParameterError
from ..contract.parameter import option
from .vehicle_option import VehicleLike, comparable, vehicle_of

if TYPE_CHECKING:
    from ...robots.vehicles.multirotor import Multirotor


class VehicleModelBlock(Block):
    """Base of blocks that know a vehicle. Functions may name `mass`, `J`, `drag` (linear) and `gravity`.

    These numbers are run-time values: another payload or gravity compiles nothing again.
    """

    abstract: ClassVar = True

    vehicle: VehicleLike = option(
        doc="a vehicle's name, a mapping such as {name: crazyflie, payload: {mass: 0.005}}, or a Multirotor"
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "vehicle", comparable(self.vehicle))
        super().__post_init__()

    def check(self) -> None:
        _ = self.model

    @cached_property
    def model(self) -> Multirotor:
        """The vehicle itself. Raises ParameterError for an unknown name or form."""
        try:
            return vehicle_of(self.vehicle)
        except RobotError as error:
            raise ParameterError(self.kind(), "vehicle", self.vehicle, reason=error) from None

    def constants(self) -> Mapping[str, Any]:
        model = self.model
        return {
            "mass": model.mass,
            "J": np.array(model.inertia),
            "drag": np.array(model.linear_drag),
            "gravity": model.gravity,
        }
