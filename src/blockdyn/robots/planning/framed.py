"""Framed: a map's cells in one row with a frame of occupied ones, as compiled code reads them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class Framed(NamedTuple):
    """`blocked`, row after row, with one occupied cell around; `width` columns with the frame."""

    blocked: NDArray[np.bool_]
    width: int

    @property
    def offsets(self) -> NDArray[np.int64]:
        """From a cell to its eight neighbours, counter-clockwise from that with the larger x."""
        w = self.width
        return np.array([1, w + 1, w, w - 1, -1, -w - 1, -w, 1 - w])

    def number(self, cell: Any) -> Any:
        """The place of a cell (row, column) of the map, or of many."""
        return (cell[..., 0] + 1) * self.width + cell[..., 1] + 1

    def cell(self, number: Any) -> Any:
        """The cell (row, column) of the map at a place, or of many."""
        return np.stack([number // self.width - 1, number % self.width - 1], axis=-1)


def framed(occupied: Any) -> Framed:
    """A map's cells with their frame."""
    table = np.ones((occupied.shape[0] + 2, occupied.shape[1] + 2), bool)
    table[1:-1, 1:-1] = occupied
    return Framed(table.ravel(), table.shape[1])
