"""Moments of a live run, from the rows that have been logged so far."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...solvers import layout
from ...solvers.layout import Floats, Integers

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
        """Its rows: a view, good until rows are added or cut."""
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
        """Number of rows up to a time, it included."""
        return int(np.searchsorted(self.all[:, 0], time, side="right"))


@dataclass(frozen=True)
class Moment:
    """A time between two rows that show everything, and the last row up to it, where held signals stand."""

    time: float
    before: Floats
    after: Floats
    last: Floats

    @property
    def part(self) -> float:
        """Share of the way from one row to the other that has passed."""
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
    """The moment of a time; of several rows at one instant the last one counts."""
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


A_PIXEL = 2  # samples: its least and its greatest


def thinned(times: Floats, values: Floats, pixel: float) -> tuple[Floats, Floats]:
    """At most two samples a pixel of `pixel` s: of every line its least and its greatest in it."""
    if len(times) <= A_PIXEL or pixel <= 0.0:
        return times, values
    cells = np.floor((times - times[0]) / pixel)
    starts = np.concatenate([[0], np.flatnonzero(np.diff(cells)) + 1])
    if A_PIXEL * len(starts) >= len(times):
        return times, values
    ends = np.append(starts[1:], len(times)) - 1
    least, greatest = np.fmin.reduceat(values, starts, axis=1), np.fmax.reduceat(values, starts, axis=1)
    rising = values[:, ends] >= values[:, starts]
    few = np.empty((len(values), A_PIXEL * len(starts)))
    few[:, 0::2] = np.where(rising, least, greatest)
    few[:, 1::2] = np.where(rising, greatest, least)
    instants = np.empty(A_PIXEL * len(starts))
    instants[0::2], instants[1::2] = times[starts], times[ends]
    return instants, few
