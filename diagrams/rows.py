"""The rows of a run as they come: one growing array a signal, thinned on the way where the signal is held."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..solvers import layout
from ..solvers.layout import Floats
from ..solvers.timer import TimerTable, first_count, instant

Mask = NDArray[np.bool_]


class Series:
    """An array that grows along its first axis.

    It grows by an eighth where it stands: the system moves pages, not numbers, so that a long log never
    takes the space of two.
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

    def done(self) -> Any:
        """The array, cut to its length."""
        if self._used < len(self._array):
            self._array.resize((self._used, *self._array.shape[1:]), refcheck=False)
        return self._array


class Ticks:
    """The instants of one clock, looked up in spans that follow one another."""

    def __init__(self, table: TimerTable, clock: int, start: float) -> None:
        self._table = table
        self._row = next(i for i in range(len(table.table)) if table.table[i, layout.HIT] == clock)
        self._count = first_count(table, self._row, start)

    def within(self, times: Floats) -> Mask:
        """Which of these times, later than those of the call before, are ticks."""
        if not times.size:
            return np.zeros(0, bool)
        found: list[float] = []
        while (time := self._instant(self._count)) <= times[-1]:
            found.append(time)
            self._count += 1
        self._count -= bool(found)  # its instant may go on in the next span
        return np.isin(times, found)

    def _instant(self, count: int) -> float:
        table = self._table
        return float(instant(table.table, table.integers, table.floats, self._row, count))


class HeldSeries:
    """Times and values of a signal that changes at events only.

    Kept are its ticks, or without a clock its changes; and the first row and the last.
    """

    def __init__(self, ticks: Callable[[Floats], Mask] | None) -> None:
        self._ticks = ticks
        self._times, self._values = Series(), Series()
        self._rest: tuple[Floats, Floats, Floats] | None = None  # the last two rows wait for what follows
        self._last: Floats | None = None

    def extend(self, times: Floats, flags: Floats, values: Floats) -> None:
        if self._rest is not None:
            rest = self._rest
            times, flags, values = (np.concatenate(pair) for pair in zip(rest, (times, flags, values)))
        cut = max(len(times) - 2, 0)
        keep = self._keep(times[:cut], flags[:cut], values[:cut])
        self._times.extend(times[:cut][keep])
        self._values.extend(values[:cut][keep])
        if cut:
            self._last = values[cut - 1].copy()
        self._rest = (times[cut:].copy(), flags[cut:].copy(), values[cut:].copy())

    def done(self) -> tuple[Floats, Floats]:
        """All times and values kept."""
        assert self._rest is not None
        times, flags, values = self._rest
        keep = self._keep(times, flags, values)
        keep[-1:] = True
        if times.size > 1 and times[-1] == times[-2] and keep[-2] and flags[-2] != layout.LEFT:
            keep[-2] = False
        self._times.extend(times[keep])
        self._values.extend(values[keep])
        return self._times.done(), self._values.done()

    def _keep(self, times: Floats, flags: Floats, values: Floats) -> Mask:
        first = self._last is None
        if self._ticks is not None:
            keep: Mask = ((flags == layout.RIGHT) | (flags == layout.INITIAL)) & self._ticks(times)
        else:
            keep = np.ones(len(times), bool)
            keep[1:] = np.any(values[1:] != values[:-1], axis=1)
            if len(times) and self._last is not None:
                keep[0] = bool(np.any(values[0] != self._last))
        if first:
            keep[:1] = True
        return keep


class Rows:
    """All rows of a run, taken apart into signals and states."""

    def __init__(self, spans: list[tuple[int, int]], held: dict[int, HeldSeries]) -> None:
        """`spans` are first column and width of every part; those in `held` are thinned."""
        self._spans, self._held = spans, held
        self._times = Series()
        self._parts = [Series() for _ in spans]
        self._plain = len(held) < len(spans) or not spans

    def add(self, chunk: Floats) -> None:
        """Take over a chunk, copied."""
        times, flags = chunk[:, 0], chunk[:, 1]
        if self._plain:
            self._times.extend(times)
        for i, (start, width) in enumerate(self._spans):
            part = chunk[:, start : start + width]
            if i in self._held:
                self._held[i].extend(times, flags, part)
            else:
                self._parts[i].extend(part)

    def done(self) -> list[tuple[Floats, Floats]]:
        """Times and values (n, width) of every part; parts that are not thinned share their times."""
        times: Any = self._times.done() if self._plain else None
        return [
            self._held[i].done() if i in self._held else (times, self._parts[i].done())
            for i in range(len(self._spans))
        ]
