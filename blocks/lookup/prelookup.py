"""Prelookup: position of a signal among breakpoints, for several tables over one axis."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from ..contract.block import Block
from ..contract.errors import ParameterError
from ..contract.parameter import Array, Real, option, parameter
from ..contract.port import Port
from .axis import cell, check_breakpoints, finder, part


class Prelookup(Block):
    """The cell and the fraction of a signal among breakpoints, element by element.

        index k, fraction f:  breakpoints[k] <= u < breakpoints[k + 1],
        f = (u - breakpoints[k]) / (breakpoints[k + 1] - breakpoints[k])

    Outside, `clip` keeps f at 0 or 1, `extrapolate` continues in the first or last cell.
    InterpolationPrelookup takes both outputs, so that several tables need only one search. u feeds through to
    both outputs directly. Raises ParameterError for breakpoints that do not increase.

    Example:
        {type: Prelookup, breakpoints: [0, 1, 3]}
    """

    icon = "breakpoints"
    inputs: ClassVar = (Port("u"),)
    outputs: ClassVar = (Port("index"), Port("fraction"))
    elementwise: ClassVar = True
    tables: ClassVar = ("breakpoints", "points", "rates", "starts")

    breakpoints: Real = parameter(unit="[u]", doc="points of the axis", dimensions=(1,))
    outside: str = option(default="clip", doc="rule beyond the ends", choices=("clip", "extrapolate"))

    def check(self) -> None:
        _ = self.points

    @cached_property
    def points(self) -> Array:
        """The breakpoints. Raises ParameterError."""
        return check_breakpoints("Prelookup", "breakpoints", self.breakpoints)

    def constants(self) -> Mapping[str, Any]:
        return {**finder(self.points), "points": self.points, "clip": float(self.outside == "clip")}

    @staticmethod
    def output_index(u: float, points: Array, starts: Array, scale: float) -> float:
        return float(cell(u, points, starts, scale))

    @staticmethod
    def output_fraction(
        u: float, points: Array, rates: Array, starts: Array, scale: float, clip: float
    ) -> float:
        return part(u, cell(u, points, starts, scale), points, rates, clip)


class InterpolationPrelookup(Block):
    """A linear table over one or two axes searched by Prelookup, element by element.

        y = (1 - f) table[k] + f table[k + 1],  k = index, f = fraction of Prelookup

    A matrix `table` has two axes; the inputs are then index0, fraction0 along its rows and index1, fraction1
    along its columns. An index beyond the table counts as the nearest cell. All inputs feed through to y
    directly.

    Example:
        {type: InterpolationPrelookup, table: [0.0, 2.0, 2.5]}
    """

    icon = "lookup"
    elementwise: ClassVar = True
    tables: ClassVar = ("table",)

    table: Real = parameter(unit="[y]", doc="y at each breakpoint, or a matrix of them", dimensions=(1, 2))
    unit: str = option(default="", doc="unit of y")

    def check(self) -> None:
        if min(self._shape) < 2:
            raise ParameterError("InterpolationPrelookup", "table", self.table, "two numbers along each axis")

    @cached_property
    def _shape(self) -> tuple[int, ...]:
        return np.asarray(self.table).shape

    def input_ports(self) -> tuple[Port, ...]:
        if len(self._shape) == 1:
            return Port("index"), Port("fraction")
        return Port("index0"), Port("fraction0"), Port("index1"), Port("fraction1")

    def output_ports(self) -> tuple[Port, ...]:
        return (Port("y", unit=self.unit),)

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        return {"output": interpolate_1d if len(self._shape) == 1 else interpolate_2d}


def nearest_cell(index: float, points: int) -> int:
    return min(max(int(index), 0), points - 2)


def interpolate_1d(index: float, fraction: float, table: Array) -> float:
    k = nearest_cell(index, table.shape[0])
    return (1.0 - fraction) * table[k] + fraction * table[k + 1]  # type: ignore[no-any-return]


def interpolate_2d(index0: float, fraction0: float, index1: float, fraction1: float, table: Array) -> float:
    i, j = nearest_cell(index0, table.shape[0]), nearest_cell(index1, table.shape[1])
    low = (1.0 - fraction1) * table[i, j] + fraction1 * table[i, j + 1]
    high = (1.0 - fraction1) * table[i + 1, j] + fraction1 * table[i + 1, j + 1]
    return (1.0 - fraction0) * low + fraction0 * high  # type: ignore[no-any-return]
