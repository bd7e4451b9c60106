"""One time axis for many: every instant as often as the trace that sampled it most often."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .trace import FloatArray


def merged_time(axes: Sequence[FloatArray]) -> FloatArray:
    """The union of sorted time axes, each instant with its greatest multiplicity."""
    different = _different(axes)
    if len(different) <= 1:
        return different[0] if different else np.empty(0)
    instants = np.unique(np.concatenate(different))
    counts = np.zeros(instants.size, dtype=np.int64)
    for axis in different:
        distinct, times = np.unique(axis, return_counts=True)
        at = np.searchsorted(instants, distinct)
        counts[at] = np.maximum(counts[at], times)
    return np.repeat(instants, counts)


def rows_of(axis: FloatArray, merged: FloatArray) -> NDArray[np.int64]:
    """Rows of `merged` that hold the samples of `axis`.

    Where the merged axis has an instant more often than this one, the samples go to its last rows:
    a sample taken once is the limit from the right.
    """
    if axis.size == merged.size:
        return np.arange(axis.size)
    places = np.arange(axis.size)
    from_the_last = np.searchsorted(axis, axis, side="right") - places
    return np.asarray(np.searchsorted(merged, axis, side="right") - from_the_last, dtype=np.int64)


def axis_groups(axes: Sequence[FloatArray]) -> list[int]:
    """For each axis, the number of the group of axes equal to it, numbered as they appear."""
    different: list[FloatArray] = []
    return [_number(axis, different) for axis in axes]


def _different(axes: Sequence[FloatArray]) -> list[FloatArray]:
    different: list[FloatArray] = []
    for axis in axes:
        _number(axis, different)
    return different


def _number(axis: FloatArray, different: list[FloatArray]) -> int:
    for number, other in enumerate(different):
        if other is axis or (other.size == axis.size and np.array_equal(other, axis)):
            return number
    different.append(axis)
    return len(different) - 1
