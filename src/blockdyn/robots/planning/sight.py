"""Two points of a map see each other if the line between them meets free cells only."""

from __future__ import annotations

from math import floor, inf
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..calls.kernel import machine_code
from .arguments import Array
from .grid_search import frame_map

if TYPE_CHECKING:
    from .occupancy_map import OccupancyMap


def sees(blocked: NDArray[np.bool_], width: int, x0: float, y0: float, x1: float, y1: float) -> bool:
    """True if all cells that the line touches are free; coordinates in cells.

    `blocked` has a frame of occupied cells, one wide, and `width` columns with it. Where the line goes
    through a corner, both cells next to it are checked as well.
    """
    rows = blocked.shape[0] // width - 2
    if not (0.0 <= x0 < width - 2 and 0.0 <= x1 < width - 2 and 0.0 <= y0 < rows and 0.0 <= y1 < rows):
        return False
    column, row = floor(x0), floor(y0)
    last_column, last_row = floor(x1), floor(y1)
    dx, dy = x1 - x0, y1 - y0
    step_x, step_y = (1 if dx > 0.0 else -1), (1 if dy > 0.0 else -1)
    per_x, per_y = (abs(1.0 / dx) if dx != 0.0 else inf), (abs(1.0 / dy) if dy != 0.0 else inf)
    # fractions of the line, from 0 to 1, at which it enters the next column and row
    next_x = inf if dx == 0.0 else ((column + 1 - x0) if dx > 0.0 else (x0 - column)) * per_x
    next_y = inf if dy == 0.0 else ((row + 1 - y0) if dy > 0.0 else (y0 - row)) * per_y
    left_x, left_y = abs(last_column - column), abs(last_row - row)
    cell = (row + 1) * width + column + 1
    if blocked[cell]:
        return False
    while left_x > 0 or left_y > 0:
        if left_x > 0 and left_y > 0 and abs(next_x - next_y) <= 1e-12:
            if blocked[cell + step_x] or blocked[cell + step_y * width]:
                return False
            cell += step_x + step_y * width
            next_x, next_y = next_x + per_x, next_y + per_y
            left_x, left_y = left_x - 1, left_y - 1
        elif left_y == 0 or (left_x > 0 and next_x < next_y):
            cell += step_x
            next_x += per_x
            left_x -= 1
        else:
            cell += step_y * width
            next_y += per_y
            left_y -= 1
        if blocked[cell]:
            return False
    return True


def sight(
    blocked: NDArray[np.bool_], width: int, x0: float, y0: float, x1: float, y1: float
) -> int:  # one call from Python
    """The result of `sees` as a number."""
    return 1 if sees(blocked, width, x0, y0, x1, y1) else 0


def native_sight() -> Any:
    """The walk along a line as machine code."""
    return machine_code(sight, ("b1", "i", "d", "d", "d", "d"))


def in_sight(of: OccupancyMap, start: Array, end: Array) -> bool:
    """See `OccupancyMap.in_sight`."""
    cells = frame_map(of.occupied)
    (x0, y0), (x1, y1) = ((point - of.origin) / of.resolution for point in (start, end))
    return bool(native_sight()(cells.blocked, cells.width, x0, y0, x1, y1))
