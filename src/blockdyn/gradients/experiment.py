"""An experiment holds measured signals and the conditions of the run that is compared with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from ..base.annotations import real_array
from ..base.data_file import (
    TIME as TIMES,
    advise_rename,
    is_log,
    read_series,
    rename_columns,
    time_like,
    unitless,
)
from ..base.words import article, short
from ..diagrams.results.columns import instants
from ..diagrams.results.files import of_run
from ..diagrams.results.result import Result
from ..solvers.layout import Floats
from .errors import GradientError

Data: TypeAlias = "Mapping[str, Any] | str | PathLike[str] | Any"
"""Columns by name: a mapping, a table of pandas, an xarray.Dataset, a table or log in a file, a run."""
TIME = "time"
STATE = "state:"  # before columns of saved runs that are not signals


@dataclass(frozen=True)
class Experiment:
    """Measured signals and the conditions of their measurement.

    data         columns by name: `time` or `t`, s, increasing, and signals of the diagram, "rotor",
                 "arm.q[0]", "rotor (rad/s)" or "rotor [rad/s]"; or a Result, or the file that it was saved
                 to, or a log, see FromFile
    set          values in the diagram for this experiment, by path
    inputs       values of its Inports, as for `simulate`
    unknown      paths of numbers that are estimated only for this experiment, such as initial states, with
                 their starts
    settings     other arguments of `simulate`
    columns      column of `data` for each signal of the diagram, if their names differ; other columns are
                 ignored
    time         name of the column of times in a file, if it is not `time` or `t`, or the usual name in a log
    time_scale   length of its unit, s, if it is neither s nor the unit in its name

    Example:
        bd.Experiment("swing.csv", set={"payload": 0.5}, unknown={"angle.x": 0.1})
        bd.Experiment("flight.ulg", columns={"body.w[0]": "vehicle_angular_velocity.xyz[0]"})
    """

    data: Data
    set: Mapping[str, Any] = field(default_factory=dict)
    inputs: Mapping[str, Any] = field(default_factory=dict)
    unknown: Mapping[str, float] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    columns: Mapping[str, str] = field(default_factory=dict)
    time: str = TIME
    time_scale: float | None = None


def columns_of(experiment: Experiment, place: str) -> tuple[Floats, dict[str, Floats]]:
    """The times and the columns, as vectors by name. Raises GradientError, DataFileError."""
    data = experiment.data
    columns = _name_columns(experiment, place)
    if TIME not in columns:
        actual = f"{place} has the columns {', '.join(columns) or 'none'}"
        other = time_like([*columns])
        more = advise_rename(other, TIME) if other else ""
        if not other and hasattr(data, "reset_index"):
            more = f'; the index becomes it by `data.rename_axis("{TIME}").reset_index()`'
        raise GradientError(actual, f"one of times, s: `{TIME}`{more}")
    times = _vector(place, TIME, columns.pop(TIME))
    if times.ndim != 1 or not times.size:
        raise GradientError(f"{place} has times of shape {times.shape}", "increasing times, s: one per row")
    back = np.flatnonzero(np.diff(times) < 0.0)
    if back.size:
        row = int(back[0]) + 1
        actual = (
            f"{place}: its times do not increase: row {row} is {times[row]:g} s, after {times[row - 1]:g} s"
        )
        raise GradientError(actual, "increasing times, s")
    last = np.append(np.diff(times) > 0.0, True)  # of the two rows of an event, the limit from the right
    vectors: dict[str, Floats] = {}
    for name, values in columns.items():
        array = _vector(place, name, values, ~last)
        if array.shape[:1] != times.shape:
            actual = f"{place}: {name} has shape {array.shape}, for {times.size} times"
            raise GradientError(actual, "a row for each time")
        if array.ndim == 1:
            vectors[name] = array[last]
            continue
        for index in np.ndindex(array.shape[1:]):
            vectors[f"{name}[{', '.join(map(str, index))}]"] = array[(last, *index)]
    if not vectors:
        raise GradientError(f"{place} has no column but times", "a column for each measured signal")
    return times[last], vectors


def _name_columns(experiment: Experiment, place: str) -> dict[str, Any]:
    """The columns by their names, without units for signals. Raises GradientError, DataFileError."""
    data = experiment.data
    table: Any = data
    if isinstance(data, (str, PathLike)):
        table = None if is_log(Path(data)) else of_run(data)
        if table is None:
            table = _read_file(experiment, place)
    if isinstance(table, Result):
        table = instants(table, [*table.signals.values()], TIME)
    if hasattr(table, "to_frame"):  # a series
        table = table.to_frame()
    if not isinstance(table, Mapping) and not hasattr(table, "columns"):
        raise GradientError(f"{place} is {_describe_invalid(data)}", _describe_expected(data))
    columns = {str(name): table[name] for name in table}
    columns |= _signals(experiment, columns, place)
    index = getattr(table, "index", None)  # of a table of pandas
    name = str(getattr(index, "name", None))
    if TIMES.fullmatch(name) and unitless(name) == TIME:
        columns[TIME] = index
    elif TIME not in columns and hasattr(table, "coords"):  # an xarray.Dataset
        columns[TIME] = table[TIME]
    columns = dict(zip(rename_columns([*columns], [TIME]), columns.values(), strict=True))
    signals = {name: each for name, each in columns.items() if not name.startswith(STATE)}
    short = {
        name: unitless(name)
        for name in signals
        if unitless(name) not in signals and (TIME in signals or not TIMES.fullmatch(unitless(name)))
    }
    return {short.get(name, name): each for name, each in signals.items()}


def _read_file(experiment: Experiment, place: str) -> dict[str, Floats]:
    """The columns of a file with their common times. Raises GradientError, DataFileError."""
    names = list(dict.fromkeys(experiment.columns.values())) or None
    file = Path(str(experiment.data))
    series = read_series(file, names, time=experiment.time, time_scale=experiment.time_scale)
    first, *others = series
    for name in others:
        if not np.array_equal(series[name].time, series[first].time):
            actual = f"{place}: {first} and {name} have different times"
            raise GradientError(actual, "columns with the same times: make an experiment of each topic")
    return {TIME: series[first].time} | {name: each.values for name, each in series.items()}


def _signals(experiment: Experiment, columns: dict[str, Any], place: str) -> dict[str, Any]:
    """The columns under the names of the signals that they measure, without other columns."""
    if not experiment.columns:
        return {}
    for name in experiment.columns.values():
        if name not in columns:
            actual = f"{place} has no column {short(name)}"
            raise GradientError(actual, f"one of {', '.join(columns)}"[:300])
    signals = {signal: columns[name] for signal, name in experiment.columns.items()}
    for name in [name for name in columns if not TIMES.fullmatch(name)]:
        del columns[name]
    return signals


def _describe_invalid(data: object) -> str:
    """Describe data that cannot be read."""
    shape = getattr(data, "shape", None)
    if shape is not None:
        return f"{article(type(data).__name__)} of shape {shape}"
    return article("Result") if hasattr(data, "to_dataset") else short(data)


def _describe_expected(data: object) -> str:
    """The error text for data that cannot be read: the expected forms."""
    if hasattr(data, "provenance"):
        return "a run as data: `result.to_dataset(dt=0.01)`, which has one row a time"
    if hasattr(data, "shape"):
        return 'columns by name: {"time": t, "motor": y}'
    return "a mapping from names to columns, a table of pandas, an xarray.Dataset, or a file"


def _vector(place: str, name: str, values: Any, may_lack: Any = False) -> Floats:
    """A column of finite numbers, except in rows that may lack a value. Raises GradientError."""
    if np.ma.isMaskedArray(values):
        values = np.ma.filled(np.ma.asarray(values, np.float64), np.nan)
    try:
        array = real_array(np.asarray(values))
    except (TypeError, ValueError, OverflowError):
        raise GradientError(f"{place}: column {name} holds a value that is not a number", "numbers") from None
    lacks = ~np.isfinite(array)
    if np.shape(may_lack) == array.shape[:1]:
        lacks[may_lack] = False
    bad = np.argwhere(lacks)
    if len(bad):
        row = int(bad[0][0])
        more = f", as are {len(bad) - 1} more" if len(bad) > 1 else ""
        actual = f"{place}: column {name}, row {row} is {array[tuple(bad[0])]:g}{more}"
        raise GradientError(
            actual, "finite numbers: leave rows out that were not measured (pandas: `data.dropna()`)"
        )
    return array


def experiments(data: Data | Experiment | Sequence[Data | Experiment]) -> list[Experiment]:
    """The experiments in `data`. Raises GradientError."""
    several = list(data) if isinstance(data, (list, tuple)) else [data]
    if len(several) > 1 and all(
        hasattr(each, "shape") or isinstance(each, (list, tuple)) for each in several
    ):
        actual = f"data are {', '.join(map(_describe_invalid, several))}"
        raise GradientError(actual, 'columns by name: {"time": t, "motor": y}')
    if not several:
        raise GradientError("there are no data", "at least one experiment")
    return [each if isinstance(each, Experiment) else Experiment(each) for each in several]
