"""Results as xarray and pandas: as logged, or on a common grid."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import prod
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from ...base.checked import checked
from ...base.memory import excess
from ...base.visible import visible
from .errors import ResultError, bad_argument
from .lookup import find
from .merge import axis_groups
from .trace import FloatArray, Trace, as_times

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

    from .result import Result

Method: TypeAlias = Literal["auto", "dense", "interpolate"]
_TIME = {"units": "s", "long_name": "time"}


def data_array(trace: Trace) -> xr.DataArray:
    """The trace with dimensions `time` and, for a vector, `element`; for a matrix, `row` and `column`.

    Labels of a vector become the coordinate `element`: `a.sel(element="x")`. Attributes: path, units,
    kind. The values are those of the trace, read-only: `a.copy()` can be changed.
    """
    from .signal_array import DataArray

    dims = ("time", *_element_dims(trace.shape))
    coords: dict[str, Any] = {"time": ("time", trace.time, _TIME)}
    if trace.labels and len(trace.shape) == 1:
        coords["element"] = list(trace.labels)
    return DataArray(trace.values, coords=coords, dims=dims, name=trace.path, attrs=_attributes(trace))


@checked(bad_argument)
def to_dataset(
    result: Result,
    *,
    times: ArrayLike | None = None,
    dt: float | None = None,
    method: Method = "auto",
    paths: str | Sequence[str] | None = None,
) -> xr.Dataset:
    """The signals named by `paths` (default: all logged) as one xarray.Dataset.

    Without `times` and `dt`: as logged. Signals sampled at the same instants share a time dimension;
    the dimensions are `time`, `time_1`, ... in order of appearance.

    With `times` (m,) or a period `dt` in s: on that common grid, limits from the right at events.
    `method` says where values between samples come from:
      "dense"        the solver's dense output, exact to its tolerance; needs a result fresh from a run
      "interpolate"  the log: discrete signals held, continuous ones on straight lines (error at most
                     h^2/8 max|y''| for samples h apart)
      "auto"         dense where there is one, else interpolate; the attribute `interpolation` tells

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
        grid = _grid(result, times, dt, 1 + sum(prod(trace.shape) for trace in traces.values()))
        traces, attributes["interpolation"] = _on_grid(result, traces, grid, method)
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


def to_pandas(trace: Trace) -> pd.Series | pd.DataFrame:
    """A Series for a scalar, else a DataFrame with one column an element; the index is time in s."""
    import pandas as pd

    index = pd.Index(trace.time, name="time")
    if not trace.shape:
        return pd.Series(trace.values, index=index, name=trace.path)
    return pd.DataFrame(trace.flat, index=index, columns=list(trace.labels or trace.columns))


def _grid(result: Result, times: ArrayLike | None, dt: float | None, width: int) -> FloatArray:
    """The common grid; `width` is the numbers in a row of what is put on it."""
    if times is not None and dt is not None:
        raise ResultError("to_dataset: both times and dt; give one of them")
    if not result.time.size:
        raise ResultError("to_dataset: nothing was logged, so there is nothing to put on a grid")
    start, stop = float(result.time[0]), float(result.time[-1])
    if dt is not None:
        if not (np.isfinite(dt) and dt > 0.0):
            raise ResultError(f"to_dataset: dt = {dt}; expected a positive number of seconds")
        periods = np.floor((stop - start) / dt * (1.0 + 1e-12))
        too_many = excess(periods + 1.0, width)
        if too_many:
            raise ResultError(
                f"to_dataset: dt = {dt}: {too_many}\nexpected: a longer period, or fewer `paths`"
            )
        return np.minimum(start + dt * np.arange(int(periods) + 1, dtype=np.float64), stop)
    grid = as_times("times", times)  # type: ignore[arg-type]
    if grid.ndim != 1 or not np.all(np.isfinite(grid)) or np.any(np.diff(grid) < 0.0):
        raise ResultError("to_dataset: times must be one-dimensional, finite and never decrease")
    if grid.size and (grid[0] < start or grid[-1] > stop):
        raise ResultError(
            f"to_dataset: times from {grid[0]:g} to {grid[-1]:g} s leave the run,"
            f" {start:g} to {stop:g} s; nothing is extrapolated"
        )
    return grid


def _on_grid(
    result: Result, traces: dict[str, Trace], grid: FloatArray, method: Method
) -> tuple[dict[str, Trace], str]:
    if method not in ("auto", "dense", "interpolate"):
        raise ResultError(f"to_dataset: method {method!r}; expected 'auto', 'dense' or 'interpolate'")
    if method == "interpolate" or (method == "auto" and result.resample is None):
        return {name: _moved(trace, grid, trace.at(grid)) for name, trace in traces.items()}, "log"
    if result.resample is None:
        raise ResultError(
            "to_dataset: no dense output: this result was read from a file or carries none;"
            " run the diagram again, or use method='interpolate'"
        )
    dense = result.resample(grid)
    signals, states = (
        {path: _moved(trace, grid, dense[path]) for path, trace in logged.items() if path in dense}
        for logged in (result.signals, result.states)
    )
    return {name: find(name, signals, states) for name in traces}, "dense output"


def _moved(trace: Trace, grid: FloatArray, values: FloatArray) -> Trace:
    return Trace(trace.path, grid, values, trace.unit, trace.labels, trace.kind)


def _attributes(trace: Trace) -> dict[str, str]:
    return {"path": trace.path, "units": visible(trace.unit), "kind": trace.kind}


def _element_dims(shape: tuple[int, ...]) -> tuple[str, ...]:
    if len(shape) <= 2:
        return ((), ("element",), ("row", "column"))[len(shape)]
    return tuple(f"axis{k}" for k in range(len(shape)))


def _dataset_dims(trace: Trace) -> tuple[str, ...]:
    if trace.labels and len(trace.shape) == 1:
        return ("element_" + "_".join(trace.labels),)
    return tuple(f"{dim}_{n}" for dim, n in zip(_element_dims(trace.shape), trace.shape))
