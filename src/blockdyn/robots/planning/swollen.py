"""Swollen: the cells from whose points a disc touches something occupied."""

from __future__ import annotations

from math import ceil, floor, sqrt
from typing import Any

import numpy as np

ROUNDING = 1e-9  # cells


def swollen(occupied: Any, radius: float) -> Any:
    """The occupied cells and those with a point nearer to an occupied one than the radius, in cells.

    Two squares that are dx columns and dy rows apart have the distance

        sqrt(max(|dx| - 1, 0)^2 + max(|dy| - 1, 0)^2)

    so that with each dy goes a largest dx, and cells are compared with the nearest in each row alone.
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
    """How many columns away the nearest occupied cell of the row is."""
    columns = np.arange(occupied.shape[1])
    far = 2 * occupied.shape[1] + 2
    before = np.maximum.accumulate(np.where(occupied, columns, -far), axis=1)
    after = np.minimum.accumulate(np.where(occupied, columns, 2 * far)[:, ::-1], axis=1)[:, ::-1]
    return np.minimum(columns - before, after - columns)
