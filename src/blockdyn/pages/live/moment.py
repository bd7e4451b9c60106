"""Moment: what the rows of a live run tell of one of its times."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...solvers import layout
from ...solvers.layout import Floats, Integers


@dataclass(frozen=True)
class Moment:
    """A time between two rows that show everything, and the last row up to it, where held signals stand."""

    time: float
    before: Floats
    after: Floats
    last: Floats

    @property
    def part(self) -> float:
        """How much of the way from one row to the other has passed."""
        gap = float(self.after[0] - self.before[0])
        return (self.time - float(self.before[0])) / gap if gap > 0.0 else 0.0

    def between(self, columns: Integers) -> Floats:
        """Signals on the straight line between the rows, as a plot draws them."""
        a = self.before[columns]
        return np.asarray(a + self.part * (self.after[columns] - a))

    def values(self, columns: Integers, held: bool | Floats) -> Floats:
        """Signals, of which those that are held have the value that they got last."""
        return np.where(held, self.last[columns], self.between(columns))


def moment(rows: Floats, time: float) -> Moment:
    """That of a time; of several rows at one instant the last one counts."""
    count = int(np.searchsorted(rows[:, 0], time, side="right"))
    last = before = max(count - 1, 0)
    after = min(count, len(rows) - 1)
    while before > 0 and rows[before, 1] == layout.HELD_ONLY:
        before -= 1
    while after < len(rows) - 1 and rows[after, 1] == layout.HELD_ONLY:
        after += 1
    if rows[after, 1] == layout.HELD_ONLY:
        after = before
    return Moment(time, rows[before], rows[after], rows[last])
