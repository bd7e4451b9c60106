"""Rows of a live run: what has been logged so far, cut short where another future begins."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...solvers.layout import Floats

_FIRST = 1024  # rows that there is room for at the start


class Rows:
    """An array of rows that grows, and is cut; the first column is the time, s."""

    def __init__(self, width: int) -> None:
        self._rows: Any = np.empty((_FIRST, width))
        self.count = 0

    @property
    def bytes(self) -> int:
        return int(self.count * self._rows[:1].nbytes)

    @property
    def all(self) -> Floats:
        """What it holds: a view, good until rows are added or cut."""
        return self._rows[: self.count]  # type: ignore[no-any-return]

    def add(self, rows: Floats) -> None:
        """Append a copy."""
        end = self.count + len(rows)
        if end > len(self._rows):
            grown = np.empty((max(end, 2 * len(self._rows)), self._rows.shape[1]))
            grown[: self.count] = self.all
            self._rows = grown
        self._rows[self.count : end] = rows
        self.count = end

    def cut(self, count: int) -> None:
        """Keep the first rows alone."""
        self.count = min(self.count, count)

    def copy(self) -> Rows:
        """The same rows in an array of their own."""
        rows = Rows(self._rows.shape[1])
        rows.add(self.all)
        return rows

    def until(self, time: float) -> int:
        """How many rows there are up to a time, it included."""
        return int(np.searchsorted(self.all[:, 0], time, side="right"))
