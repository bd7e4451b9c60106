"""Base of blocks that take the parameters of a wheeled vehicle from the library."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from ...robots.errors import RobotError
from ...robots.library.vehicles import load_wheeled
from ..contract.block import Block
from ..contract.errors import ParameterError
from ..contract.parameter import option


class OfLibrary(Block):
    """Base of the blocks whose missing parameters come from a library vehicle."""

    abstract: ClassVar = True

    vehicle: str = option(default="", doc="library vehicle that supplies missing parameters")

    ordinary: ClassVar[Mapping[str, float]] = {}
    """Default values of parameters that neither the block nor its vehicle defines."""

    vehicle_type: ClassVar[str] = ""
    """The block type of its vehicles; if empty, the type of the block itself."""

    def number(self, name: str, other: str = "") -> Any:
        """A parameter of the vehicle; if it is missing, the parameter `other`, or the default value."""
        value = getattr(self, name)
        if value is None:
            value = self._of_library.get(name)
        if value is None:
            return self.number(other) if other else self.ordinary[name]
        return np.asarray(value, np.float64) if np.ndim(value) else float(value)

    @cached_property
    def _of_library(self) -> Mapping[str, float]:
        """Parameters of the library vehicle. Raises ParameterError if it does not suit this block."""
        if not self.vehicle:
            return {}
        try:
            vehicle = load_wheeled(self.vehicle)
        except RobotError as error:
            raise ParameterError(self.kind(), "vehicle", self.vehicle, reason=error) from None
        kind = self.vehicle_type or self.kind()
        if vehicle.type != kind:
            expected = f"a vehicle of the block {kind}; {self.vehicle} is of {vehicle.type}"
            raise ParameterError(self.kind(), "vehicle", self.vehicle, expected)
        return vehicle.numbers

    def check(self) -> None:
        _ = self._of_library
