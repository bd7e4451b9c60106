"""InverseLookup: the point at which a table has a given value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from ..contract.block import Block
from ..contract.errors import ParameterError
from ..contract.icon import Icon
from ..contract.marks import graph
from ..contract.parameter import Array, Real, option, parameter
from ..contract.port import Crossing, Port
from .axis import OUTSIDE, check_breakpoints, check_size, finder
from .lookup_1d import crossing, linear, linear_mode, mode


class InverseLookup(Block):
    """The point at which a linear table has the value u, element by element.

        y with f(y) = u, f the straight lines through (breakpoints[k], table[k])

    `table` increases or decreases throughout, so that y is unique. Beyond its ends, `clip` continues with the
    last breakpoint, `extrapolate` with the last line, and `error` ends the run with BlockFailed. With
    `events` every kink is an event. u feeds through to y directly. Raises ParameterError for breakpoints that
    do not increase, and for a table that is not monotonic.

    Example:
        {type: InverseLookup, breakpoints: [0, 1, 3], table: [0.0, 2.0, 2.5]}
    """

    icon = "lookup"
    inputs: ClassVar = (Port("u"),)
    elementwise: ClassVar = True
    tables: ClassVar = ("breakpoints", "table", "points", "rates", "starts", "values")

    breakpoints: Real = parameter(unit="[y]", doc="points of the axis", dimensions=(1,))
    table: Real = parameter(unit="[u]", doc="u at each of them", dimensions=(1,))
    outside: str = option(default="clip", doc="rule beyond the ends of the table", choices=OUTSIDE)
    events: bool = option(default=False, doc="kinks are events")
    unit: str = option(default="", doc="unit of y")

    def symbol(self) -> Icon:
        return graph(list(zip(*self.swapped, strict=True)))

    def check(self) -> None:
        _ = self.swapped

    @cached_property
    def swapped(self) -> tuple[Array, Array]:
        """The table as breakpoints, and the values at them. Raises ParameterError."""
        points = check_breakpoints("InverseLookup", "breakpoints", self.breakpoints)
        table = check_size("InverseLookup", "table", self.table, points.shape)
        if table[-1] < table[0]:
            points, table = points[::-1], table[::-1]
        if np.any(np.diff(table) <= 0.0):
            expected = "numbers that increase, or decrease, throughout"
            raise ParameterError("InverseLookup", "table", self.table, expected)
        return np.ascontiguousarray(table), np.ascontiguousarray(points)

    def output_ports(self) -> tuple[Port, ...]:
        return (Port("y", unit=self.unit),)

    def zero_crossings(self) -> tuple[Crossing, ...]:
        return (Crossing("kink"),) if self.events else ()

    def constants(self) -> Mapping[str, Any]:
        points, values = self.swapped
        clip, strict = float(self.outside == "clip"), float(self.outside == "error")
        return {
            **finder(points), "points": points, "values": values, "clip": clip, "strict": strict, "ends": clip
        }  # fmt: skip

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        if self.events:
            return {"output": linear_mode, "crossing": crossing, "mode": mode}
        return {"output": linear}
