"""Signal arrays: signals over time for xarray, which say where their values between rows are found."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import pandas as pd
import xarray as xr
from xarray.plot.accessor import DataArrayPlotAccessor

from .errors import ResultError

ASKED = ("interp", "sel", "isel", "reindex", "interp_like", "reindex_like", "_binary_op", "resample")
"""Methods that look for instants, or lay two signals over one another; `_binary_op` is all arithmetic."""


class NotAtThatTime(ResultError, KeyError, ValueError, IndexError):
    """What xarray or pandas does not find in a signal, or cannot lay over another one."""

    def _text(self) -> str:
        return str(self.args[0])  # KeyError would quote it


class _Lines(DataArrayPlotAccessor):
    def __call__(self, **options: Any) -> Any:  # type: ignore[override]  # a decorator's type
        if self._da.ndim == 2 and "time" in self._da.dims:
            return self.line(**{"x": "time", **options})
        return super().__call__(**options)


class DataArray(xr.DataArray):  # type: ignore[no-untyped-call]  # xarray has no types for subclassing
    """A signal, whose instants of events stand there twice: with the values just before and just behind."""

    __slots__ = ()

    @property
    def plot(self) -> DataArrayPlotAccessor:  # type: ignore[override]  # xarray has an accessor of its own here
        """The pictures of xarray; called, lines over time, also of a vector."""
        return _Lines(self)

    def __getattr__(self, name: str) -> Any:
        if name in ("t", "at", "iloc", "index", "y"):
            path = self.name
            raise AttributeError(
                f"a DataArray of xarray has no attribute {name!r}\nhere it is `.time` and `.values`; between"
                f" rows `result.trace({path!r}).at(times)`, as a Series `result.to_pandas({path!r})`"
            )
        return super().__getattr__(name)


def _leading(plain: Callable[..., Any]) -> Callable[..., Any]:
    """The method, whose errors say where the values are found."""

    @functools.wraps(plain)
    def method(self: xr.DataArray, *values: Any, **options: Any) -> Any:
        try:
            return plain(self, *values, **options)
        except (KeyError, ValueError, IndexError, pd.errors.InvalidIndexError) as error:
            raise _message(self, error) from error

    return method


def _message(array: xr.DataArray, error: Exception) -> NotAtThatTime:
    """What xarray or pandas says, and what to do."""
    place = f"`result.trace({array.name!r}).at(times)`, or `result.to_dataset(dt=0.01)[{array.name!r}]`"
    why = "its dimension is `time`"
    if "time" in array.indexes and not array.indexes["time"].is_unique:
        why += ", where an instant of an event stands twice, just before and just behind it"
    problem = str(error.args[0] if error.args else error).partition("\n")[0]
    return NotAtThatTime(f"{array.name}: {problem}\n{why}\nvalues at other times: {place}")


for _name in ASKED:
    if hasattr(xr.DataArray, _name):
        setattr(DataArray, _name, _leading(getattr(xr.DataArray, _name)))
