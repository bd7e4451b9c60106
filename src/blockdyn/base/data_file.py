"""Read columns of numbers by name from tables and logs; nothing is executed."""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .csv_file import (
    DataFileError as DataFileError,
    as_number,
    check_decimal_signs,
    dates,
    is_date,
    read_text_table,
    unreadable,
)
from .extras import remedy

Floats = NDArray[np.float64]
Columns = dict[str, Floats]
Names = Sequence[str] | Mapping[str, str]  # of columns, or from them to their units
TIME = re.compile(r"(t|time)(\s*[\[(]\s*s\s*[\])])?", re.IGNORECASE)
"""Names of a column of times, s: they mean the same."""
UNIT = re.compile(r"(?:\s+|(?=[\[(]\s*[^\d\s:\])]))(?:\[([^\]]*)\]|\(((?:[^()]|\([^()]*\))*)\))$")
"""After the name of a column, `speed (rad/s)`, `c (N s2/(rad m))` or `v[m/s]`; `q[0]` is an element."""
CLOCK = re.compile(
    r"(t|time|timestamp)(?:\s*[\[(]\s*(s|ms|us|\u00b5s|\u03bcs|ns|min|h)\s*[\])]|_(s|ms|us|ns))?",
    re.IGNORECASE,
)
"""Names of a column of times in any unit."""
SCALES = {
    "s": 1.0,
    "ms": 1e-3,
    "us": 1e-6,
    "\u00b5s": 1e-6,
    "\u03bcs": 1e-6,
    "ns": 1e-9,
    "min": 60.0,
    "h": 3600.0,
}
TIMES = "time"
SECONDS = "time [s]"
STAMP, SHORTEST, EPOCH = "timestamp", 1e3, 1e12
"""PX4's name for microseconds since it started: rows at least 1 ms apart, and not counted from 1970."""
LOGS = (".ulg", ".ulog", ".bag", ".mcap", ".db3", ".mat")


MOST = 2**31
"""Bytes of numbers that a file may hold: packed ones may claim any size."""


class Series(NamedTuple):
    """A column of a file: the times, s, which never decrease; at equal times it jumps to the last value."""

    time: Floats
    values: Floats


def read_series(
    file: Path, names: Sequence[str] | None = None, *, time: str = TIMES, time_scale: float | None = None
) -> dict[str, Series]:
    """Columns of a file over time, by name; without `names` all of a table.

    Tables, as for `read_columns`, have one column `time` for all. Logs (.ulg of PX4, .bag, .mcap and .db3 of
    ROS or a folder of these, .mat) have one for each topic; their columns are `topic.field`, `topic.q[0]`.
    `time` names another field than the usual one; `time_scale` is the length of its unit, s.
    Raises DataFileError, also for a name that a log lacks: the error lists the existing names.
    """
    if time_scale is not None and not 0.0 < time_scale < np.inf:
        raise DataFileError("time_scale", f"{time_scale}", "the length of the unit of time, s, such as 1e-3")
    if is_log(file):
        from .log_file import read_log

        series = read_log(file, names, time, time_scale)
    else:
        needed = [time, *(name for name in names or () if name != time)]
        columns = read_columns(
            file, needed, None if names is None else (), time=time, time_scale=time_scale, events=True
        )
        series = {name: Series(columns[time], values) for name, values in columns.items() if name != time}
    return series


def is_log(file: Path) -> bool:
    """True if a file is a log by its ending, or a folder, as `ros2 bag record` makes it."""
    return file.suffix.lower() in LOGS or file.is_dir()


