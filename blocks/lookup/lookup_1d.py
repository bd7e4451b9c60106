"""Lookup1D: a table over one signal."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from ...base.data_file import DataFileError, read_columns
from ..contract.block import Block
from ..contract.errors import ParameterError
from ..contract.icon import Icon
from ..contract.marks import column, graph, stairs
from ..contract.parameter import Array, FileLike, Real, option, parameter
from ..contract.port import Crossing, Port
from .axis import (
    METHODS,
    OUTSIDE,
    cell,
    check_breakpoints,
    check_inside,
    check_size,
    finder,
    locate,
    margin,
    part,
    piece,
    region,
)
from .slopes import slopes


class Lookup1D(Block):
    """A function given by points, element by element.

        y = table[k]                                         held,  breakpoints[k] <= u < breakpoints[k + 1]
            table[k] + (table[k + 1] - table[k]) s           linear,  s = (u - breakpoints[k]) / h
            the cubic with values and slopes at both points  cubic (a spline), akima

    `breakpoints` increase, and `table` has a number for each; or both are columns of a `file` (CSV with a
    header line, .npz, .parquet). Outside, `clip` continues with the last value, `extrapolate` with the last
    piece, and `error` ends the run with BlockFailed. With `events` every kink is an event, at which a step
    ends; jumps of `held` are events unless you set `events: false`. Without events the error control handles
    kinks. u feeds through to y directly.
    Raises ParameterError for breakpoints that do not increase, sizes that do not fit, files with gaps.
    Sources: de Boor, A Practical Guide to Splines (1978), chapter IV; Akima, Journal of the ACM 17(4), 1970.

    Example:
        {type: Lookup1D, breakpoints: [0, 1, 3], table: [0.0, 2.0, 2.5], method: akima}
    """

    icon = "lookup"
    inputs: ClassVar = (Port("u"),)
    elementwise: ClassVar = True
    tables: ClassVar = ("breakpoints", "table", "points", "rates", "starts", "values", "slope")

    breakpoints: Real | None = parameter(default=None, unit="[u]", doc="points of the axis", dimensions=(1,))
    table: Real | None = parameter(default=None, unit="[y]", doc="y at each of them", dimensions=(1,))
    method: str = option(default="linear", doc="interpolation between points", choices=METHODS)
    outside: str = option(default="clip", doc="rule beyond the ends", choices=OUTSIDE)
    events: bool | None = option(default=None, doc="kinks are events; default: only for `held`")
    file: FileLike | None = option(default=None, doc="CSV with a header line, .npz or .parquet")
    columns: Sequence[str] = option(default=("x", "y"), doc="columns of the file: the breakpoints, the table")
    unit: str = option(default="", doc="unit of y")

    def symbol(self) -> Icon:
        points, values = self.points
        drawn = list(zip(points, column(values), strict=True))
        return graph(stairs(points, column(values)) if self.method == "held" else drawn)

    def check(self) -> None:
        if (self.file is None) == (self.breakpoints is None and self.table is None):
            expected = "either `breakpoints` and `table`, or a `file`"
            raise ParameterError("Lookup1D", "file", self.file, expected)
        if len(self.columns) != 2:
            raise ParameterError("Lookup1D", "columns", self.columns, "two names, of breakpoints and table")
        _ = self.points

    @cached_property
    def points(self) -> tuple[Array, Array]:
        """Breakpoints and values. Raises ParameterError."""
        if self.file is None:
            points = check_breakpoints(
                "Lookup1D", "breakpoints", () if self.breakpoints is None else self.breakpoints
            )
            return points, check_size(
                "Lookup1D", "table", () if self.table is None else self.table, points.shape
            )
        x, y = self.columns
        try:
            read = read_columns(Path(str(self.file)), (x, y), increasing=x)
        except DataFileError as error:
            raise ParameterError("Lookup1D", "file", str(self.file), reason=error) from None
        return check_breakpoints("Lookup1D", "file", read[x], str(self.file)), read[y]

    @property
    def _eventful(self) -> bool:
        return self.method == "held" if self.events is None else self.events

    def output_ports(self) -> tuple[Port, ...]:
        return (Port("y", unit=self.unit),)

    def zero_crossings(self) -> tuple[Crossing, ...]:
        return (Crossing("kink"),) if self._eventful else ()

    def constants(self) -> Mapping[str, Any]:
        points, values = self.points
        smooth = self.method in ("cubic", "akima")
        return {
            **finder(points),
            "points": points,
            "values": values,
            "slope": slopes(points, values, 0, self.method) if smooth else np.zeros(1),
            "clip": float(self.outside == "clip"),
            "strict": float(self.outside == "error"),
            # kinks at the ends, where the table clips or holds the last value from the last point on
            "ends": float(self.outside == "clip" or self.method == "held"),
        }

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        kind = "smooth" if self.method in ("cubic", "akima") else self.method
        if not self._eventful:
            return {"output": _PLAIN[kind]}
        return {"output": _EVENTFUL[kind], "crossing": crossing, "mode": mode}


def crossing(mode: int, u: float, points: Array, ends: float) -> float:
    return margin(u, mode, points, ends)


def mode(u: float, points: Array, starts: Array, scale: float, ends: float) -> int:
    return region(u, points, starts, scale, ends)


def hold(u: float, points: Array, starts: Array, scale: float, values: Array, strict: float) -> float:
    check_inside(u, points, strict)
    return values[max(region(u, points, starts, scale, 1.0) - 1, 0)]  # type: ignore[no-any-return]


def linear(
    u: float, points: Array, rates: Array, starts: Array, scale: float, values: Array, clip: float,
    strict: float,
) -> float:  # fmt: skip
    check_inside(u, points, strict)
    k = cell(u, points, starts, scale)
    return line(k, part(u, k, points, rates, clip), values)


def smooth(
    u: float, points: Array, rates: Array, starts: Array, scale: float, values: Array, slope: Array,
    clip: float, strict: float,
) -> float:  # fmt: skip
    check_inside(u, points, strict)
    k = cell(u, points, starts, scale)
    return curve(k, part(u, k, points, rates, clip), points, values, slope)


def line(k: int, s: float, values: Array) -> float:
    return (1.0 - s) * values[k] + s * values[k + 1]  # type: ignore[no-any-return]


def curve(k: int, s: float, points: Array, values: Array, slope: Array) -> float:
    return piece(values[k], values[k + 1], slope[k], slope[k + 1], points[k + 1] - points[k], s)


# With events the mode is the region: it counts the points not above u, and is frozen within a step.


def held_mode(mode: int, u: float, points: Array, values: Array, strict: float) -> float:
    check_inside(u, points, strict)
    return values[max(mode - 1, 0)]  # type: ignore[no-any-return]


def linear_mode(
    mode: int, u: float, points: Array, rates: Array, values: Array, clip: float, strict: float
) -> float:
    check_inside(u, points, strict)
    k, s = locate(u, mode, points, rates, clip)
    return line(k, s, values)


def smooth_mode(
    mode: int, u: float, points: Array, rates: Array, values: Array, slope: Array, clip: float, strict: float
) -> float:
    check_inside(u, points, strict)
    k, s = locate(u, mode, points, rates, clip)
    return curve(k, s, points, values, slope)


_PLAIN: Mapping[str, Callable[..., Any]] = {"held": hold, "linear": linear, "smooth": smooth}
_EVENTFUL: Mapping[str, Callable[..., Any]] = {
    "held": held_mode, "linear": linear_mode, "smooth": smooth_mode
}  # fmt: skip
