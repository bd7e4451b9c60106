"""Walls: the occupied cells of a map as blocks that stand on the ground of an animation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from ..pictures.solids import Face

if TYPE_CHECKING:
    from ..planning.occupancy_map import OccupancyMap

COLOR = (0.72, 0.74, 0.78)


def walls(of: OccupancyMap, height: float, piece: float) -> list[Face]:
    """Blocks of that height, m, at most about `piece` m long: short ones sort well behind one another."""
    cells = max(1, round(piece / of.resolution))
    return [face for block in blocks(of.occupied, cells) for face in _faces(of, block, height)]


def blocks(occupied: np.ndarray, most: int) -> Iterator[tuple[int, int, int, int]]:
    """Rectangles that cover all occupied cells once: first row and column, and how many, `most` or less."""
    left = occupied.copy()
    for row, column in np.argwhere(occupied):
        if not left[row, column]:
            continue
        width = height = 1
        while width < most and column + width < left.shape[1] and left[row, column + width]:
            width += 1
        while (
            height < most and row + height < len(left) and left[row + height, column : column + width].all()
        ):
            height += 1
        left[row : row + height, column : column + width] = False
        yield int(row), int(column), height, width


def _faces(of: OccupancyMap, block: tuple[int, int, int, int], height: float) -> Iterator[Face]:
    row, column, rows, columns = block
    x, y = of.origin + of.resolution * np.array([column, row])
    dx, dy = of.resolution * columns, of.resolution * rows
    ring = np.array([[x, y, 0.0], [x + dx, y, 0.0], [x + dx, y + dy, 0.0], [x, y + dy, 0.0]])
    rise = np.array([0.0, 0.0, height])
    yield Face(ring + rise, np.array([0.0, 0.0, 1.0]), COLOR)
    for i, normal in enumerate(np.array([[0.0, -1, 0], [1, 0, 0], [0, 1, 0], [-1, 0, 0]])):
        a, b = ring[i], ring[(i + 1) % 4]
        yield Face(np.array([a, b, b + rise, a + rise]), normal, COLOR)
