"""Rays: how far a beam goes on an occupancy map until it meets an occupied cell, for compiled code."""

from __future__ import annotations

from math import cos, inf, sin
from typing import Any

import numpy as np

from ..mechanics.work import Array

OUTSIDE = -1.0
BITS = 12  # of a side: four of them are a whole number below 2^53, which a float holds exactly
LONGEST = 2**BITS - 1


def empty_squares(occupied: Any) -> Array:
    """For each cell, the sides of the largest empty squares that begin at it, one for each quadrant.

    They are the four digits of one number to the base 2^12: to growing columns and rows; to falling columns;
    to falling rows; to both. An occupied cell has 0; outside the map all is empty, up to 4095 cells. One
    number a cell keeps the table of a large map near the processor.
    """
    cells = np.asarray(occupied, bool)
    packed = np.zeros(cells.shape)
    for quadrant in range(4):
        ahead = slice(None, None, -1 if quadrant & 2 else 1), slice(None, None, -1 if quadrant & 1 else 1)
        packed[ahead] += 2.0 ** (BITS * quadrant) * _squares_ahead(cells[ahead])
    return packed


def _squares_ahead(occupied: Any) -> Any:
    """Sides of the squares to growing columns and rows: 1 + the least of the three cells on that side."""
    sides, column = np.empty(occupied.shape, np.int64), np.arange(occupied.shape[1])
    above = np.full(occupied.shape[1] + 1, LONGEST)
    for i in range(len(sides) - 1, -1, -1):
        # Along a row, side[j] <= side[l] + (l - j) for all l > j: the running least of side[l] + l.
        reach = np.where(occupied[i], 0, np.minimum(above[:-1], above[1:]) + 1) + column
        sides[i] = above[:-1] = np.minimum(np.minimum.accumulate(reach[::-1])[::-1] - column, LONGEST)
    return sides


def beam(squares: Array, x: float, y: float, angle: float, farthest: float) -> float:
    """The distance, in cells, from (x, y) along a direction to the first occupied cell, or `farthest`.

    `squares` are those of `empty_squares`. A beam that leaves the map goes on to `farthest`; from outside it
    is OUTSIDE. Where it goes exactly through a corner, it passes between the cells that only touch it there.

    The walk from border to border is that of Amanatides and Woo, A Fast Voxel Traversal Algorithm for Ray
    Tracing, Eurographics 1987, doi:10.2312/egtp.19871000, with the largest empty square that the beam enters
    in place of a cell.
    """
    rows, columns = squares.shape
    if not (0.0 <= x < columns and 0.0 <= y < rows):
        return OUTSIDE
    dx, dy = cos(angle), sin(angle)
    digit = BITS * ((1 if dx < 0.0 else 0) + (2 if dy < 0.0 else 0))
    i, j = int(y), int(x)
    step_i, step_j = (1 if dy >= 0.0 else -1), (1 if dx >= 0.0 else -1)
    # From here on columns and rows are counted in the direction of the beam, which begins at (u, v).
    u, v = (x - j if step_j > 0 else j + 1 - x), (y - i if step_i > 0 else i + 1 - y)
    dx, dy = abs(dx), abs(dy)
    per_x, per_y = (1.0 / dx if dx > 0.0 else inf), (1.0 / dy if dy > 0.0 else inf)
    passed_j = passed_i = 0
    gone = 0.0
    while gone < farthest:
        row, column = i + step_i * passed_i, j + step_j * passed_j
        if not (0 <= row < rows and 0 <= column < columns):
            return farthest
        side = (int(squares[row, column]) >> digit) & LONGEST
        if side == 0:
            return gone
        end_j, end_i = passed_j + side, passed_i + side
        to_x, to_y = (end_j - u) * per_x, (end_i - v) * per_y
        gone = min(to_x, to_y)
        # Rounding may not move it off the side of the square that it crosses.
        passed_j = end_j if to_x <= to_y else min(max(int(u + gone * dx), passed_j), end_j - 1)
        passed_i = end_i if to_y <= to_x else min(max(int(v + gone * dy), passed_i), end_i - 1)
    return farthest
