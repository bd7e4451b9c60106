"""Moves between cells, for compiled code: to eight neighbours, around corners, with exact costs.

A cost is a whole number: STRAIGHT for the side of a cell, DIAGONAL for sqrt(2) of it, right to 2e-12. Sums
are then the same in any order, and planners agree to the last bit.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

STRAIGHT = 2**38
DIAGONAL = 388736063997  # round(sqrt(2) 2^38)
FAR = 2**62  # more than any path on a map of 2^24 cells


def cost_of_move(blocked: NDArray[np.bool_], offsets: NDArray[np.int64], cell: int, k: int) -> int:
    """The cost of the move from a free cell to its neighbour k; FAR if that or a cell beside is occupied."""
    if blocked[cell + offsets[k]]:
        return FAR
    if k % 2 == 0:
        return STRAIGHT
    if blocked[cell + offsets[k - 1]] or blocked[cell + offsets[(k + 1) % 8]]:
        return FAR
    return DIAGONAL


def octile(a: int, b: int, width: int) -> int:
    """The cost between two cells of an empty map, which no path between them undercuts."""
    dx, dy = abs(a % width - b % width), abs(a // width - b // width)
    return STRAIGHT * (max(dx, dy) - min(dx, dy)) + DIAGONAL * min(dx, dy)
