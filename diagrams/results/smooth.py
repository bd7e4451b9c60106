"""Smooth curves with the run's dense output between distant samples."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from .trace import FloatArray, Trace, merged_time

if TYPE_CHECKING:
    from .result import Result

_PIECES = 600
FINE = 3000  # if time is not an axis: a short time may fill the figure
_LONGEST_RUN = 10.0


def smooth_curves(result: Result, pieces: int = _PIECES) -> Result:
    """The result with points of its dense output where continuous samples have gaps over span/pieces.

    Every logged sample stays as it is, both limits at events too; discrete traces stay as they are. The
    points cost one more run, for all traces together. The result is returned unchanged if that is
    impossible or undesirable: no dense output (read from a file, incomplete), blocks that run in Python and
    may have side effects, or a run that took longer than 10 s.
    """
    logged = (*result.signals.values(), *result.states.values())
    moving = [trace for trace in logged if trace.kind == "continuous" and trace.samples > 1]
    if result.resample is None or not moving or costly(result):
        return result
    points = _between(merged_time([trace.time for trace in moving]), pieces)
    if not points.size:
        return result
    dense = result.resample(points)
    signals, states = (
        {path: _fill_points(trace, points, dense.get(path)) for path, trace in traces.items()}
        for traces in (result.signals, result.states)
    )
    return replace(result, signals=signals, states=states)


def costly(result: Result) -> bool:
    """True if one more run takes long or may have side effects."""
    statistics = result.statistics
    return float(statistics.get("wall time", 0.0)) > _LONGEST_RUN or any(
        key.startswith("python ") for key in statistics
    )


def _between(time: FloatArray, most_pieces: int) -> FloatArray:
    """Instants that cut every interval longer than span/most_pieces into equal pieces no longer than that."""
    lengths = np.diff(time)
    most = (time[-1] - time[0]) / most_pieces
    if most <= 0.0:
        return np.empty(0)
    pieces = np.ceil(lengths / most * (1.0 - 1e-9)).astype(np.int64)
    first = np.repeat(np.arange(lengths.size), np.maximum(pieces - 1, 0))
    number = 1 + np.arange(first.size) - np.searchsorted(first, first)
    points: FloatArray = time[first] + lengths[first] * (number / pieces[first])
    return points


def _fill_points(trace: Trace, points: FloatArray, values: FloatArray | None) -> Trace:
    """The trace with the points that lie between its first and its last sample."""
    if values is None or trace.kind != "continuous" or not trace.samples:
        return trace
    inside = (points > trace.time[0]) & (points < trace.time[-1])
    places = np.searchsorted(trace.time, points[inside])
    return replace(
        trace,
        time=np.insert(trace.time, places, points[inside]),
        values=np.insert(trace.values, places, values[inside], axis=0),
    )
