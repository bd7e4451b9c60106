"""A result as one table: the merged time, then a column for every element, row batch by row batch.

The signals of a run also become a table with one row per instant.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .dataset import on_grid
from .record import Heading
from .result import Result
from .smooth import costly
from .trace import FloatArray, Trace, merged_time, rows_of

_STATE = "state:"
_BATCH = 65536

Columns = dict[str, FloatArray]


class Column(NamedTuple):
    """One element of one trace; `name` is its path, with `state:` before the path of a state."""

    name: str
    unit: str
    kind: str


class Cells(NamedTuple):
    """Part of a column: values, and which of them are samples (None: all are)."""

    values: FloatArray
    sampled: NDArray[np.bool_] | None


def columns(result: Result) -> list[Column]:
    """The columns after time: signals in order, then states, elements in C order."""
    prefixed = [("", trace) for trace in result.signals.values()]
    prefixed += [(_STATE, trace) for trace in result.states.values()]
    return [
        Column(prefix + name, unit, trace.kind)
        for prefix, trace in prefixed
        for name, unit in zip(trace.columns, trace.units)
    ]


def make_columns(signals: Sequence[Heading], states: Sequence[Heading]) -> list[Column]:
    """The columns of traces whose samples are not in memory."""
    columns = []
    for prefix, headings in (("", signals), (_STATE, states)):
        for heading in headings:
            trace = heading.filled(np.empty(0), np.empty(0))
            named = zip(trace.columns, trace.units)
            columns += [Column(prefix + name, unit, trace.kind) for name, unit in named]
    return columns


def batches(result: Result) -> Iterator[tuple[FloatArray, list[Cells]]]:
    """Consecutive rows: times (m,) and the cells of every column. Memory holds one batch."""
    time = result.time
    traces = [*result.signals.values(), *result.states.values()]
    placed = {id(trace.time): rows_of(trace.time, time) for trace in traces}
    for start in range(0, time.size, _BATCH):
        rows = slice(start, min(start + _BATCH, time.size))
        yield time[rows], [cells for trace in traces for cells in _cells(trace, placed[id(trace.time)], rows)]


def cells(trace: Trace, time: FloatArray) -> list[Cells]:
    """The columns of a trace over a merged time axis."""
    return _cells(trace, rows_of(trace.time, time), slice(0, time.size))


def _cells(trace: Trace, placed: NDArray[np.int64], rows: slice) -> list[Cells]:
    first, last = np.searchsorted(placed, (rows.start, rows.stop))
    length = rows.stop - rows.start
    flat = trace.flat[first:last]
    if last - first == length:
        return [Cells(flat[:, i], None) for i in range(trace.size)]
    sampled = np.zeros(length, dtype=np.bool_)
    sampled[placed[first:last] - rows.start] = True
    filled = np.full((length, trace.size), np.nan)
    filled[sampled] = flat
    return [Cells(filled[:, i], sampled) for i in range(trace.size)]


def traces_from(time: FloatArray, cells: Sequence[Cells], headings: Sequence[Heading]) -> list[Trace]:
    """The traces in a table. Raises ValueError if the table does not fit its headings."""
    sizes = [int(np.prod(heading.shape, dtype=np.int64)) for heading in headings]
    if sum(sizes) != len(cells):
        raise ValueError(f"it has {len(cells)} columns of {sum(sizes)}")
    traces, at = [], 0
    for heading, size in zip(headings, sizes):
        block = cells[at : at + size]
        at += size
        if any(part.sampled is not None and part.sampled.sum() != heading.samples for part in block):
            raise ValueError(f"{heading.path} does not have its {heading.samples} samples in every column")
        values = [part.values if part.sampled is None else part.values[part.sampled] for part in block]
        sampled = block[0].sampled
        when = time if sampled is None else time[sampled]
        traces.append(heading.trace(when, values[0] if size == 1 else np.stack(values, axis=1)))
    return traces


def instants(result: Result, traces: Sequence[Trace], time: str) -> Columns:
    """The time, then one column per element: one row per instant, the last one if there are several.

    Held signals keep their values; other signals are taken from the dense output between samples, if
    another run costs little.
    """
    merged = merged_time([trace.time for trace in traces])
    times = merged[np.append(np.diff(merged) > 0.0, True)] if merged.size else merged
    columns = {time: times}
    between = {trace.path: trace for trace in traces if trace.kind != "discrete" and _lacks(trace, times)}
    moved = between and on_grid(result, between, times, None, "interpolate" if costly(result) else "auto")[0]
    for trace in traces:
        last = np.maximum(np.searchsorted(trace.time, times, side="right") - 1, 0)
        flat = moved[trace.path].flat if trace.path in moved else trace.flat[last]
        columns |= dict(zip(trace.columns, flat.T))
    return columns


def _lacks(trace: Trace, times: FloatArray) -> bool:
    """True if a trace lacks a sample at some of these instants."""
    last = np.searchsorted(trace.time, times, side="right") - 1
    return not np.array_equal(trace.time[np.maximum(last, 0)], times)
