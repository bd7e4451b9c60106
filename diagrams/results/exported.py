"""Exported: a result as the tables of other libraries, and in files."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from ...base.hints import hinting
from .errors import ResultError

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd
    import xarray as xr

    from .trace import Method


class Exported:
    """Base of Result: its signals as xarray and pandas have them, its files."""

    @hinting
    def to_dataset(
        self: Any,
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
        `method` says where values between samples come from:
          "dense"        the solver's dense output, exact to its tolerance; needs a result fresh from a run
          "interpolate"  the log: discrete signals held, continuous ones on straight lines (error at most
                         h^2/8 max|y''| for samples h apart; `simulate(refine=8)` logs eight a step)
          "auto"         dense where there is one, else interpolate; the attribute `interpolation` tells

        Vectors of length n have the dimension `element_n`, or one named after their labels; matrices
        `row_m` and `column_n`.

        Raises ResultError for an impossible grid, UnknownSignal for an unknown path.
        """
        from .dataset import to_dataset

        return to_dataset(self, times=times, dt=dt, method=method, paths=paths)

    @hinting
    def to_pandas(
        self: Any,
        path: str | Sequence[str] | None = None,
        *,
        times: ArrayLike | None = None,
        dt: float | None = None,
        method: Method = "auto",
    ) -> pd.Series | pd.DataFrame:
        """Signals as a table: the index is the time in s.

        path   none: all signals, a column for each element, `plant.y[0]`, `uav.position[x]`; a list of paths:
               these. One path: a Series for a scalar, else a DataFrame whose columns are named after the
               labels where there are some
        times  (m,) instants, or `dt`, a period in s: one row for each of them, with values from the dense
               output where there is one; `method` as in `to_dataset`

        Without `times` and `dt` there is a row for each instant at which anything was logged, and NaN where a
        signal was not. An instant of an event has two rows, just before and just behind it.
        Raises ResultError for an impossible grid, UnknownSignal.
        """
        from .frame import to_pandas

        return to_pandas(self, path, times=times, dt=dt, method=method)

    def save(self: Any, path: str | PathLike[str]) -> None:
        """Write the whole result: signals, states, events, Scopes and provenance.

        The suffix of the file names the format:

        .nc       NetCDF 4; one variable a signal, one time dimension for each set of sampling instants
        .parquet  one table: time, then a column for every element; empty where a signal was not sampled;
                  needs the extra `parquet`
        .csv      the same table as text, every number to its last digit, under `#` lines with the record

        A file read back with `load_result` holds the same bits (CSV: but for the payload of a NaN). Either
        the whole file appears under its name or none does, and the result is untouched either way. Raises
        ResultFileError: unknown suffix, package missing, disk full, read-only, no permission, no folder.
        """
        if self.file is not None:
            raise ResultError(
                f"the rows of this result are in {self.file}; copy that file, or load it and save"
            )
        from .files import save

        save(self, path)

    def write_files(self: Any, folder: str | PathLike[str], *, overwrite: bool = False) -> tuple[Path, ...]:
        """Write what the ToFile blocks of the diagram keep, each into the file that it names, in this folder.

        folder     an existing one, or a new one in an existing one
        overwrite  whether files of these names may be there; links are never followed

        A file appears whole or not at all. Returns the files. Raises ResultError where two blocks name one
        file or the rows are on disk, ResultFileError for a file that is there, no folder, no permission, a
        full disk.
        """
        from .sink_files import write_files

        return write_files(self, folder, overwrite=overwrite)
