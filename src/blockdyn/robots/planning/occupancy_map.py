"""Occupancy maps hold the occupied cells of a part of the plane, and their positions in m."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import ceil, floor, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...base.annotations import real_numbers
from ...base.checked import checked_numbers
from ...base.door import door
from ...base.shown import NotebookText
from .arguments import Array, PlanningError, numbers, positive, refusal, vector
from .sight import in_sight

if TYPE_CHECKING:
    from ...doors import OccupancyMap as Doors
else:
    Doors = object

ROUNDING = 1e-9  # cells


def swollen(occupied: Any, radius: float) -> Any:
    """The occupied cells and those with a point nearer to an occupied one than the radius, in cells.

    Two squares with dx columns and dy rows from one to the other have the distance

        sqrt(max(|dx| - 1, 0)^2 + max(|dy| - 1, 0)^2)

    so each dy has a largest dx, and cells are compared only with the nearest cell in each row.
    """
    rows, columns = occupied.shape
    radius = min(radius, rows + columns)
    if abs(radius - round(radius)) < ROUNDING:  # 1.1 m in cells of 0.1 m are 11 cells
        radius = round(radius)
    away = _along_rows(occupied)
    result = occupied.copy()
    for dy in range(min(ceil(radius) + 1, rows)):
        left = radius * radius - max(dy - 1, 0) ** 2
        if left <= 0.0:
            break
        reach = min(floor(sqrt(left)) + 1, columns)
        if (reach - 1) ** 2 >= left:  # squares that only touch the disc stay free
            reach -= 1
        near = away <= reach
        result[dy:] |= near[: rows - dy]
        result[: rows - dy] |= near[dy:]
    return result


def _along_rows(occupied: Any) -> Any:
    """Distance to the nearest occupied cell of the row, in columns."""
    columns = np.arange(occupied.shape[1])
    far = 2 * occupied.shape[1] + 2
    before = np.maximum.accumulate(np.where(occupied, columns, -far), axis=1)
    after = np.minimum.accumulate(np.where(occupied, columns, 2 * far)[:, ::-1], axis=1)[:, ::-1]
    return np.minimum(columns - before, after - columns)


MOST = 2**24  # cells, up to which the costs of searches are exact in 64 bits
CELLS = "rows of one length that hold 0 (free) and 1 (occupied), or False and True"

Cells = NDArray[np.bool_]
Index = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class OccupancyMap(NotebookText, Doors):
    """Square cells, each free or occupied.

    `occupied` (rows, columns) holds 0 and 1, or False and True. `resolution` is the side of a cell, m, and
    `origin` (2,) the corner of the map with the smallest x and y, m. Cell [i, j] covers

        x = origin[0] + resolution * [j, j + 1)      y = origin[1] + resolution * [i, i + 1)

    so row 0 is the lowest, as in ROS messages; in an image it is at the top, see `read_map`. Points outside
    the map are not free. Raises PlanningError for an invalid array, and for more than 2^24 cells.
    """

    occupied: Any
    resolution: float = 1.0
    origin: Any = (0.0, 0.0)

    def __post_init__(self) -> None:
        values: dict[str, Any] = {
            "occupied": _cells(self.occupied),
            "resolution": positive("resolution", self.resolution, "m"),
            "origin": vector("origin", self.origin, 2, "the corner (x, y) of the map, m"),
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.occupied.shape  # type: ignore[no-any-return]

    @property
    def extent(self) -> tuple[float, float, float, float]:
        """The smallest and largest x, then y, m."""
        rows, columns = self.shape
        x, y = self.origin.tolist()
        return x, x + columns * self.resolution, y, y + rows * self.resolution

    @checked_numbers(refusal)
    def cell(self, point: ArrayLike) -> Index:
        """The row and column of the cell at a point (2,), m, or of points (n, 2), also outside the map."""
        x, y = np.moveaxis(in_plane("point", point), -1, 0)
        column, row = (
            np.floor((x - self.origin[0]) / self.resolution), np.floor((y - self.origin[1]) / self.resolution)
        )  # fmt: skip
        limit = 2.0**62
        return np.stack([np.clip(row, -limit, limit), np.clip(column, -limit, limit)], -1).astype(np.int64)

    @checked_numbers(refusal)
    def centre(self, cell: ArrayLike) -> Array:
        """The centre (x, y), m, of a cell (row, column), or of cells (n, 2)."""
        rows_columns = numbers("cell", cell, "a cell (row, column), or rows of them, (n, 2)")
        return np.asarray(self.origin + (rows_columns[..., ::-1] + 0.5) * self.resolution)

    @checked_numbers(refusal)
    def is_free(self, point: ArrayLike) -> Any:
        """True if a point (2,), m, lies in a free cell of the map; for points (n, 2) an array."""
        cell = self.cell(point)
        row, column = cell[..., 0], cell[..., 1]
        inside = (row >= 0) & (row < self.shape[0]) & (column >= 0) & (column < self.shape[1])
        free = inside & ~self.occupied[np.where(inside, row, 0), np.where(inside, column, 0)]
        return free if free.ndim else bool(free)

    @checked_numbers(refusal)
    def in_sight(self, start: ArrayLike, end: ArrayLike) -> bool:
        """True if the line between two points (2,), m, meets free cells only; False for one through a corner
        where two occupied cells touch.

        Every cell that the line touches is checked: Amanatides and Woo, A Fast Voxel Traversal Algorithm
        for Ray Tracing, Eurographics 1987, doi:10.2312/egtp.19871000.
        """
        a, b = vector("start", start, 2, "a point (x, y), m"), vector("end", end, 2, "a point (x, y), m")
        return in_sight(self, a, b)

    @checked_numbers(refusal)
    def inflated(self, radius: float) -> OccupancyMap:
        """The map for the centre of a disc of this radius, m.

        A cell stays free where the disc touches nothing occupied from any point of the cell: a path through
        free cells keeps the radius as its distance. The edge of the map is not a wall. Raises PlanningError.
        """
        radius = positive("radius", radius, "m")
        return OccupancyMap(swollen(self.occupied, radius / self.resolution), self.resolution, self.origin)

    @cached_property
    def clearance(self) -> Array:
        """Distance from each cell to the nearest occupied one, between centres, m; inf without one.

        Exact: Maurer, Qi, Raghavan, IEEE Transactions on Pattern Analysis and Machine Intelligence 25(2),
        2003, 265-270, doi:10.1109/TPAMI.2003.1177156; SciPy's code.
        """
        if not self.occupied.any():
            return np.full(self.shape, np.inf)
        from scipy import ndimage

        return np.asarray(ndimage.distance_transform_edt(~self.occupied)) * self.resolution

    @checked_numbers(refusal)
    def changed(self, cells: ArrayLike, occupied: bool = True) -> OccupancyMap:
        """The map with these cells, (row, column) or (n, 2), occupied or free. Raises PlanningError."""
        row, column = listed_cells(self, cells).T
        table = self.occupied.copy()
        table[row, column] = occupied
        return OccupancyMap(table, self.resolution, self.origin)

    def __repr__(self) -> str:
        (rows, columns), (x0, x1, y0, y1) = self.shape, self.extent
        share = self.occupied.mean()
        return (
            f"<OccupancyMap: {rows} by {columns} cells of {self.resolution:g} m, x from {x0:g} to {x1:g} m,"
            f" y from {y0:g} to {y1:g} m, {share:.1%} occupied>"
        )

    if not TYPE_CHECKING:  # see doors.pyi
        plot = door("plots.robots.paths:plot_map")
        _figure = door("plots.robots.paths:map_picture")


def listed_cells(of: OccupancyMap, cells: ArrayLike) -> Index:
    """The value as cells of a map, (n, 2). Raises PlanningError."""
    expected = f"cells (row, column) of a map of {of.shape[0]} rows and {of.shape[1]} columns"
    array = np.atleast_2d(numbers("cells", cells, expected))
    if not array.size:
        return np.empty((0, 2), np.int64)
    if array.ndim != 2 or array.shape[1] != 2:
        raise PlanningError("cells", f"numbers of shape {array.shape}", expected)
    wrong = (array != np.floor(array)).any(axis=1) | (array < 0).any(axis=1) | (array >= of.shape).any(axis=1)
    if wrong.any():
        raise PlanningError("cells", array[wrong][0].tolist(), expected)
    return array.astype(np.int64)


def _cells(value: object) -> Cells:
    try:
        array = value if isinstance(value, np.ndarray) and value.dtype.kind == "b" else _numbers_of(value)
    except (TypeError, ValueError, OverflowError):
        raise PlanningError("occupied", f"{value!r:.80}", CELLS) from None
    if array.ndim != 2 or not array.size:
        raise PlanningError("occupied", f"of shape {array.shape}", CELLS)
    if array.size > MOST:
        raise PlanningError("occupied", f"{array.size} cells", f"at most {MOST}; take a coarser resolution")
    wrong = np.argwhere((array != 0) & (array != 1))
    if len(wrong):
        row, column = wrong[0].tolist()
        raise PlanningError(f"occupied[{row}, {column}]", array[row, column], CELLS)
    cells = array.astype(bool)
    cells.flags.writeable = False
    return cells


def _numbers_of(value: object) -> Any:
    array = np.asarray(value)
    return array if array.dtype.kind == "b" else real_numbers(value)


def in_plane(name: str, value: object) -> Array:
    expected = "a point (x, y), m, or rows of them, (n, 2)"
    array = numbers(name, value, expected)
    if array.shape[-1:] != (2,) or array.ndim > 2:
        raise PlanningError(name, f"numbers of shape {array.shape}", expected)
    return array
