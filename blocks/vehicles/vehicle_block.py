"""Base of all blocks with a multirotor: the option that names it, and its coefficients."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from ...robots.errors import RobotError
from ..contract.block import Block
from ..contract.errors import ParameterError
from ..contract.mappings import comparable
from ..contract.parameter import option
from .vehicle_option import VehicleLike, vehicle_of

if TYPE_CHECKING:
    from ...robots.vehicles.multirotor import Multirotor


class VehicleBlock(Block):
    """Base of the blocks with a multirotor.

    The vehicle's coefficients are run-time values: a different payload, failure or coefficient needs no
    recompilation.
    """

    abstract: ClassVar = True

    vehicle: VehicleLike = option(
        doc="a name, a file, a mapping such as {name: crazyflie, payload: {mass: 0.005}}, or a Multirotor"
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "vehicle", comparable(self.vehicle))
        super().__post_init__()

    def check(self) -> None:
        _ = self.model

    @cached_property
    def model(self) -> Multirotor:
        """The multirotor itself. Raises ParameterError for an unknown name or form."""
        try:
            return vehicle_of(self.vehicle)
        except RobotError as error:
            raise ParameterError(self.kind(), "vehicle", self.vehicle, reason=error) from None
