"""Lookup2D: a table over two signals."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from ...base.data_file import DataFileError
from ..contract.block import Block
from ..contract.errors import ParameterError
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
from .grid_file import read_grid
from .slopes import derivatives

STRIDE = 65536  # maximum number of regions of an axis, so that two regions fit into one mode


class Lookup2D(Block):
    """A function of two signals given on a grid, element by element.

        y = table[i][j]  where u0 = rows[i] and u1 = columns[j];  between them, along both axes,
            held, linear (bilinear), cubic (a bicubic spline), akima (bicubic, with Akima's slopes)

    `rows` and `columns` increase, and `table` has a row for each of `rows`; or a `file` has all three: CSV
    whose first line has `columns` and whose first cells have `rows`, or .npz with arrays x0, x1 and table.
    Outside, `clip` continues with the value at the edge, `extrapolate` with the piece at the edge, and
    `error` ends the run with BlockFailed. With `events` every kink is an event, at which a step ends; jumps
    of `held` are events unless you set `events: false`. u0 and u1 feed through to y directly.
    Raises ParameterError for breakpoints that do not increase, sizes that do not fit, files with gaps.
    Sources: de Boor, A Practical Guide to Splines (1978), chapter XVII; Akima, Communications of the ACM
    17(1), 1974, doi:10.1145/360767.360779.

    Example:
        {type: Lookup2D, rows: [0, 1], columns: [0, 2, 4], table: [[0, 1, 2], [3, 4, 8]]}
    """

    icon = "surface"
    inputs: ClassVar = (Port("u0"), Port("u1"))
    elementwise: ClassVar = True
    tables: ClassVar = ("rows", "columns", "table", "p0", "p1", "r0", "r1", "starts0", "starts1", "values")

    rows: Real | None = parameter(default=None, unit="[u0]", doc="breakpoints of u0", dimensions=(1,))
    columns: Real | None = parameter(default=None, unit="[u1]", doc="breakpoints of u1", dimensions=(1,))
    table: Real | None = parameter(
        default=None, unit="[y]", doc="y, a row for each of `rows`", dimensions=(2,)
    )
    method: str = option(default="linear", doc="interpolation between points", choices=METHODS)
    outside: str = option(default="clip", doc="rule beyond the edges", choices=OUTSIDE)
    events: bool | None = option(default=None, doc="kinks are events; default: for `held` alone")
    file: FileLike | None = option(default=None, doc="CSV or .npz with breakpoints and table")
    unit: str = option(default="", doc="unit of y")

    def check(self) -> None:
        written = [name for name in ("rows", "columns", "table") if getattr(self, name) is not None]
        if (self.file is None) == (len(written) < 3) or (self.file is not None and written):
            expected = "either `rows`, `columns` and `table`, or a `file`"
            raise ParameterError("Lookup2D", "file", self.file, expected)
        for points in self.grid[0]:
            if points.size >= STRIDE:
                raise ParameterError(
                    "Lookup2D", "rows", points.size, f"fewer than {STRIDE} breakpoints per axis"
                )

    @cached_property
    def grid(self) -> tuple[list[Array], Array]:
        """The breakpoints of both axes and the table. Raises ParameterError."""
        if self.file is None:
            points = [
                check_breakpoints("Lookup2D", name, getattr(self, name)) for name in ("rows", "columns")
            ]
            return points, check_size("Lookup2D", "table", self.table, (points[0].size, points[1].size))
        try:
            points, table = read_grid(Path(str(self.file)), 2)
        except DataFileError as error:
            raise ParameterError("Lookup2D", "file", str(self.file), reason=error) from None
        for axis, along in zip(("rows", "columns"), points, strict=True):
            check_breakpoints("Lookup2D", "file", along, f"{axis} in {self.file}")
        return points, table

    @property
    def _eventful(self) -> bool:
        return self.method == "held" if self.events is None else self.events

    def output_ports(self) -> tuple[Port, ...]:
        return (Port("y", unit=self.unit),)

    def zero_crossings(self) -> tuple[Crossing, ...]:
        return (Crossing("rows"), Crossing("columns")) if self._eventful else ()

    def constants(self) -> Mapping[str, Any]:
        points, table = self.grid
        smooth = self.method in ("cubic", "akima")
        constants: dict[str, Any] = {"values": derivatives(points, table, self.method) if smooth else table}
        for i, along in enumerate(points):
            found_by = finder(along)
            constants |= {f"p{i}": along, f"starts{i}": found_by["starts"], f"scale{i}": found_by["scale"]}
            constants[f"r{i}"] = found_by["rates"]
        return {
            **constants,
            "clip": float(self.outside == "clip"),
            "strict": float(self.outside == "error"),
            "ends": float(self.outside == "clip" or self.method == "held"),
        }

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        kind = "smooth" if self.method in ("cubic", "akima") else self.method
        if not self._eventful:
            return {"output": _PLAIN[kind]}
        return {"output": _EVENTFUL[kind], "crossing": crossing, "mode": mode}


def crossing(mode: int, u0: float, u1: float, p0: Array, p1: Array, ends: float) -> tuple[float, float]:
    return margin(u0, mode // STRIDE, p0, ends), margin(u1, mode % STRIDE, p1, ends)


def mode(
    u0: float, u1: float, p0: Array, p1: Array, starts0: Array, starts1: Array, scale0: float, scale1: float,
    ends: float,
) -> int:  # fmt: skip
    return region(u0, p0, starts0, scale0, ends) * STRIDE + region(u1, p1, starts1, scale1, ends)


def bilinear(i: int, j: int, s0: float, s1: float, values: Array) -> float:
    low = (1.0 - s1) * values[i, j] + s1 * values[i, j + 1]
    high = (1.0 - s1) * values[i + 1, j] + s1 * values[i + 1, j + 1]
    return (1.0 - s0) * low + s0 * high  # type: ignore[no-any-return]


def bicubic(i: int, j: int, s0: float, s1: float, p0: Array, p1: Array, values: Array) -> float:
    # values[0] the table, [1] its slopes along the rows' axis, [2] along the columns', [3] along both
    h0, h1 = p0[i + 1] - p0[i], p1[j + 1] - p1[j]
    v, d = values[0], values[1]
    vy, dy = values[2], values[3]
    ends = (
        piece(v[i, j], v[i, j + 1], vy[i, j], vy[i, j + 1], h1, s1),
        piece(v[i + 1, j], v[i + 1, j + 1], vy[i + 1, j], vy[i + 1, j + 1], h1, s1),
    )
    slopes = (
        piece(d[i, j], d[i, j + 1], dy[i, j], dy[i, j + 1], h1, s1),
        piece(d[i + 1, j], d[i + 1, j + 1], dy[i + 1, j], dy[i + 1, j + 1], h1, s1),
    )
    return piece(ends[0], ends[1], slopes[0], slopes[1], h0, s0)


def hold(
    u0: float, u1: float, p0: Array, p1: Array, starts0: Array, starts1: Array, scale0: float, scale1: float,
    values: Array, strict: float,
) -> float:  # fmt: skip
    check_inside(u0, p0, strict)
    check_inside(u1, p1, strict)
    i, j = region(u0, p0, starts0, scale0, 1.0), region(u1, p1, starts1, scale1, 1.0)
    return values[max(i - 1, 0), max(j - 1, 0)]  # type: ignore[no-any-return]


class Grid(NamedTuple):
    """The table and its axes."""

    p0: Array
    p1: Array
    r0: Array
    r1: Array
    starts0: Array
    starts1: Array
    scale0: float
    scale1: float
    values: Array
    clip: float
    strict: float


def linear(u0: float, u1: float, g: Grid) -> float:
    check_inside(u0, g.p0, g.strict)
    check_inside(u1, g.p1, g.strict)
    i, j = cell(u0, g.p0, g.starts0, g.scale0), cell(u1, g.p1, g.starts1, g.scale1)
    s, t = part(u0, i, g.p0, g.r0, g.clip), part(u1, j, g.p1, g.r1, g.clip)
    return bilinear(i, j, s, t, g.values)


def smooth(u0: float, u1: float, g: Grid) -> float:
    check_inside(u0, g.p0, g.strict)
    check_inside(u1, g.p1, g.strict)
    i, j = cell(u0, g.p0, g.starts0, g.scale0), cell(u1, g.p1, g.starts1, g.scale1)
    s, t = part(u0, i, g.p0, g.r0, g.clip), part(u1, j, g.p1, g.r1, g.clip)
    return bicubic(i, j, s, t, g.p0, g.p1, g.values)


# With events the mode is the pair of active regions, and is frozen within a step.


def held_mode(
    mode: int, u0: float, u1: float, p0: Array, p1: Array, values: Array, strict: float
) -> float:  # fmt: skip
    check_inside(u0, p0, strict)
    check_inside(u1, p1, strict)
    return values[max(mode // STRIDE - 1, 0), max(mode % STRIDE - 1, 0)]  # type: ignore[no-any-return]


def linear_mode(
    mode: int, u0: float, u1: float, p0: Array, p1: Array, r0: Array, r1: Array, values: Array,
    clip: float, strict: float,
) -> float:  # fmt: skip
    check_inside(u0, p0, strict)
    check_inside(u1, p1, strict)
    i, s0 = locate(u0, mode // STRIDE, p0, r0, clip)
    j, s1 = locate(u1, mode % STRIDE, p1, r1, clip)
    return bilinear(i, j, s0, s1, values)


def smooth_mode(
    mode: int, u0: float, u1: float, p0: Array, p1: Array, r0: Array, r1: Array, values: Array,
    clip: float, strict: float,
) -> float:  # fmt: skip
    check_inside(u0, p0, strict)
    check_inside(u1, p1, strict)
    i, s0 = locate(u0, mode // STRIDE, p0, r0, clip)
    j, s1 = locate(u1, mode % STRIDE, p1, r1, clip)
    return bicubic(i, j, s0, s1, p0, p1, values)


_PLAIN: Mapping[str, Callable[..., Any]] = {"held": hold, "linear": linear, "smooth": smooth}
_EVENTFUL: Mapping[str, Callable[..., Any]] = {
    "held": held_mode, "linear": linear_mode, "smooth": smooth_mode
}  # fmt: skip
