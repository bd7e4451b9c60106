"""Collect the rows of a run in one growing array per signal, within a memory limit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...solvers import layout
from ...solvers.events.timer import TimerTable, clock_instants, first_count
from ...solvers.layout import Floats
from ..model.run_errors import LogFull
from .log_bound import Thinning

Mask = NDArray[np.bool_]
AT_TICKS = (layout.RIGHT, layout.INITIAL, layout.HELD_ONLY)


class Series:
    """An array that grows along its first axis.

    It grows by an eighth in place: the system remaps pages instead of copying numbers, so that a long log
    never takes twice its space.
    """

    def __init__(self) -> None:
        self._array: Any = None
        self._used = 0

    def extend(self, part: NDArray[Any]) -> None:
        """Append a copy of `part`."""
        if self._array is None:
            self._array = np.array(part, order="C")
            self._used = len(part)
            return
        used = self._used + len(part)
        if used > len(self._array):
            self._array.resize((max(used, used + used // 8), *self._array.shape[1:]), refcheck=False)
        self._array[self._used : used] = part
        self._used = used

    @property
    def bytes(self) -> int:
        """Size of its numbers in bytes."""
        return self._used * self._array[:1].nbytes if self._used else 0

    @property
    def used(self) -> Any:
        """The numbers so far."""
        return self._array[: self._used]

    def keep(self, mask: Mask) -> None:
        """Drop the other elements and free their memory."""
        self._array = self.used[mask]
        self._used = len(self._array)

    def done(self) -> Any:
        """The array, cut to its length."""
        if self._used < len(self._array):
            self._array.resize((self._used, *self._array.shape[1:]), refcheck=False)
        return self._array


class Ticks:
    """The instants of one clock, looked up in successive spans."""

    def __init__(self, table: TimerTable, clock: int, start: float) -> None:
        self._table = table
        self._answer: tuple[Floats, Floats, Mask] | None = None
        self._row = next(i for i in range(len(table.table)) if table.table[i, layout.HIT] == clock)
        self._count = first_count(table, self._row, start)

    def within(self, times: Floats, flags: Floats) -> Mask:
        """Mask of rows, all later than those of the previous call: true for rows left by a tick.

        All signals of a clock look up the same rows, one after the other.
        """
        if not times.size:
            return np.zeros(0, bool)
        if self._answer is not None:
            asked, flagged, answer = self._answer
            if np.array_equal(asked, times) and np.array_equal(flagged, flags):
                return answer
        stop = first_count(self._table, self._row, np.nextafter(times[-1], np.inf))
        ticks = clock_instants(self._table, self._row, np.arange(self._count, stop))
        self._count = max(self._count, stop - 1)  # the instant of the last may continue in the next span
        after = np.isin(flags, AT_TICKS) & np.isin(times, ticks)
        self._answer = times, flags, after
        return after


class HeldSeries:
    """Times and values of a signal that changes only at events.

    It keeps the ticks, or without a clock the changes, and the first and the last row.
    """

    def __init__(self, ticks: Callable[[Floats, Floats], Mask] | None) -> None:
        self._ticks = ticks
        self._times, self._values = Series(), Series()
        self._pending: tuple[Floats, Floats, Floats] | None = None  # the last two rows wait for the next
        self._last: Floats | None = None
        self.thinning = Thinning()

    @property
    def bytes(self) -> int:
        """Bytes that can be thinned: the samples of a clock. Changes at events are kept."""
        return self._times.bytes + self._values.bytes if self._ticks is not None else 0

    def halve(self) -> None:
        """Keep every second sample so far, and half as many from now on."""
        keep = self.thinning.halved(self._times.used)
        self._times.keep(keep)
        self._values.keep(keep)

    def extend(self, times: Floats, flags: Floats, values: Floats, *, last: bool = False) -> None:
        """Add copies of rows; the last ones, which have no other owner, without a copy."""
        if self._pending is not None:
            pending = self._pending
            times, flags, values = (np.concatenate(pair) for pair in zip(pending, (times, flags, values)))
        if last:
            self._pending = times, flags, values
            return
        cut = max(len(times) - 2, 0)
        keep = self._keep(times[:cut], flags[:cut], values[:cut])
        self._times.extend(times[:cut][keep])
        self._values.extend(values[:cut][keep])
        if cut:
            self._last = values[cut - 1].copy()
        self._pending = (times[cut:].copy(), flags[cut:].copy(), values[cut:].copy())

    def done(self) -> tuple[Floats, Floats]:
        """All times and values kept."""
        assert self._pending is not None
        times, flags, values = self._pending
        keep = self._keep(times, flags, values)
        keep[-1:] = True
        if times.size > 1 and times[-1] == times[-2] and keep[-2] and flags[-2] != layout.LEFT:
            keep[-2] = False
        if not self._times.bytes:  # the log is one piece
            return _positive(times[keep]), values[keep]
        self._times.extend(times[keep])
        self._values.extend(values[keep])
        return _positive(self._times.done()), self._values.done()

    def _keep(self, times: Floats, flags: Floats, values: Floats) -> Mask:
        first = self._last is None
        if self._ticks is not None:
            keep: Mask = self._ticks(times, flags).copy()
            if self.thinning.factor > 1:
                keep[keep] = self.thinning.mask(times[keep])
        else:
            keep = np.empty(len(times), bool)
            if values.shape[1] == 1:
                np.not_equal(values[1:, 0], values[:-1, 0], out=keep[1:])
            else:
                keep[1:] = (values[1:] != values[:-1]).any(axis=1)
            keep[:1] = not first and np.any(values[:1] != self._last)
        if first:
            keep[:1] = True
        return keep


def _positive(times: Floats) -> Floats:
    """Times with 0.0 in place of -0.0."""
    times += 0.0
    return times


class Rows:
    """All rows of a run, split into signals and states.

    If they exceed `most` bytes, every second step is dropped, and half as many are kept from then on,
    repeatedly; or every second sample of a sampled signal, if that one takes most of the memory.
    Both limits of every event, the first row and the last are kept.
    """

    def __init__(
        self, spans: list[tuple[int, int]], held: dict[int, HeldSeries], most: float = np.inf
    ) -> None:
        """`spans` are first column and width of every part; of parts in `held` only changes are kept."""
        self._spans, self._held, self._most = spans, held, most
        self._times = Series()
        self._parts = [Series() for _ in spans]
        self._plain = len(held) < len(spans) or not spans
        self._thinning = Thinning()
        self._tail: Floats | None = None  # the last rows, if they were not kept

    @property
    def thinned(self) -> tuple[int, dict[int, int]]:
        """Thinning factor of the steps, and of the samples of each thinned held part, by its number."""
        samples = {i: part.thinning.factor for i, part in self._held.items() if part.thinning.factor > 1}
        return self._thinning.factor, samples

    def add(self, chunk: Floats, events: Floats, *, last: bool = False) -> None:
        """Add a copy of a chunk; `events` are the times of all events so far.

        Raises LogFull, unless it is the last chunk.
        """
        times, flags = chunk[:, 0], chunk[:, 1]
        fits = last and chunk.nbytes <= self._most
        for i, series in self._held.items():
            start, width = self._spans[i]
            series.extend(times, flags, chunk[:, start : start + width], last=fits)
        if self._plain:
            self._extend(chunk[flags != layout.HELD_ONLY], events)
        while self._bytes > self._most:
            if not self._halve(events):
                if last:
                    break
                raise LogFull(float(chunk[-1, 0]), self._bytes, self._most)

    def _extend(self, chunk: Floats, events: Floats) -> None:
        if self._thinning.factor > 1 and len(chunk):
            keep = self._thinning.mask(chunk[:, 0], events)
            self._tail = None if keep[-1] else chunk[chunk[:, 0] == chunk[-1, 0]].copy()
            chunk = chunk[keep]
        self._append(chunk)

    def _append(self, chunk: Floats) -> None:
        self._times.extend(chunk[:, 0])
        for i, (start, width) in enumerate(self._spans):
            if i not in self._held:
                self._parts[i].extend(chunk[:, start : start + width])

    @property
    def _stepped(self) -> list[Series]:
        return [self._times, *(part for i, part in enumerate(self._parts) if i not in self._held)]

    @property
    def _bytes(self) -> int:
        return sum(part.bytes for part in self._stepped) + sum(part.bytes for part in self._held.values())

    def _halve(self, events: Floats) -> bool:
        """Halve the largest part; False if that freed less than a quarter of it."""
        steps = sum(part.bytes for part in self._stepped)
        largest = max(self._held.values(), key=lambda part: part.bytes, default=None)
        before = self._bytes
        if largest is not None and largest.bytes > steps:
            steps = largest.bytes
            largest.halve()
        elif steps:
            keep = self._thinning.halved(self._times.used, events)
            if self._tail is None and not keep[-1]:
                self._tail = self._last_rows()
            for part in self._stepped:
                part.keep(keep)
        return bool(before - self._bytes > 0.25 * steps)

    def _last_rows(self) -> Floats:
        """The rows of the last instant, as they were added."""
        times = self._times.used
        rows = np.flatnonzero(times == times[-1])
        width = max((start + width for start, width in self._spans), default=1)
        chunk = np.zeros((len(rows), max(width, 2)))
        chunk[:, 0] = times[rows]
        for i, (start, width) in enumerate(self._spans):
            if i not in self._held:
                chunk[:, start : start + width] = self._parts[i].used[rows]
        return chunk

    def done(self) -> list[tuple[Floats, Floats]]:
        """Times and values (n, width) of every part; parts that are not thinned share their times."""
        if self._tail is not None:
            self._append(self._tail)
        times: Any = _positive(self._times.done()) if self._plain else None
        return [
            self._held[i].done() if i in self._held else (times, self._parts[i].done())
            for i in range(len(self._spans))
        ]
