"""Quantiles over scenarios of signals that may end early."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..gathered import Gathered

_BYTES = 2**27


def over_scenarios(
    gathered: Gathered, name: str, chosen: NDArray[np.bool_], levels: Sequence[float]
) -> NDArray[np.float64]:
    """Quantiles of a kept signal over the chosen scenarios: (levels, times, elements), NaN where all ended.

    So many instants are read at a time as fit into 128 MB.
    """
    times, *shape = gathered.signals[name]
    elements = int(np.prod(shape))
    bands = np.full((len(levels), times, elements), np.nan)
    at_once = max(1, _BYTES // (8 * max(1, gathered.count * elements)))
    for first in range(0, times, at_once):
        values = gathered.slices(name, slice(first, first + at_once))[chosen]
        bands[:, first : first + at_once] = quantiles(values.reshape(*values.shape[:2], elements), levels)
    return bands


def quantiles(values: NDArray[np.float64], levels: Sequence[float]) -> NDArray[np.float64]:
    """Quantiles over the first axis, leaving NaN out, on straight lines between the ordered values."""
    ordered = np.sort(values, axis=0)  # NaN last
    count = np.count_nonzero(~np.isnan(values), axis=0)
    last = np.maximum(count - 1, 0)
    table = np.full((len(levels), *values.shape[1:]), np.nan)
    if not len(values):
        return table
    for row, level in zip(table, levels):
        place = level * last
        low = np.floor(place).astype(np.intp)
        high = np.minimum(low + 1, last)
        below, above = (np.take_along_axis(ordered, i[None], axis=0)[0] for i in (low, high))
        row[...] = below + (place - low) * (above - below)
    return table
