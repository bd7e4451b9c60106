"""A signal of a run is interpolated by quartics, which give the instants that decide its measures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ..solvers import layout
from ..solvers.events.dip import GRAZE
from ..solvers.layout import Floats, Integers
from ..solvers.variation.instants import ROUNDED, STEEP
from ..sweeps.measures.quartic import excess, linear, quadratic, rounding, slope, value

INSIDE, BEFORE, BEHIND, JUMP = "inside", "before", "behind", "jump"
BETWEEN, TOUCH = "between", "touch"
FIXED, UNTIL, STOPPED = "fixed", "until", "stopped"
"""Kinds of instants: within a smooth piece; at an event, as the limit before or behind it, or the event
itself; between two steps without a jump; at a touch of a level; at a fixed time, behind its events, or as the
limit before them; at the event with which a block such as Stop ends the run, behind it.
"""
REAL = 1e-9  # of a root's imaginary part
FLAT = 1e-14  # of the largest coefficient: smaller ones are rounding


class Instant(NamedTuple):
    """An instant of a run, s, its kind, and the distance `room` from it in which the signal is smooth, s."""

    time: float
    kind: str
    room: float


@dataclass(frozen=True)
class Grid:
    """The steps of a run: rows of five points each, or only their ends, and the events between them.

    starts, ends   true at an event
    behind         the row after an event that ends the run, or -1
    """

    rows: Integers  # (n, 5)
    times: Floats  # of each step's start
    stops: Floats  # of its end
    lengths: Floats
    starts: Integers
    ends: Integers
    behind: int


def make_grid(rows: Floats) -> Grid:
    """The steps in the rows of a run, as the measures of a sweep read them."""
    flags, times = rows[:, 1], rows[:, 0]
    indices = np.flatnonzero(flags != layout.AT_GRID)
    flags, times = flags[indices], times[indices]
    begins = np.isin(flags, (layout.INITIAL, layout.RIGHT))
    lefts = np.isin(flags, (layout.LEFT, layout.WITHIN))
    at = np.arange(indices.size)
    since = np.maximum.accumulate(np.where(begins | lefts, at, 0))  # last restart of the count of points
    since = np.concatenate([[0], since])[:-1]
    first = since + (at - 1 - since) // 4 * 4
    last = np.flatnonzero(~begins & (lefts | (at - first == 4)) & (at > 0))
    last = last[times[last] - times[first[last]] > ROUNDED * np.abs(times[last])]
    first = first[last]
    table = first[:, None] + np.arange(5)
    table[last - first < 4, 1:4] = -1
    table[:, 4] = last
    table = np.where(table < 0, -1, indices[table])
    lengths = times[last] - times[first]
    starts = (flags[first] == layout.RIGHT).astype(np.int64)
    behind = int(indices[-1]) if indices.size and flags[-1] == layout.RIGHT else -1
    return Grid(table, times[first], times[last], lengths, starts, lefts[last].astype(np.int64), behind)


class Series:
    """One signal between two times; `first` and `last` are their instants."""

    def __init__(
        self, grid: Grid, values: Floats, begin: float, end: float, rtol: float, *, includes_end: bool,
        moves: bool = False,
    ) -> None:  # fmt: skip
        """`values` belong to the run's rows, `rtol` is its tolerance. With `includes_end`, changes at the end
        count; with `moves`, an event ends the run.
        """
        points = values[grid.rows]
        bare = grid.rows[:, 1] < 0
        points[bare] = points[bare, :1] + np.linspace(0.0, 1.0, 5) * (points[bare, 4:] - points[bare, :1])
        self._points, self._grid, self._begin, self._end, self._rtol = points, grid, begin, end, rtol
        self._moves = moves
        inside = (grid.times < end) & (grid.times + grid.lengths > begin)
        self._steps = np.flatnonzero(inside)
        ordered = np.sort(points, axis=1)
        bound = excess(*points.T)
        self._low, self._high = ordered[:, 0] - bound, ordered[:, 4] + bound
        self._behind = float(values[grid.behind]) if includes_end and grid.behind >= 0 else None
        self.first = Instant(begin, FIXED, 0.0)
        self.last = self._until(int(self._steps[-1])) if self._steps.size else Instant(end, FIXED, 0.0)
        if self._behind is not None:
            self.last = Instant(end, FIXED, 0.0)
        if moves:
            self.last = Instant(end, STOPPED, 0.0)

    def highest(self, sign: float = 1.0) -> Instant:
        """The instant of the maximum of the signal; with sign -1, of the minimum."""
        top = self._high if sign > 0.0 else -self._low
        largest = (sign * self._points)[self._steps].max(initial=-np.inf)
        best, instant = -np.inf, Instant(self._begin, FIXED, 0.0)
        for k in self._steps[top[self._steps] >= largest]:
            c, first, last = self._coefficients(int(k)), *self._window(int(k))
            slopes = [4.0 * c[4], 3.0 * c[3], 2.0 * c[2], c[1]]
            for u in [first, last, *_real_roots(slopes, first, last)]:
                level = sign * value(*c, u)
                if level > best:
                    best, instant = level, self._instant(int(k), u, first, last)
        if self._behind is not None and sign * self._behind > best:
            return self.last
        return instant

    def passages(self, level: float) -> Iterator[tuple[Instant, float]]:
        """The instants and directions in which the signal passes a level: 1 upwards, -1 downwards; 0 for a
        touch of the level.

        A value that differs from the level only by rounding is on neither side, e.g. if an event at the level
        ends a step: the signal passes at the start of the first part on the other side.
        """
        side, least = 0.0, GRAZE * self._rtol * np.abs(self._points[self._steps] - level).max(initial=0.0)
        for k in self._steps.tolist():
            c, (first, last), noise = self._coefficients(k), self._window(k), rounding(*self._points[k])
            near = self._low[k] - least <= level <= self._high[k] + least
            roots = _real_roots([c[4], c[3], c[2], c[1], c[0] - level], first, last) if near else []
            begins = True  # no part of the step so far is on either side of the level
            for u, following in pairwise([first, *roots, last]):
                away = value(*c, 0.5 * (u + following)) - level
                if side * away < -noise:
                    instant = self._junction(k) if begins else self._inside(k, u)
                    touches = instant.kind != JUMP and self._touches(k, u, level, least)
                    touches |= instant.kind == BETWEEN and self._touches(k - 1, 1.0, level, least)
                    yield instant._replace(kind=TOUCH) if touches else instant, np.sign(away)
                if abs(away) > noise:
                    side, begins = np.sign(away), False
            for u in _real_roots([4.0 * c[4], 3.0 * c[3], 2.0 * c[2], c[1]], first, last) if near else ():
                depth = side * (value(*c, u) - level)
                if noise < depth <= least and self._touches(k, u, level, least):
                    yield self._inside(k, u)._replace(kind=TOUCH), 0.0
        if self._behind is not None and side * (self._behind - level) < 0.0:
            k = int(self._steps[-1])
            jumps = abs(self._behind - self._points[k, 4]) > rounding(*self._points[k])
            yield Instant(self._end, JUMP if jumps else UNTIL, self._room(k)), -side

    def departures(self) -> Iterator[tuple[Instant, float]]:
        """The instants at which the signal leaves 0, with 1, or reaches it, with -1; NaN if that is not
        an event.
        """
        away = self._points[:, 2] != 0.0
        for before, k in pairwise(self._steps.tolist()):
            if away[before] != away[k]:
                way = (1.0 if away[k] else -1.0) if self._grid.starts[k] else np.nan
                yield Instant(float(self._grid.times[k]), JUMP, self._room(k)), way

    def ends(self) -> tuple[float, float]:
        """The values at both times."""
        first, last = int(self._steps[0]), int(self._steps[-1])
        begin = value(*self._coefficients(first), self._window(first)[0])
        end = value(*self._coefficients(last), self._window(last)[1])
        return begin, end if self._behind is None else self._behind

    def _coefficients(self, k: int) -> tuple[float, float, float, float, float]:
        y0, y1, y2, y3, y4 = self._points[k].tolist()
        c1, c2 = linear(y0, y1, y3, y4), quadratic(y0, y1, y2, y3, y4)
        return y2, c1, c2, 0.5 * (y4 - y0) - c1, 0.5 * ((y4 - y2) + (y0 - y2)) - c2

    def _window(self, k: int) -> tuple[float, float]:
        """The part of a step within the window, in the units of the step, from -1 to 1."""
        t, h = float(self._grid.times[k]), float(self._grid.lengths[k])
        first = max(2.0 * (self._begin - t) / h - 1.0, -1.0)
        return first, min(2.0 * (self._end - t) / h - 1.0, 1.0)

    def _touches(self, k: int, u: float, level: float, least: float) -> bool:
        """True if the signal barely passes the level before it turns back near u, or is nearly constant."""
        _, c1, c2, c3, c4 = self._coefficients(k)
        rate, bend = slope(c1, c2, c3, c4, u), 2.0 * c2 + u * (6.0 * c3 + u * 12.0 * c4)
        local = STEEP * np.abs(self._points[k] - level).max()
        return bool(abs(rate) <= local and least <= local and rate * rate <= 2.0 * abs(bend) * least)

    def _junction(self, k: int) -> Instant:
        """The instant between step k and the step before it."""
        before, room = self._points[k - 1], float(self._grid.lengths[k - 1 : k + 1].min())
        noise = max(rounding(*before), rounding(*self._points[k]))
        jumps = abs(self._points[k, 0] - before[4]) > noise
        return Instant(float(self._grid.times[k]), JUMP if jumps else BETWEEN, room)

    def _room(self, k: int) -> float:
        return float(self._grid.lengths[k])

    def _until(self, k: int) -> Instant:
        """The end of the window, in step k: before the event there."""
        if self._moves:
            return Instant(self._end, BEFORE, self._room(k))
        if self._grid.ends[k] and self._grid.stops[k] <= self._end:
            return Instant(self._end, UNTIL, self._room(k))
        return Instant(self._end, FIXED, 0.0)

    def _inside(self, k: int, u: float) -> Instant:
        return Instant(float(self._grid.times[k] + 0.5 * (u + 1.0) * self._grid.lengths[k]), INSIDE, 0.0)

    def _instant(self, k: int, u: float, first: float, last: float) -> Instant:
        t, h = float(self._grid.times[k]), self._room(k)
        if u == first and (first > -1.0 or t <= self._begin):
            return Instant(self._begin, FIXED, 0.0)
        if u == last and (last < 1.0 or t + h >= self._end):
            return self._until(k)
        if u == first and self._grid.starts[k]:
            return Instant(t, BEHIND, h)
        if u == last and self._grid.ends[k]:
            return Instant(t + h, BEFORE, float(self._grid.lengths[k : k + 2].min()))
        return self._inside(k, u)


def _real_roots(coefficients: list[float], first: float, last: float) -> list[float]:
    """The real roots of a polynomial between two numbers, in order."""
    sizes = np.abs(coefficients)
    if not np.all(np.isfinite(sizes)):
        return []
    roots = np.roots(np.where(sizes > FLAT * sizes.max(), coefficients, 0.0))
    real = roots.real[np.abs(roots.imag) <= REAL]
    return sorted(real[(real > first) & (real < last)].tolist())
