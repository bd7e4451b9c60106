"""LookupND: a table over any number of signals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ...base.data_file import DataFileError
from ..contract.block import Block
from ..contract.errors import ParameterError
from ..contract.parameter import Array, FileLike, option
from ..contract.port import Crossing, Port, Size
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
from .grid_file import read_grid
from .slopes import derivatives

MOST = 6  # maximum number of axes: a cubic piece reads 4^n numbers
STRIDE = 1000  # maximum number of regions of an axis: six axes make a mode below 2^63


class LookupND(Block):
    """A function of n signals given on a grid; u is their vector.

        y = table[i, j, ...]  where u_0 = breakpoints[0][i], u_1 = breakpoints[1][j], ...;  between the
            points, along every axis: held, linear, cubic (a spline in each direction), akima

    `breakpoints` has an increasing list for each axis, and `table` is nested lists or an array of matching
    size; or an .npz `file` has arrays x0, x1, ... and table, for `count` axes. Outside, `clip` continues with
    the value at the edge, `extrapolate` with the piece at the edge, and `error` ends the run with
    BlockFailed. With `events` every kink is an event; jumps of `held` are events unless you set `events:
    false`. u feeds through to y directly.
    Raises ParameterError for breakpoints that do not increase, sizes that do not fit, and numbers that are
    not finite.
    Source: de Boor, A Practical Guide to Splines (1978), chapter XVII.

    Example:
        {type: LookupND, breakpoints: [[0, 1], [0, 1], [0, 2]], table: [[[0, 1], [2, 3]], [[4, 5], [6, 9]]]}
    """

    icon = "surface"
    outputs: ClassVar = (Port("y", 1),)

    breakpoints: Sequence[Sequence[float]] | None = option(default=None, doc="one list for each axis")
    table: Sequence[Any] | None = option(default=None, doc="y on the grid, nested lists")
    method: str = option(default="linear", doc="interpolation between points", choices=METHODS)
    outside: str = option(default="clip", doc="rule beyond the edges", choices=OUTSIDE)
    events: bool | None = option(default=None, doc="kinks are events; default: for `held` alone")
    file: FileLike | None = option(default=None, doc=".npz with arrays x0, x1, ... and table")
    count: int | None = option(default=None, doc="number of axes of the file")
    unit: str = option(default="", doc="unit of y")

    def check(self) -> None:
        written = [name for name in ("breakpoints", "table") if getattr(self, name) is not None]
        if len(written) != (2 if self.file is None else 0):
            raise ParameterError(
                "LookupND", "file", self.file, "either `breakpoints` and `table`, or a `file`"
            )
        axes = self.count if self.breakpoints is None else len(self.breakpoints)
        if axes is None or not 1 <= axes <= MOST:
            name = "count" if self.breakpoints is None else "breakpoints"
            raise ParameterError("LookupND", name, axes, f"1 to {MOST} axes")
        if any(points.size >= STRIDE for points in self.grid[0]):
            raise ParameterError("LookupND", "breakpoints", "too many", f"fewer than {STRIDE} per axis")

    @cached_property
    def grid(self) -> tuple[list[Array], Array]:
        """The breakpoints of the axes and the table. Raises ParameterError."""
        if self.breakpoints is not None:
            points = [
                check_breakpoints("LookupND", "breakpoints", along, f"axis {i}")
                for i, along in enumerate(self.breakpoints)
            ]
            return points, check_size("LookupND", "table", self.table, tuple(axis.size for axis in points))
        try:
            points, table = read_grid(Path(str(self.file)), self.count or 0)
        except DataFileError as error:
            raise ParameterError("LookupND", "file", str(self.file), reason=error) from None
        for i, along in enumerate(points):
            check_breakpoints("LookupND", "file", along, f"x{i} in {self.file}")
        return points, table

    @property
    def _eventful(self) -> bool:
        return self.method == "held" if self.events is None else self.events

    @property
    def _smooth(self) -> bool:
        return self.method in ("cubic", "akima")

    def input_ports(self) -> tuple[Port, ...]:
        axes = self.count if self.breakpoints is None else len(self.breakpoints)
        return (Port("u", Size((axes or 1,)), size_rule="one per axis"),)

    def output_ports(self) -> tuple[Port, ...]:
        return (Port("y", 1, unit=self.unit),)

    def zero_crossings(self) -> tuple[Crossing, ...]:
        return (Crossing("kinks", count=len(self.grid[0])),) if self._eventful else ()

    def constants(self) -> Mapping[str, Any]:
        axes, table = self.grid
        finders = [finder(along) for along in axes]
        strides = [int(np.prod(table.shape[i + 1 :])) for i in range(table.ndim)]
        corners = [int(np.dot(corner[::-1], strides)) for corner in product((0, 1), repeat=table.ndim)]
        parts = derivatives(axes, table, self.method) if self._smooth else table[np.newaxis]
        return {
            "points": _rows(axes),
            "rates": _rows([found_by["rates"] for found_by in finders]),
            "starts": _rows([found_by["starts"] for found_by in finders]),
            "scales": np.array([found_by["scale"] for found_by in finders]),
            "lengths": np.array(
                [[axis.size, by["starts"].size] for axis, by in zip(axes, finders, strict=True)]
            ),
            "strides": np.array(strides),
            "corners": np.array(corners),
            "values": parts.reshape(len(parts), -1),
            "clip": float(self.outside == "clip"),
            "strict": float(self.outside == "error"),
            "ends": float(self.outside == "clip" or self.method == "held"),
        }

    def scratch(self) -> Mapping[str, tuple[int, ...]]:
        axes = len(self.grid[0])
        return {"work": (2**axes, 2**axes if self._smooth else 1), "along": (axes,), "widths": (axes,)}

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        if self.method == "held":
            return (
                {"output": held_mode, "crossing": crossing, "mode": mode}
                if self._eventful
                else {"output": hold}
            )
        if self._eventful:
            return {"output": blended_mode, "crossing": crossing, "mode": mode}
        return {"output": blend_values}


def _rows(arrays: Sequence[Array]) -> Array:
    """Arrays of different lengths as the rows of one array, padded with their last numbers."""
    length = max(array.size for array in arrays)
    return np.array([np.pad(array, (0, length - array.size), mode="edge") for array in arrays])


class Axes(NamedTuple):
    """The axes of a grid, a row for each: points, reciprocal widths, search tables, lengths."""

    points: Array
    rates: Array
    starts: Array
    scales: Array
    lengths: Array
    ends: float


class Values(NamedTuple):
    """The table and its derivatives, their offsets for axes and for corners of a cell, and workspace."""

    values: Array
    strides: Array
    corners: Array
    work: Array
    along: Array
    widths: Array


def crossing(mode: int, u: Array, axes: Axes, kinks: Array) -> None:
    for i in range(u.size - 1, -1, -1):
        points = axes.points[i, : int(axes.lengths[i, 0])]
        kinks[i] = margin(u[i], mode % STRIDE, points, axes.ends)
        mode = mode // STRIDE


def mode(u: Array, axes: Axes) -> int:
    number = 0
    for i in range(u.size):
        points = axes.points[i, : int(axes.lengths[i, 0])]
        starts = axes.starts[i, : int(axes.lengths[i, 1])]
        number = number * STRIDE + region(u[i], points, starts, axes.scales[i], axes.ends)
    return number


def check_inside_all(u: Array, axes: Axes, strict: float) -> None:
    """Raises Refusal if one of u is outside its axis and `strict` is set."""
    for i in range(u.size):
        check_inside(u[i], axes.points[i, : int(axes.lengths[i, 0])], strict)


def hold(u: Array, axes: Axes, values: Array, strides: Array, strict: float) -> float:
    check_inside_all(u, axes, strict)
    return values[0, lowest(mode(u, axes), strides)]  # type: ignore[no-any-return]


def held_mode(mode: int, u: Array, axes: Axes, values: Array, strides: Array, strict: float) -> float:
    check_inside_all(u, axes, strict)
    return values[0, lowest(mode, strides)]  # type: ignore[no-any-return]


def lowest(mode: int, strides: Array) -> int:
    """Index of the point that is lowest along every axis in the regions of a mode."""
    place = 0
    for i in range(strides.size - 1, -1, -1):
        place += max(mode % STRIDE - 1, 0) * int(strides[i])
        mode = mode // STRIDE
    return place


def blend_values(u: Array, axes: Axes, grid: Values, clip: float, strict: float) -> float:
    check_inside_all(u, axes, strict)
    place = 0
    for i in range(u.size):
        points = axes.points[i, : int(axes.lengths[i, 0])]
        k = cell(u[i], points, axes.starts[i, : int(axes.lengths[i, 1])], axes.scales[i])
        grid.along[i] = part(u[i], k, points, axes.rates[i], clip)
        grid.widths[i] = points[k + 1] - points[k]
        place += k * int(grid.strides[i])
    return blend(place, grid)


def blended_mode(mode: int, u: Array, axes: Axes, grid: Values, clip: float, strict: float) -> float:
    check_inside_all(u, axes, strict)
    place = 0
    for i in range(u.size - 1, -1, -1):
        points = axes.points[i, : int(axes.lengths[i, 0])]
        k, s = locate(u[i], mode % STRIDE, points, axes.rates[i], clip)
        grid.along[i] = s
        grid.widths[i] = points[k + 1] - points[k]
        place += k * int(grid.strides[i])
        mode = mode // STRIDE
    return blend(place, grid)


def blend(place: int, grid: Values) -> float:
    """The value in a cell, one axis after the other: bit i of a corner and of a derivative is axis i."""
    work, derivatives = grid.work, grid.work.shape[1]
    for corner in range(grid.corners.size):
        for j in range(derivatives):
            work[corner, j] = grid.values[j, place + int(grid.corners[corner])]
    for i in range(grid.along.size - 1, -1, -1):
        half, s = 1 << i, grid.along[i]
        for corner in range(half):
            if derivatives == 1:
                work[corner, 0] = (1.0 - s) * work[corner, 0] + s * work[corner + half, 0]
            else:
                for j in range(half):
                    work[corner, j] = piece(
                        work[corner, j], work[corner + half, j], work[corner, j + half],
                        work[corner + half, j + half], grid.widths[i], s,
                    )  # fmt: skip
    return work[0, 0]  # type: ignore[no-any-return]
