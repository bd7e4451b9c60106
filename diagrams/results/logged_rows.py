"""The rows of a run as the solver wrote them, in one piece: times, flags, columns of states and signals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...solvers.layout import AT_STEP, HELD_ONLY
from .trace import FloatArray, Trace

if TYPE_CHECKING:
    from .result import Result


class ByPath:
    """The columns of states and signals by path, arrays of their shapes.

    `rows[:, columns[path]]` is (n, *shape).
    """

    def __init__(self, by_path: Mapping[str, NDArray[np.int64]]) -> None:
        self._by_path = by_path
        self._rows: dict[tuple[str, ...], NDArray[np.int64]] = {}

    def __getitem__(self, path: str) -> NDArray[np.int64]:
        return self._by_path[path]

    def side_by_side(self, paths: tuple[str, ...]) -> NDArray[np.int64]:
        """The columns of these paths in one row."""
        if paths not in self._rows:
            empty = np.zeros(0, np.int64)
            self._rows[paths] = np.concatenate([empty, *(self[path].ravel() for path in paths)])
        return self._rows[paths]


@dataclass(frozen=True)
class LoggedRows:
    """Rows (n, 2 + width): the time, s, the flag of `solvers.layout`, and the values in `columns`."""

    chunk: FloatArray
    columns: ByPath

    @cached_property
    def steps(self) -> FloatArray:
        """The rows that steps and events wrote; a row of a tick within a step has only held signals."""
        held = self.chunk[:, 1] == HELD_ONLY
        return self.chunk[~held] if held.any() else self.chunk

    def at(self, instants: FloatArray) -> FloatArray:
        """The rows that hold at instants of the run: the limits from the right."""
        return self.chunk.take(self.chunk[:, 0].searchsorted(instants, "right") - 1, axis=0)


def logged_rows(result: Result, paths: Sequence[str]) -> LoggedRows:
    """The rows of a run, with columns for these paths; from its traces if its log came in pieces."""
    logged: LoggedRows | None = result.__dict__.get("_logged")
    if logged is not None:
        return logged
    traces = [result.trace(path) for path in paths]
    time, columns, first = result.time, {}, 2
    for trace in traces:
        columns[trace.path] = number_columns(first, trace.shape)
        first += trace.size
    flags = np.full(time.size, float(AT_STEP))
    return LoggedRows(
        np.column_stack([time, flags, *(_spread(trace, time) for trace in traces)]), ByPath(columns)
    )


def number_columns(first: int, shape: Sequence[int]) -> NDArray[np.int64]:
    """The columns of a signal of this shape whose elements begin at the column `first`."""
    return np.arange(first, first + prod(shape)).reshape(shape)


def _spread(trace: Trace, time: FloatArray) -> FloatArray:
    """A trace at these instants; the first of two equal ones has the limit from the left."""
    place = np.searchsorted(trace.time, time, side="right") - 1
    if time.size > 1:
        left = np.append(time[1:] == time[:-1], False)
        place[left] = np.searchsorted(trace.time, time[left], side="left") - 1
    return np.asarray(trace.flat[np.maximum(place, 0)])
