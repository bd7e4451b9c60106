"""Rays: how far a beam goes on an occupancy map until it meets an occupied cell, for compiled code."""

from __future__ import annotations

from math import cos, floor, inf, sin
from typing import Any

import numpy as np

from ..mechanics.work import Array

OUTSIDE = -1.0


def empty_distance(occupied: Any) -> Array:
    """For each cell, how many rows or columns away the nearest occupied one is; 0 where it is itself.

    Around a cell with the number k, all cells up to k - 1 rows and columns away are free or outside.
    """
    cells = np.asarray(occupied, bool)
    if not cells.any():
        return np.full(cells.shape, float(max(cells.shape)))
    from scipy import ndimage

    return np.ascontiguousarray(ndimage.distance_transform_cdt(~cells, "chessboard"), np.float64)


def beam(gaps: Array, x: float, y: float, angle: float, farthest: float) -> float:
    """The distance, in cells, from (x, y) along a direction to the first occupied cell, or `farthest`.

    `gaps` are those of `empty_distance`. A beam that leaves the map goes on to `farthest`; from outside it
    is OUTSIDE. Where it goes exactly through a corner, it passes between the cells that only touch it there.

    The walk from border to border of the cells is that of Amanatides and Woo, A Fast Voxel Traversal
    Algorithm for Ray Tracing, Eurographics 1987, doi:10.2312/egtp.19871000; where all around is free, it
    leaps.
    """
    rows, columns = gaps.shape
    if not (0.0 <= x < columns and 0.0 <= y < rows):
        return OUTSIDE
    dx, dy = cos(angle), sin(angle)
    per_x, per_y = (1.0 / dx if dx != 0.0 else inf), (1.0 / dy if dy != 0.0 else inf)
    reach = 1.0 / max(abs(dx), abs(dy))  # of one column or row, whichever the beam passes faster
    i, j, gone = int(y), int(x), 0.0
    while gone < farthest:
        gap = gaps[i, j]
        if gap == 0.0:
            return gone
        if gap > 2.0:
            # Cells up to gap - 1 away are free: gap - 1 columns or rows further the beam is in one of them.
            gone += (gap - 1.0) * reach
            i, j = floor(y + gone * dy), floor(x + gone * dx)
        else:
            to_x = ((j + 1 if dx > 0.0 else j) - x) * per_x if dx != 0.0 else inf
            to_y = ((i + 1 if dy > 0.0 else i) - y) * per_y if dy != 0.0 else inf
            if to_x <= to_y:
                j += 1 if dx > 0.0 else -1
            if to_y <= to_x:
                i += 1 if dy > 0.0 else -1
            gone = max(gone, min(to_x, to_y))
        if not (0 <= i < rows and 0 <= j < columns):
            return farthest
    return farthest
