"""Thin the lines of a trace to the pixels of a figure, and break them where an angle wraps."""

from __future__ import annotations

from math import pi

import numpy as np
from numpy.typing import NDArray

from .trace import FloatArray

_COLUMNS = 3000


def thin_line(
    time: FloatArray, values: FloatArray, *, columns: int = _COLUMNS
) -> tuple[FloatArray, FloatArray]:
    """At most four samples for each of `n` equal spans of time: first, lowest, highest, last; and gaps.

    A line through these covers the same pixels as a line through all, up to a width of `columns` pixels.
    Traces that are short enough already come back unchanged.
    """
    if time.size <= 4 * columns:
        return time, values
    edges = np.linspace(time[0], time[-1], columns + 1)[:-1]
    starts = np.unique(np.searchsorted(time, edges, side="left"))
    ends = np.append(starts[1:], time.size)
    lowest, highest = (_extremes(values, starts, choose) for choose in (np.fmin, np.fmax))
    gaps = np.flatnonzero(np.isnan(values))[:columns]
    keep = np.concatenate([starts, ends - 1, lowest, highest, gaps])
    chosen = np.unique(keep)
    return time[chosen], values[chosen]


def _extremes(values: FloatArray, starts: np.ndarray, choose: np.ufunc) -> np.ndarray:
    """Index of the first sample in each span that equals the span's lowest or highest value."""
    lengths = np.diff(np.append(starts, values.size))
    extreme = np.repeat(choose.reduceat(values, starts), lengths)
    span = np.repeat(np.arange(starts.size), lengths)
    hits = np.flatnonzero(values == extreme)
    _, first = np.unique(span[hits], return_index=True)
    return hits[first]


_TURNS = {"rad": 2.0 * pi, "deg": 360.0}
_MOVED = 0.16  # turns of other motion allowed between two samples; more is not a wrap


def wraps(values: FloatArray, unit: str) -> NDArray[np.int64]:
    """The samples before which an angle has wrapped.

    A signal in rad or deg that stays within one turn, and jumps by nearly one. A signal that continues past a
    turn is not wrapped, however distant its samples are.
    """
    turn = _TURNS.get(unit)
    finite = values[np.isfinite(values)]
    if turn is None or finite.size < 2 or np.ptp(finite) > turn * (1.0 + 1e-9):
        return np.empty(0, np.int64)
    with np.errstate(invalid="ignore"):
        return np.flatnonzero(np.abs(np.diff(values)) > turn * (1.0 - _MOVED)) + 1


def break_line(at: NDArray[np.int64], *lines: FloatArray) -> tuple[FloatArray, ...]:
    """The coordinates of a line with a gap before each of these samples."""
    return tuple(np.insert(line, at, np.nan) for line in lines) if at.size else lines
