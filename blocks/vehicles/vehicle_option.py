"""Vehicle option: the multirotor of a block, and multirotors as data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from ...robots.errors import InvalidRobot
from ...robots.library.vehicles import vehicle_from
from ..contract.mappings import MappingExpression, plain
from ..contract.parameter_expression import Parameter

if TYPE_CHECKING:
    from ...robots.vehicles.multirotor import Multirotor

VehicleLike: TypeAlias = Any
"""A name, a file, a mapping such as {name: crazyflie, payload: {mass: 0.005}}, or a Multirotor."""


def vehicle_of(value: object) -> Multirotor:
    """The multirotor itself; for a mapping with expressions, the multirotor without these.

    Raises RobotError.
    """
    if isinstance(value, MappingExpression):
        return vehicle_from(value.settled())
    if isinstance(value, Parameter):
        expected = "a name, or a mapping, whose numbers may be expressions"
        raise InvalidRobot("vehicle", f"found the expression {value!r}", expected)
    return vehicle_from(plain(value) if isinstance(value, Mapping) else value)