def read_columns(
    file: Path, needed: Names, also: Names | None = (), *, time: str = "", time_scale: float | None = None,
    events: bool = False, increasing: str = "",
) -> Columns:  # fmt: skip
    """The columns `needed`, and of those in `also` (None: of all) the ones there, by name, all of one length.

    A file that ends in .npz holds a vector for each name, .parquet is a table of Apache's format (extra
    `parquet`), any other is text with a line of names, see `read_text_table`. `t`, `time` and `time (s)` are
    one name, and so are `speed`, `Speed`, `speed (rad/s)` and `speed [rad/s]`; if names are mapped to units,
    only with these units. Other columns may hold anything. The column `time`, or `increasing`, has to
    increase; with `events` two times may be equal. Times are converted to s by `time_scale`, or by the unit
    after their name, `t [ms]`; dates count from the first row; `timestamp`, as PX4 writes it, is in
    microseconds. Raises DataFileError with the file, and the line and column or the row, for a file that
    cannot be read, a missing or repeated column, no rows, and a value that is not a finite number.
    """
    read = {".npz": _of_npz, ".parquet": _of_parquet}.get(file.suffix.lower(), _of_csv)
    columns, places, written = read(file, needed, also, time)
    if time:
        columns[time] = convert_to_seconds(columns[time], written.get(time, time), time_scale, str(file))
    if ordered := time or increasing:
        check_increase(columns[ordered], places, ordered, events=events, time=bool(time))
    return columns


def check_increase(
    values: Floats, places: Sequence[str], column: str, *, events: bool = False, time: bool = True
) -> None:
    """Raise DataFileError for a number that does not increase, or, with `events`, one that decreases."""
    steps = np.diff(values)
    for row in np.flatnonzero(steps < 0.0 if events else steps <= 0.0)[:1].tolist():
        before, after = values[row : row + 2].tolist()
        actual, expected = f"{after:.17g} follows {before:.17g}", "increasing numbers"
        if time:
            actual = f"the time {after:.17g} s follows {before:.17g} s"
            expected = "times that do not decrease" if events else "increasing times"
        raise DataFileError(f"{places[row + 1]}, column {column}", actual, expected)


def convert_to_seconds(times: Floats, name: str, scale: float | None, place: str) -> Floats:
    """Times in s, by the length of their unit, or by the unit after the name of their column."""
    behind, clock = UNIT.search(name), CLOCK.fullmatch(name.strip())
    if scale is None:
        unit = (behind[1] or behind[2] or "").strip() if behind else ""
        scale = SCALES.get(clock[3].lower() if clock and clock[3] else unit, 1.0)
        if behind is None and name.strip().casefold() == STAMP:
            scale = _stamp_scale(times, place)
    return times / round(1.0 / scale) if scale < 1.0 and abs(1.0 / scale % 1.0) < 1e-6 else times * scale


def _stamp_scale(times: Floats, place: str) -> float:
    """The unit of a column that is called `timestamp` only: PX4's microseconds, where no other fits."""
    steps = np.diff(times)
    steps = steps[steps > 0.0]
    if np.all(times == np.floor(times)) and steps.size and steps.min() >= SHORTEST and times[-1] < EPOCH:
        return 1e-6
    expected = "the length of its unit, s, as `time_scale`: 1e-6 for microseconds, 1 for seconds"
    raise DataFileError(f"{place}, column {STAMP}", "the unit of these times is open", expected)


def _of_csv(
    file: Path, needed: Names, also: Names | None, time: str
) -> tuple[Columns, list[str], dict[str, str]]:
    def rename(written: Sequence[str]) -> list[str]:
        return rename_columns(rename_columns(written, needed, clock=time), also or ())

    table = read_text_table(file, lambda names: not {*needed} - {*rename(names)})
    if (
        len(table.names) > 1
        and not table.names[-1]
        and not any("".join(line[-1:]).strip() for _, line in table.rows)
    ):
        cut = [(number, line[:-1]) for number, line in table.rows]  # each line ends with a separator
        table = table._replace(names=table.names[:-1], rows=cut)
    names = rename(table.names)
    chosen = _choose_columns(f"{file}, line {table.line}", table.names, names, needed, also)
    if not table.rows:
        raise DataFileError(str(file), "there is no row", "a line of names, and a line per row")
    for number, line in table.rows:
        if len(line) != len(names):
            actual = "there is 1 value" if len(line) == 1 else f"there are {len(line)} values"
            raise DataFileError(f"{file}, line {number}", actual, f"{len(names)}, one per column")
    columns = {}
    at = {name: names.index(name) for name in chosen}
    # row by row, so that the first mistake of a file is the first one that is named
    dated = bool(time) and is_date(table.rows[0][1][at[time]])
    numeric = {name: place for name, place in at.items() if not (dated and name == time)}
    rows = [
        [as_number(file, number, name, line[place], table.separator) for name, place in numeric.items()]
        for number, line in table.rows
    ]
    columns = dict(zip(numeric, np.array(rows, np.float64).reshape(len(rows), -1).T, strict=True))
    if table.separator != ",":
        for name, place in numeric.items():
            check_decimal_signs(file, name, [(number, line[place]) for number, line in table.rows])
    if dated:
        stamps = [(number, line[at[time]]) for number, line in table.rows]
        columns[time] = np.array(dates(file, time, stamps))
    written = {name: SECONDS if dated and name == time else table.names[place] for name, place in at.items()}
    return columns, [f"{file}, line {number}" for number, _ in table.rows], written


