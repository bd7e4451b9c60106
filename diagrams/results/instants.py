"""The signals of a run become one table, with one row per instant."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .dataset import on_grid
from .merge import merged_time
from .result import Result
from .smooth import costly
from .trace import FloatArray, Trace

Columns = dict[str, FloatArray]


def instants(result: Result, traces: Sequence[Trace], time: str) -> Columns:
    """The time, then a column an element: one row an instant, the last of those that it has.

    Held signals are as they are kept, others between their samples from the dense output, where one more run
    costs little.
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
