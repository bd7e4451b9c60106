"""Results as xarray and pandas: as logged, or on a common grid."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from ...base.checked import checked
from ...base.memory import excess
from ...base.words import visible
from .errors import ResultError, bad_argument
from .lookup import find
from .trace import FloatArray, Method, Trace, as_times, axis_groups, check_method

if TYPE_CHECKING:
    import xarray as xr

    from .result import Result

_TIME = {"units": "s", "long_name": "time"}


def data_array(trace: Trace) -> xr.DataArray:
    """The work of `Trace.to_xarray`."""
    import xarray as xr

    dims = ("time", *_element_dims(trace.shape))
    coords: dict[str, Any] = {"time": ("time", trace.time, _TIME)}
    if trace.labels and len(trace.shape) == 1:
        coords["element"] = list(trace.labels)
    return xr.DataArray(trace.values, coords=coords, dims=dims, name=trace.path, attrs=_attributes(trace))


@checked(bad_argument)
def to_dataset(
    result: Result,
    times: ArrayLike | None = None,
    *,
    dt: float | None = None,
    method: Method = "auto",
    paths: str | Sequence[str] | None = None,
) -> xr.Dataset:
    """The signals named by `paths` (default: all logged) as one xarray.Dataset.

    Without `times` and `dt`: as logged. Signals sampled at the same instants share a time dimension;
    the dimensions are `time`, `time_1`, ... in order of appearance. As a table, `to_dataframe()` would
    pair every instant of one with every instant of the others: `to_pandas()` is the table.

    With `times` (m,) or a period `dt` in s: on that common grid, with limits from the right at events.
    `method` is the source of values between samples:
      "dense"        the solver's dense output, exact to its tolerance; needs a result fresh from a run
      "interpolate"  the log: discrete signals held, continuous ones on straight lines (error at most
                     h^2/8 max|y''| for samples every h; `simulate(refine=8)` logs eight a step)
      "auto"         dense if available, else interpolate; the attribute `interpolation` has the choice

    Vectors of length n have the dimension `element_n`, or one named after their labels; matrices
    `row_m` and `column_n`.

    Raises ResultError for an impossible grid, UnknownSignal for an unknown path.
    """
    import xarray as xr

    paths = (paths,) if isinstance(paths, str) else paths
    names = list(result.signals) if paths is None else list(paths)
    traces = {name: result.trace(name) for name in names}
    attributes: dict[Hashable, Any] = {"diagram": result.provenance.diagram, "complete": str(result.complete)}
    if times is not None or dt is not None:
        traces, attributes["interpolation"] = on_grid(result, traces, times, dt, method)
    variables: dict[Hashable, Any] = {}
    coords: dict[str, Any] = {}
    groups = axis_groups([trace.time for trace in traces.values()])
    for (name, trace), group in zip(traces.items(), groups):
        axis = f"time_{group}" if group else "time"
        coords[axis] = (axis, trace.time, _TIME)
        dims = _dataset_dims(trace)
        if trace.labels and len(trace.shape) == 1:
            coords[dims[0]] = list(trace.labels)
        variables[name] = ((axis, *dims), trace.values, _attributes(trace))
    shown = {key: visible(text) if isinstance(text, str) else text for key, text in attributes.items()}
    return xr.Dataset(variables, coords=coords, attrs=shown)


def on_grid(
    result: Result, traces: dict[str, Trace], times: ArrayLike | None, dt: float | None, method: Method
) -> tuple[dict[str, Trace], str]:
    """The traces on a common grid, and where their values come from; at least one of `times`, `dt` is given.

    Raises ResultError for an impossible grid or an unknown method.
    """
    grid = _grid(result, times, dt, 1 + sum(prod(trace.shape) for trace in traces.values()))
    return _moved_to(result, traces, grid, method)


def _grid(result: Result, times: ArrayLike | None, dt: float | None, width: int) -> FloatArray:
    """The common grid; `width` is the number of values in a row of the dataset."""
    if times is not None and dt is not None:
        raise ResultError("both times and dt\nexpected: one of them")
    if not result.time.size:
        raise ResultError("nothing was logged, so there is nothing to put on a grid")
    start, stop = float(result.time[0]), float(result.time[-1])
    if dt is not None:
        if not (np.isfinite(dt) and dt > 0.0):
            raise ResultError(f"dt = {dt}\nexpected: a positive number of seconds")
        periods = np.floor((stop - start) / dt * (1.0 + 1e-12))
        too_many = excess(periods + 1.0, width)
        if too_many:
            raise ResultError(f"dt = {dt}: {too_many}\nexpected: a longer period, or fewer signals")
        return np.minimum(start + dt * np.arange(int(periods) + 1, dtype=np.float64), stop)
    grid = as_times("times", times)  # type: ignore[arg-type]
    if grid.ndim != 1 or not np.all(np.isfinite(grid)) or np.any(np.diff(grid) < 0.0):
        raise ResultError("times must be one-dimensional, finite and never decrease")
    if grid.size and (grid[0] < start or grid[-1] > stop):
        raise ResultError(
            f"times from {grid[0]:g} to {grid[-1]:g} s leave the run,"
            f" {start:g} to {stop:g} s; nothing is extrapolated"
        )
    return grid


def _moved_to(
    result: Result, traces: dict[str, Trace], grid: FloatArray, method: Method
) -> tuple[dict[str, Trace], str]:
    check_method(method, dense=result.resample is not None)
    if method == "interpolate" or result.resample is None:
        between = {name: trace.at(grid, "interpolate") for name, trace in traces.items()}
        return {name: _move_to_grid(trace, grid, between[name]) for name, trace in traces.items()}, "log"
    dense = result.resample(grid)
    signals, states = (
        {path: _move_to_grid(trace, grid, dense[path]) for path, trace in logged.items() if path in dense}
        for logged in (result.signals, result.states)
    )
    return {name: find(name, signals, states) for name in traces}, "dense output"


def _move_to_grid(trace: Trace, grid: FloatArray, values: FloatArray) -> Trace:
    return Trace(trace.path, grid, values, trace.unit, trace.labels, trace.kind)


def _attributes(trace: Trace) -> dict[str, str]:
    return {"path": trace.path, "units": visible(trace.unit), "kind": trace.kind}


def _element_dims(shape: tuple[int, ...]) -> tuple[str, ...]:
    if len(shape) <= 2:
        return ((), ("element",), ("row", "column"))[len(shape)]
    return tuple(f"axis{k}" for k in range(len(shape)))


def _dataset_dims(trace: Trace) -> tuple[str, ...]:
    if trace.labels and len(trace.shape) == 1:
        return ("element_" + "_".join(trace.labels).replace(" ", "_"),)
    return tuple(f"{dim}_{n}" for dim, n in zip(_element_dims(trace.shape), trace.shape))
