"""Wheeled: common part of vehicles that roll forwards and backwards."""

from __future__ import annotations

from typing import ClassVar

from ..contract.parameter import Array
from .placed import PlanarVehicle
from .way import RollingMotion, place


class RollingVehicle(PlanarVehicle):
    """Base of the vehicles whose motion is a `RollingMotion`."""

    abstract: ClassVar = True

    @staticmethod
    def output_pose(way: RollingMotion, pose: Array) -> None:
        pose[0], pose[1] = place(way)
        pose[2] = way.turned

    @staticmethod
    def output_position(way: RollingMotion, position: Array) -> None:
        position[0], position[1] = place(way)

    @staticmethod
    def output_heading(turned: float) -> float:
        return turned

    @staticmethod
    def output_distance(rolled: float) -> float:
        return rolled
