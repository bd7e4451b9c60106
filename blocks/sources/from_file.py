"""FromFile: a table over time that is read from a file."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ...base.data_file import DataFileError, is_log, read_series, unitless
from ...base.errors import BlockdynError
from ..contract.errors import ParameterError
from ..contract.parameter import FileLike, Real, option, parameter
from .joined_rows import joined_rows
from .recorded import limits, saved_run
from .table_source import BETWEEN, Rows, TableSource


class FromFile(TableSource):
    """Columns of a file, linear between its rows: measured wind, logged set points.

        y = rows[k] + (rows[k + 1] - rows[k]) (t - t_k) / (t_{k + 1} - t_k),    t_k = start + time of row k

    or, with `interpolation`, rows[k] held until the next one, or a cubic spline, not-a-knot at its ends.
    `file` is CSV with a header, .npz with a vector for each name, .parquet, a log (.ulg of PX4, a bag of ROS,
    .mat; extra `logs`), or a file of `Result.save`: y then jumps as the signals did, and discrete signals are
    held. In a diagram's file its path is relative to that file. If `columns` names one column, y is a number;
    if it names several, y is a vector. `time` names the column of the instants if it is not `time`,
    `time (s)`, `t` or, in a log, the usual one. Its unit is `time_scale`, s, or part of the name: `t [ms]`.
    If two times are equal, y jumps there. Before the first row y equals the first row, and after the last row
    the last one; with `repeat` the table repeats instead, and the period is the time from its first row to
    its last. Every row is a time event. The file is read when the block is made.
    Raises ParameterError, with the file's name and line, if the file cannot be read, for missing columns, for
    gaps and values that are not finite numbers, for times that decrease, and, if `longest_gap` is given, for
    longer gaps between rows.

    Example:
        {type: FromFile, file: wind.csv, columns: [north, east, down], unit: m/s}
    """

    icon = "file"

    file: FileLike = option(doc="CSV with a header, .npz, .parquet, a log or a saved run")
    columns: str | Sequence[str] = option(doc="the columns of y, or the one")
    time: str = option(default="time", doc="the column of the instants")
    interpolation: str = option(default="linear", doc="interpolation between rows", choices=BETWEEN)
    repeat: bool = option(default=False, doc="begin again where the table ends")
    start: Real = parameter(default=0.0, unit="s", doc="added to the file's times", dimensions=(0,))
    longest_gap: Real | None = parameter(
        default=None, unit="s", doc="longest time between two rows", above=0, dimensions=(0,)
    )
    unit: str = option(default="", doc="unit of y")
    time_scale: Real | None = parameter(
        default=None, unit="s", doc="unit of the file's times, such as 1e-3", above=0, dimensions=(0,)
    )

    def check(self) -> None:
        if not self.names or len({*self.names, self.time}) <= len(self.names):
            expected = f"names of columns, each once, without the column of the instants, {self.time}"
            raise ParameterError(self.kind(), "columns", self.columns, expected)
        times = self.rows().times
        if self.repeat and len(times) < 2:
            raise ParameterError(self.kind(), "repeat", True, f"at least two rows in {self.file}")
        longest = np.inf if self.longest_gap is None else float(self.longest_gap)  # type: ignore[arg-type]
        for row in np.flatnonzero(np.diff(times) > longest).tolist():
            reason = f"between {times[row]:.17g} s and {times[row + 1]:.17g} s {self.file} has no rows"
            raise ParameterError(self.kind(), "longest_gap", self.longest_gap, reason=reason)

    @property
    def names(self) -> tuple[str, ...]:
        """The columns of y."""
        return (self.columns,) if isinstance(self.columns, str) else tuple(self.columns)

    @cached_property
    def table(self) -> Rows:
        """The rows of a file that is not a saved run. Raises ParameterError."""
        scale = None if self.time_scale is None else float(self.time_scale)  # type: ignore[arg-type]
        try:
            series = read_series(Path(str(self.file)), self.names, time=self.time, time_scale=scale)
        except DataFileError as error:
            raise ParameterError(self.kind(), "file", str(self.file), reason=error) from None
        columns = [series[name] for name in self.names]
        if all(np.array_equal(each.time, columns[0].time) for each in columns):
            return Rows(columns[0].time, np.column_stack([each.values for each in columns]))
        return joined_rows([limits(each) for each in columns], [self.interpolation == "held"] * len(columns))

    @cached_property
    def run(self) -> Any:
        """The Result that the file holds, or None. Raises ParameterError."""
        if is_log(Path(str(self.file))):
            return None
        try:
            return saved_run(str(self.file))
        except BlockdynError as error:
            if Path(str(self.file)).suffix.lower() == ".nc":
                raise ParameterError(self.kind(), "file", str(self.file), reason=error) from None
            return None

    @cached_property
    def recorded(self) -> Rows:
        """The columns of a run. Raises ParameterError."""
        try:
            traces = [self.run.trace(unitless(name.removeprefix("state:"))) for name in self.names]
        except BlockdynError as error:
            raise ParameterError(self.kind(), "columns", self.columns, reason=error) from None
        for name, trace in zip(self.names, traces, strict=True):
            if trace.values.ndim != 1 or not trace.time.size:
                expected = f"signals with scalar samples: for a vector, {name}[0] and so on; or use Recorded"
                raise ParameterError(self.kind(), "columns", self.columns, expected)
        return joined_rows(
            [limits(trace) for trace in traces], [trace.kind == "discrete" for trace in traces]
        )

    def rows(self) -> Rows:
        return self.table if self.run is None else self.recorded

    def shape(self) -> tuple[int, ...]:
        return () if isinstance(self.columns, str) else (len(self.names),)
