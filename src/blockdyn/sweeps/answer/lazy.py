"""Kept signals in a dataset: read from their parts when they are indexed, not before."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from xarray.backends import BackendArray
from xarray.core import indexing

from .gathered import Gathered


class KeptSignal(BackendArray):
    """One signal over the dimensions of the design, the time grid and its own: (*design, times, *shape)."""

    def __init__(self, gathered: Gathered, name: str, design: tuple[int, ...]) -> None:
        self._gathered, self._name, self._design = gathered, name, design
        self.shape = (*design, *gathered.signals[name])
        self.dtype = np.dtype(np.float64)

    def __getitem__(self, key: indexing.ExplicitIndexer) -> Any:
        return indexing.explicit_indexing_adapter(
            key, self.shape, indexing.IndexingSupport.OUTER, self._outer
        )

    def _outer(self, key: tuple[Any, ...]) -> NDArray[np.float64]:
        """The values at the outer product of one integer, slice or integer array a dimension."""
        at = len(self._design)
        chosen = [np.atleast_1d(np.arange(size)[one]) for one, size in zip(key, self._design)]
        numbers = np.arange(int(np.prod(self._design))).reshape(self._design)
        scenarios = numbers[np.ix_(*chosen)] if chosen else numbers
        rows = self._gathered.rows(self._name, scenarios.ravel())
        inner = _outer(rows, (slice(None), *key[at:]))
        lengths = [len(one) for one, index in zip(chosen, key) if not isinstance(index, (int, np.integer))]
        return inner.reshape(*lengths, *inner.shape[1:])


def lazily(array: KeptSignal) -> Any:
    """The signal as the data of an xarray.Variable that is loaded when it is computed with."""
    return indexing.LazilyIndexedArray(array)


def _outer(values: NDArray[np.float64], key: tuple[Any, ...]) -> NDArray[np.float64]:
    """The values under each index in turn, the last axis first, so that the axes before keep their place."""
    for axis in reversed(range(len(key))):
        values = values[(slice(None),) * axis + (key[axis],)]
    return values