def _of_npz(
    file: Path, needed: Names, also: Names | None, time: str
) -> tuple[Columns, list[str], dict[str, str]]:
    try:
        with file.open("rb") as stream, np.load(stream, allow_pickle=False) as archive:
            called = rename_columns(rename_columns(archive.files, needed, clock=time), also or ())
            names = dict(zip(called, archive.files, strict=True))
            chosen = _choose_columns(str(file), archive.files, [*names], needed, also)
            check_size(file, sum(_unpacked_size(archive.zip, names[name]) for name in chosen))
            arrays = {name: np.asarray(archive[names[name]]) for name in chosen}
    except (OSError, ValueError, EOFError, zipfile.BadZipFile, zlib.error, TypeError, MemoryError) as error:
        raise unreadable(file, error) from None
    return *_vectors(file, needed, arrays), names


def _unpacked_size(archive: Any, name: str) -> int:
    """The bytes that an array of an archive takes."""
    sizes = {entry.filename: int(entry.file_size) for entry in archive.infolist()}
    return sizes.get(f"{name}.npy", sizes.get(name, 0))


def check_size(file: Path, count: float) -> None:
    """Raise DataFileError for a file whose numbers take more bytes than `MOST`."""
    if count > MOST:
        raise DataFileError(
            str(file), f"its numbers take {count:.3g} bytes", f"at most {MOST}: leave some out"
        )


def _of_parquet(
    file: Path, needed: Names, also: Names | None, time: str
) -> tuple[Columns, list[str], dict[str, str]]:
    if install := remedy("pyarrow"):
        raise DataFileError(str(file), "pyarrow, which reads .parquet, is not installed", install)
    import pyarrow.parquet as pq

    try:
        with file.open("rb") as stream:
            table = pq.ParquetFile(stream)
            written = table.schema_arrow.names
            names = rename_columns(rename_columns(written, needed, clock=time), also or ())
            chosen = _choose_columns(str(file), written, names, needed, also)
            there = dict(zip(names, written, strict=True))
            check_size(file, 8.0 * table.metadata.num_rows * len(chosen))
            columns = table.read([there[name] for name in chosen])
            arrays = {name: columns[there[name]].to_numpy() for name in chosen}
    except (OSError, ValueError, TypeError, NotImplementedError, MemoryError) as error:
        raise unreadable(file, error) from None
    if time and arrays[time].dtype.kind == "M" and arrays[time].size:
        arrays[time], there[time] = (arrays[time] - arrays[time][0]) / np.timedelta64(1, "s"), SECONDS
    return *_vectors(file, needed, arrays), there


def _vectors(file: Path, needed: Names, arrays: dict[str, NDArray[Any]]) -> tuple[Columns, list[str]]:
    """The arrays as columns, each of them finite numbers, all of one length. Raises DataFileError."""
    first = next(iter(needed))
    length = arrays[first].size
    for name, array in arrays.items():
        place = f"{file}, array {name}"
        if array.ndim != 1 or array.dtype.kind not in "iuf":
            raise DataFileError(place, f"it is {array.dtype} of shape {array.shape}", "a vector of numbers")
        if array.size != length or length == 0:
            expected = f"as many as {first}, {length}" if length else "at least one"
            raise DataFileError(place, f"it has {array.size} numbers", expected)
        check_finite(array, place)
    columns = {name: array.astype(np.float64) for name, array in arrays.items()}
    return columns, [f"{file}, row {row + 1}" for row in range(length)]


