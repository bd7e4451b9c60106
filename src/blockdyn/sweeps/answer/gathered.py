"""Collect the scalars of all scenarios from the parts of a run or from its store."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ...diagrams.results.provenance import plain
from ..store.part import SUCCESSES, Part

NOT_RUN = -1
"""The outcome of a scenario that has not been run."""
_READ_AT_ONCE = 4096


class PartSource(Protocol):
    """The part of a store that is read here: ranges that are not done yet, and parts of finished ones."""

    def missing(self) -> list[tuple[int, int]]: ...

    def part(self, start: int, stop: int, *, with_signals: bool = True) -> Part: ...


class EnsembleData:
    """The scalars of all scenarios as arrays; the signals that runs kept are read on demand.

    count     n, scenarios of the design
    measures  (n, m) NaN if there is no value
    outcome   (n,) index into part.OUTCOMES, NOT_RUN for a scenario that was not run
    reason    (n,) texts
    end       (n,) time at which the run ended, s
    steps     (n,) accepted steps, 0 where not run
    """

    def __init__(self, count: int, measures: int, source: Sequence[Part] | PartSource) -> None:
        self.count = count
        self._source = _Parts(source) if isinstance(source, Sequence) else source
        self.done = _complement(self._source.missing() if count else [], count)
        self.measures = np.full((count, measures), np.nan)
        self.outcome = np.full(count, NOT_RUN, np.int8)
        self.reason = np.full(count, "", dtype=object)
        self.end = np.full(count, np.nan)
        self.steps = np.zeros(count, np.int64)
        self._signals: dict[str, tuple[int, ...]] | None = None
        same: dict[str, str] = {}  # equal reasons are one text in memory
        for part in self._done_parts(with_signals=False):
            into = slice(part.start, part.stop)
            self.measures[into], self.outcome[into] = part.measures, part.outcome
            self.end[into], self.steps[into] = part.end, part.steps
            self.reason[into] = [same.setdefault(text, text) for text in part.reason]

    @property
    def succeeded(self) -> NDArray[np.bool_]:
        """True for each scenario that ended well (n,)."""
        return (self.outcome >= 0) & (self.outcome < SUCCESSES)

    @property
    def failed(self) -> NDArray[np.bool_]:
        """True for each scenario that was run and did not end well (n,)."""
        return self.outcome >= SUCCESSES

    @property
    def signals(self) -> dict[str, tuple[int, ...]]:
        """Shape of every kept signal for one scenario: (times, *shape)."""
        if self._signals is None:
            first = self._source.part(self.done[0][0], self.done[0][0] + 1) if self.done else None
            self._signals = (
                {name: values.shape[1:] for name, values in first.signals.items()} if first else {}
            )
        return self._signals

    def rows(self, name: str, numbers: NDArray[np.intp]) -> NDArray[np.float64]:
        """Values of the signal in the scenarios `numbers` (k,): (k, times, *shape), NaN where not run."""
        rows = np.full((len(numbers), *self.signals[name]), np.nan)
        order = np.argsort(numbers, kind="stable")
        ordered = np.asarray(numbers)[order]
        for start, stop in self.done:
            low, high = np.searchsorted(ordered, (start, stop))
            while low < high:
                first = int(ordered[low])
                until = int(np.searchsorted(ordered[:high], first + _READ_AT_ONCE))
                part = self._source.part(first, int(ordered[until - 1]) + 1)
                rows[order[low:until]] = part.signals[name][ordered[low:until] - first]
                low = until
        return rows

    def slices(self, name: str, times: slice) -> NDArray[np.float64]:
        """Values of the signal in all scenarios at those indices of the grid: (n, len(times), *shape)."""
        shape = self.signals[name]
        slices = np.full((self.count, len(range(*times.indices(shape[0]))), *shape[1:]), np.nan)
        for part in self._done_parts(with_signals=True):
            slices[part.start : part.stop] = part.signals[name][:, times]
        return slices

    def _done_parts(self, *, with_signals: bool) -> Iterator[Part]:
        for start, stop in self.done:
            for first in range(start, stop, _READ_AT_ONCE):
                yield self._source.part(first, min(first + _READ_AT_ONCE, stop), with_signals=with_signals)


class _Parts:
    """Parts in memory, with the interface of a store."""

    def __init__(self, parts: Sequence[Part]) -> None:
        self._parts = sorted((part for part in parts if part.stop > part.start), key=lambda part: part.start)
        self._starts = [part.start for part in self._parts]

    def missing(self) -> list[tuple[int, int]]:
        """The ranges between and after the parts; the last one is open."""
        ends = [0, *(part.stop for part in self._parts)]
        gaps = [(end, start) for end, start in zip(ends, self._starts) if end < start]
        return [*gaps, (ends[-1], np.iinfo(np.int64).max)]

    def part(self, start: int, stop: int, *, with_signals: bool = True) -> Part:
        """The scenarios [start, stop), from any parts."""
        first = bisect_right(self._starts, start) - 1
        pieces = []
        for part in self._parts[first:]:
            if part.start >= stop:
                break
            pieces.append(_cut(part, max(start, part.start), min(stop, part.stop), with_signals))
        return pieces[0] if len(pieces) == 1 else _join_parts(pieces)


def _cut(part: Part, start: int, stop: int, with_signals: bool) -> Part:
    at = slice(start - part.start, stop - part.start)
    signals = {name: values[at] for name, values in part.signals.items()} if with_signals else {}
    return Part(
        start, part.measures[at], part.outcome[at], part.reason[at], part.end[at], part.steps[at], signals
    )


def _join_parts(parts: list[Part]) -> Part:
    def joined(values: Any) -> Any:
        return np.concatenate([values(part) for part in parts])

    return Part(
        parts[0].start,
        joined(lambda part: part.measures),
        joined(lambda part: part.outcome),
        [text for part in parts for text in part.reason],
        joined(lambda part: part.end),
        joined(lambda part: part.steps),
        {name: joined(lambda part, name=name: part.signals[name]) for name in parts[0].signals},
    )


def _complement(missing: Sequence[tuple[int, int]], count: int) -> list[tuple[int, int]]:
    """The ranges of [0, count) that are not missing."""
    done, at = [], 0
    for start, stop in sorted(missing):
        if at < min(start, count):
            done.append((at, min(start, count)))
        at = max(at, min(stop, count))
    return [*done, (at, count)] if at < count else done


def flat(values: Sequence[Any] | NDArray[Any]) -> NDArray[Any]:
    """Values of an axis as a one-dimensional array of numbers, truth values or texts."""
    if isinstance(values, np.ndarray) and values.ndim == 1 and values.dtype != object:
        return values
    listed = [value.item() if isinstance(value, np.generic) else value for value in values]
    if all(isinstance(value, bool) for value in listed):
        return np.array(listed, dtype=np.bool_)
    if all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in listed):
        return np.array(listed, dtype=np.float64)
    objects = np.empty(len(listed), dtype=object)
    objects[:] = [value if isinstance(value, str) else json.dumps(plain(value)) for value in listed]
    return objects
