"""An ensemble as an xarray.Dataset: axes as dimensions or coordinates, measures and outcomes as variables."""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from xarray.backends import BackendArray
from xarray.core import indexing

from ...diagrams.results.provenance import plain
from ..store.part import OUTCOMES
from .gathered import NOT_RUN, EnsembleData, flat

if TYPE_CHECKING:
    import xarray as xr

    from ..declare.design import Design


class KeptSignal(BackendArray):
    """One signal over the dimensions of the design, the time grid and its own: (*design, times, *shape)."""

    def __init__(self, gathered: EnsembleData, name: str, design: tuple[int, ...]) -> None:
        self._gathered, self._name, self._design = gathered, name, design
        self.shape = (*design, *gathered.signals[name])
        self.dtype = np.dtype(np.float64)

    def __getitem__(self, key: indexing.ExplicitIndexer) -> Any:
        return indexing.explicit_indexing_adapter(
            key, self.shape, indexing.IndexingSupport.OUTER, self._outer
        )

    def _outer(self, key: tuple[Any, ...]) -> NDArray[np.float64]:
        """The values at the outer product of one integer, slice or integer array per dimension."""
        at = len(self._design)
        chosen = [np.atleast_1d(np.arange(size)[one]) for one, size in zip(key, self._design)]
        numbers = np.arange(int(np.prod(self._design))).reshape(self._design)
        scenarios = numbers[np.ix_(*chosen)] if chosen else numbers
        rows = self._gathered.rows(self._name, scenarios.ravel())
        inner = _outer(rows, (slice(None), *key[at:]))
        lengths = [len(one) for one, index in zip(chosen, key) if not isinstance(index, (int, np.integer))]
        return inner.reshape(*lengths, *inner.shape[1:])


def lazily(array: KeptSignal) -> Any:
    """The signal as data of an xarray.Variable, loaded when used in a computation."""
    return indexing.LazilyIndexedArray(array)


def _outer(values: NDArray[np.float64], key: tuple[Any, ...]) -> NDArray[np.float64]:
    """The values under each index in turn, the last axis first, so that the axes before keep their place."""
    for axis in reversed(range(len(key))):
        values = values[(slice(None),) * axis + (key[axis],)]
    return values


_FIXED = ("outcome", "reason", "end", "steps", "time")


def dataset(
    design: Design,
    gathered: EnsembleData,
    measures: Sequence[str],
    units: Mapping[str, str],
    info: Mapping[str, Any],
) -> xr.Dataset:
    """Implementation of `Ensemble.dataset`."""
    import xarray as xr

    dims = tuple(dimension.name for dimension in design.dimensions)
    shape = tuple(dimension.size for dimension in design.dimensions)
    coords = coordinates(design)
    taken = {*dims, *coords, *_FIXED}
    variables: dict[Hashable, Any] = {}
    for column, name in enumerate(measures):
        called = _free(name, "measure", taken)
        attributes = {"units": units.get(name, ""), "long_name": name}
        variables[called] = (dims, gathered.measures[:, column].reshape(shape), attributes)
    variables["outcome"] = (dims, gathered.outcome.reshape(shape), _flags())
    variables["reason"] = (dims, gathered.reason.reshape(shape), {"long_name": "why the run failed"})
    end = {"units": "s", "long_name": "time at which the run ended"}
    variables["end"] = (dims, gathered.end.reshape(shape), end)
    variables["steps"] = (dims, gathered.steps.reshape(shape), {"long_name": "accepted steps"})
    if gathered.signals:
        coords |= _add_signals(variables, gathered, dims, shape, info, taken)
    return xr.Dataset(variables, coords=coords, attrs=_attributes(info))


def coordinates(design: Design) -> dict[str, Any]:
    """Dimension, values and attributes of every axis; values that are neither numbers nor texts as JSON."""
    axes = {axis.name: axis for axis in design.axes}
    entries: dict[str, Any] = {}
    for dimension in design.dimensions:
        for name, values in dimension.coordinates.items():
            axis = axes.get(name) or axes.get(name.rsplit("[", 1)[0])
            attributes = {"paths": ", ".join(axis.paths)} if axis else {}
            entries[name] = (dimension.name, flat(values), attributes)
    return entries


def _add_signals(
    variables: dict[Hashable, Any],
    gathered: EnsembleData,
    dims: tuple[str, ...],
    shape: tuple[int, ...],
    info: Mapping[str, Any],
    taken: set[str],
) -> dict[str, Any]:
    """Put the kept signals under their names; returns the coordinate `time`."""
    units = info.get("units", {})
    length = next(iter(gathered.signals.values()))[0]
    for name, inner in gathered.signals.items():
        dimensions = tuple(
            f"{kind}_{size}" for kind, size in zip(_element_dims(len(inner) - 1), inner[1:], strict=True)
        )
        attributes = {"units": str(units.get(name, "")), "long_name": name}
        data = lazily(KeptSignal(gathered, name, shape))
        variables[_free(name, "signal", taken)] = ((*dims, "time", *dimensions), data, attributes)
    return {"time": ("time", time_grid(info, length), {"units": "s", "long_name": "time"})}


def time_grid(info: Mapping[str, Any], length: int) -> NDArray[np.float64]:
    """The common grid of kept signals, s; its indices if the grid is not given."""
    times = np.asarray(info.get("times", ()), dtype=np.float64)
    return times if len(times) == length else np.arange(length, dtype=np.float64)


def _element_dims(count: int) -> tuple[str, ...]:
    return (
        ((), ("element",), ("row", "column"))[count]
        if count <= 2
        else tuple(f"axis{k}" for k in range(count))
    )


def _free(name: str, kind: str, taken: set[str]) -> str:
    """The name, with its kind as a prefix if the name is taken."""
    free = f"{kind}_{name}" if name in taken else name
    taken.add(free)
    return free


def _flags() -> dict[str, Any]:
    words = ["not run", *OUTCOMES]
    return {
        "long_name": "how the run ended",
        "flag_values": np.arange(NOT_RUN, len(OUTCOMES), dtype=np.int8),
        "flag_meanings": " ".join(word.replace(" ", "_") for word in words),
    }


def _attributes(info: Mapping[str, Any]) -> dict[str, Any]:
    """Facts about the sweep that are not in the dataset itself, as NetCDF attributes."""
    in_coordinates = {"times", "units"}
    return {
        name: value
        if isinstance(value, (str, int, float)) and not isinstance(value, bool)
        else json.dumps(plain(value))
        for name, value in info.items()
        if name not in in_coordinates and value is not None
    }