def check_finite(array: NDArray[Any], place: str) -> None:
    """Raise DataFileError for a value that is not finite, with its row."""
    for row in np.flatnonzero(~np.isfinite(array))[:1].tolist():
        raise DataFileError(f"{place}, row {row + 1}", f"{array[row]}", "a finite number")


def rename_columns(names: Sequence[str], needed: Names, *, clock: str = "") -> list[str]:
    """The names of columns; one that differs in its unit, in capitals or as a word for time is renamed.

    A column in another unit than `needed` maps its name to keeps its own, but for the one of times, `clock`.
    """
    called = list(names)
    for asked in needed:
        if asked in called:
            continue
        free = {i: name for i, name in enumerate(called) if name not in needed}
        unit = needed[asked] if isinstance(needed, Mapping) else ""
        others = [i for i, name in free.items() if unitless(name, unit) == asked]
        others = others or [
            i for i, name in free.items() if unitless(name, unit).casefold() == asked.casefold()
        ]
        if TIME.fullmatch(asked):  # not in ms
            times = [i for i, name in free.items() if TIME.fullmatch(name)]
            others = [i for i in times if unitless(called[i]) == asked] or times
            if asked == clock and not others:  # its unit is converted
                others = [i for i, name in free.items() if CLOCK.fullmatch(name)]
        if len(others) == 1:
            called[others[0]] = asked
    return called


def unitless(name: str, unit: str = "") -> str:
    """The name of a column without the unit after it, or, if one is given, without that unit only."""
    behind = UNIT.search(name)
    if behind is None or (unit and (behind[1] or behind[2] or "").strip() != unit):
        return name
    return name[: behind.start()]


def _choose_columns(
    place: str, written: Sequence[str], names: list[str], needed: Names, also: Names | None
) -> list[str]:  # fmt: skip
    """The names that are required or optional, and present. Raises DataFileError."""
    columns = (", ".join(written) or "nothing")[:200]
    missing = [name for name in needed if name not in names]
    if missing:
        expected = "columns " + _list_names(needed) + (f" and optionally {_list_names(also)}" if also else "")
        expected += _advise_commas(names) or _advise_time_name(names, missing)
        raise DataFileError(place, columns, expected)
    if isinstance(also, Mapping):
        for name in also:
            alike = [each for each in names if unitless(each).casefold() == name.casefold()]
            if name not in names and alike:
                raise DataFileError(place, f"the column {alike[0]}", _list_names(also))
    others = names if also is None else also
    chosen = [*needed, *(name for name in others if name in names and name not in needed)]
    for name in chosen:
        if names.count(name) > 1:
            raise DataFileError(place, columns, f"the column {name} once")
    return chosen


def _list_names(names: Names) -> str:
    """The names, with their units if they are mapped to units."""
    if not isinstance(names, Mapping):
        return ", ".join(names)
    return ", ".join(f"{name} [{unit}]" if unit else name for name, unit in names.items())


def _advise_commas(names: list[str]) -> str:
    """Advice for a line of names that are separated by another sign than a comma."""
    for sign, word in (("|", "bars"), (" ", "blanks")):
        parts = [part.strip() for part in sign.join(names).split(sign)]
        if len(names) == 1 and len(parts) > 1:
            return f", separated by commas, not by {word}"
    return ""


def _advise_time_name(names: Sequence[str], missing: Sequence[str]) -> str:
    """Advice for a missing column of times, if another column has a similar name."""
    asked = next((name for name in missing if TIME.fullmatch(name)), "")
    other = time_like(names) if asked else ""
    return advise_rename(other, asked) if other else ""


def advise_rename(other: str, asked: str) -> str:
    """Advice for a column of times that has another name."""
    return f"; if `{other}` is that of the time, call it `{asked}`, and let it be in s"


def time_like(names: Sequence[str]) -> str:
    """The first name that others give to a column of times, or an empty string."""
    words = {"t", "time", "times", "sec", "secs", "second", "seconds", "timestamp", "tout", "zeit"}
    return next((name for name in names if re.split(r"[^a-z]+", name.lower())[0] in words), "")
