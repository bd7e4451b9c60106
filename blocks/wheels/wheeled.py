"""Wheeled: what all vehicles on wheels share, their way through the plane."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from ...robots.errors import RobotError
from ...robots.library.wheels import load_wheeled
from ..contract.block import Block
from ..contract.errors import ParameterError
from ..contract.parameter import Array, Real, option, parameter
from .way import Way, place


class Wheeled(Block):
    """Base of the vehicles on wheels: a pose at the start, and the numbers of its way."""

    abstract: ClassVar = True

    vehicle: str = option(default="", doc="of the library; its numbers hold where none are given here")
    initial_pose: Real = parameter(
        default=[0.0, 0.0, 0.0], unit="m, m, rad", doc="x, y and heading at the start", dimensions=(1,)
    )

    ordinary: ClassVar[Mapping[str, float]] = {}
    """What the numbers are that neither the block nor its vehicle names."""

    def number(self, name: str, other: str = "") -> Any:
        """A number of the vehicle; where it is not given, that of another name, or what is ordinary."""
        value = getattr(self, name)
        if value is None:
            value = self._of_library.get(name)
        if value is None:
            return self.number(other) if other else self.ordinary[name]
        return np.asarray(value, np.float64) if np.ndim(value) else float(value)

    @cached_property
    def _of_library(self) -> Mapping[str, float]:
        """Numbers of the vehicle of the library. Raises ParameterError where it is none for this block."""
        if not self.vehicle:
            return {}
        try:
            vehicle = load_wheeled(self.vehicle)
        except RobotError as error:
            raise ParameterError(self.kind(), "vehicle", self.vehicle, reason=error) from None
        if vehicle.type != self.kind():
            expected = f"a vehicle that is a {self.kind()}; {self.vehicle} is a {vehicle.type}"
            raise ParameterError(self.kind(), "vehicle", self.vehicle, expected)
        return vehicle.numbers

    def check(self) -> None:
        _ = self._of_library
        if np.shape(self.initial_pose) != (3,):  # type: ignore[arg-type]
            raise ParameterError(self.kind(), "initial_pose", self.initial_pose, "three numbers")

    def constants(self) -> Mapping[str, Any]:
        x, y, heading = np.asarray(self.initial_pose, np.float64)
        return {"x0": float(x), "y0": float(y), "heading0": float(heading), "zero": 0.0}

    def logged(self) -> tuple[str, ...] | None:
        return tuple(port.name for port in self.output_ports() if port.name not in ("position", "heading"))

    @staticmethod
    def output_pose(way: Way, pose: Array) -> None:
        pose[0], pose[1] = place(way)
        pose[2] = way.turned

    @staticmethod
    def output_position(way: Way, position: Array) -> None:
        position[0], position[1] = place(way)

    @staticmethod
    def output_heading(turned: float) -> float:
        return turned

    @staticmethod
    def output_distance(rolled: float) -> float:
        return rolled
