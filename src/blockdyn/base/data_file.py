"""Columns of numbers are read by name from CSV, NPZ or Parquet; nothing is executed."""

from __future__ import annotations

import csv
import re
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .errors import BlockdynError
from .extras import remedy

Columns = dict[str, NDArray[np.float64]]
Names = Sequence[str] | Mapping[str, str]  # of columns, or from them to their units
TIME = re.compile(r"(t|time)(\s*[\[(]\s*s\s*[\])])?", re.IGNORECASE)
"""Names of a column of times, s: they mean the same."""
UNIT = re.compile(r"(?:\s+|(?=[\[(]\s*[^\d\s:\])]))(?:\[([^\]]*)\]|\(((?:[^()]|\([^()]*\))*)\))$")
"""After the name of a column, `speed (rad/s)`, `c (N s2/(rad m))` or `v[m/s]`; `q[0]` is an element."""
TABLE = "a table in CSV with a line of names, .npz with a vector for each name, or .parquet"


class DataFileError(BlockdynError):
    """A data file with missing or unusable content: the place, the content, the content expected."""

    def __init__(self, place: str, actual: str, expected: str) -> None:
        self.place, self.actual, self.expected = place, actual, expected
        super().__init__(f"{place}: {actual}\nexpected: {expected}")


def read_columns(
    file: Path, needed: Names, also: Names | None = (), *, time: str = "",
    increasing: str = "",
) -> Columns:  # fmt: skip
    """The columns `needed`, and of those in `also` (None: of all) the ones there, by name, all of one length.

    A file that ends in .npz holds a vector for each name, .parquet is a table of Apache's format (extra
    `parquet`), any other is CSV in UTF-8 with a line of names; lines that begin with # are comments, but for
    the line of names that `numpy.savetxt` writes so. `t`, `time` and `time (s)` are one name,
    and so are `speed`, `Speed`, `speed (rad/s)` and `speed [rad/s]`; if names are mapped to units, only with
    these units. Other columns may hold anything. The column `time`, or `increasing`, has to increase. Raises
    DataFileError with the file, and the line and column or the row, for a file that cannot be read, a column
    that is missing or there twice, no rows, and a value that is not a finite number.
    """
    read = {".npz": _of_npz, ".parquet": _of_parquet}.get(file.suffix.lower(), _of_csv)
    columns, places = read(file, needed, also)
    ordered = time or increasing
    late = np.flatnonzero(np.diff(columns[ordered]) <= 0.0).tolist() if ordered else ()
    for row in late:
        before, after = columns[ordered][row : row + 2].tolist()
        actual = (
            f"the time {after:.17g} s follows {before:.17g} s"
            if time
            else f"{after:.17g} follows {before:.17g}"
        )
        expected = "increasing times" if time else "increasing numbers"
        raise DataFileError(f"{places[row + 1]}, column {ordered}", actual, expected)
    return columns


def _of_csv(file: Path, needed: Names, also: Names | None) -> tuple[Columns, list[str]]:
    try:
        with file.open(newline="", encoding="utf-8-sig") as text:
            reader = csv.reader(text)
            lines = _without_comments([(reader.line_num, line) for line in reader if line])
    except (OSError, ValueError, csv.Error) as error:
        raise unreadable(file, error) from None
    written = [name.strip() for name in lines[0][1]] if lines else []
    names = rename_columns(rename_columns(written, needed), also or ())
    chosen = _choose_columns(f"{file}, line {lines[0][0] if lines else 1}", written, names, needed, also)
    if len(lines) < 2:
        raise DataFileError(str(file), "there is no row", "a line of names, and a line per row")
    at = {name: names.index(name) for name in chosen}
    rows = []
    for number, line in lines[1:]:
        if len(line) != len(names):
            actual = "there is 1 value" if len(line) == 1 else f"there are {len(line)} values"
            raise DataFileError(f"{file}, line {number}", actual, f"{len(names)}, one per column")
        rows.append([as_number(file, number, name, line[place]) for name, place in at.items()])
    values = np.array(rows, np.float64)
    return dict(zip(at, values.T, strict=True)), [f"{file}, line {number}" for number, _ in lines[1:]]


def _of_npz(file: Path, needed: Names, also: Names | None) -> tuple[Columns, list[str]]:
    try:
        with file.open("rb") as stream, np.load(stream, allow_pickle=False) as archive:
            called = rename_columns(rename_columns(archive.files, needed), also or ())
            names = dict(zip(called, archive.files, strict=True))
            chosen = _choose_columns(str(file), archive.files, [*names], needed, also)
            arrays = {name: np.asarray(archive[names[name]]) for name in chosen}
    except (OSError, ValueError, EOFError, zipfile.BadZipFile, TypeError) as error:
        raise unreadable(file, error) from None
    return _vectors(file, needed, arrays)


def _of_parquet(file: Path, needed: Names, also: Names | None) -> tuple[Columns, list[str]]:
    if install := remedy("pyarrow"):
        raise DataFileError(str(file), "pyarrow, which reads .parquet, is not installed", install)
    import pyarrow.parquet as pq

    try:
        with file.open("rb") as stream:
            table = pq.ParquetFile(stream)
            written = table.schema_arrow.names
            names = rename_columns(rename_columns(written, needed), also or ())
            chosen = _choose_columns(str(file), written, names, needed, also)
            there = dict(zip(names, written, strict=True))
            columns = table.read([there[name] for name in chosen])
            arrays = {name: columns[there[name]].to_numpy() for name in chosen}
    except (OSError, ValueError, TypeError, NotImplementedError) as error:
        raise unreadable(file, error) from None
    return _vectors(file, needed, arrays)


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
        for row in np.flatnonzero(~np.isfinite(array)).tolist():
            raise DataFileError(f"{place}, row {row + 1}", f"{array[row]}", "a finite number")
    columns = {name: array.astype(np.float64) for name, array in arrays.items()}
    return columns, [f"{file}, row {row + 1}" for row in range(length)]


def _without_comments(lines: list[tuple[int, list[str]]]) -> list[tuple[int, list[str]]]:
    """The lines without those that begin with #; the names may stand in the last one before the numbers."""
    comments = [line for line in lines if line[1][0].lstrip().startswith("#")]
    rows = [line for line in lines if not line[1][0].lstrip().startswith("#")]
    before = [line for line in comments if rows and line[0] < rows[0][0]]
    if not before or not all(_is_number(cell) for cell in rows[0][1]):
        return rows
    number, names = before[-1]
    return [(number, [names[0].lstrip().lstrip("#"), *names[1:]]), *rows]


def rename_columns(names: Sequence[str], needed: Names) -> list[str]:
    """The names of columns; one that differs in its unit, in capitals or as a word for time is renamed.

    A column in another unit than `needed` maps its name to keeps its own.
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
    told = (", ".join(written) or "nothing")[:200]
    missing = [name for name in needed if name not in names]
    if missing:
        expected = "columns " + _list_names(needed) + (f" and optionally {_list_names(also)}" if also else "")
        expected += _advise_commas(names) or _advise_time_name(names, missing)
        raise DataFileError(place, told, expected)
    if isinstance(also, Mapping):
        for name in also:
            alike = [each for each in names if unitless(each).casefold() == name.casefold()]
            if name not in names and alike:
                raise DataFileError(place, f"the column {alike[0]}", _list_names(also))
    others = names if also is None else also
    chosen = [*needed, *(name for name in others if name in names and name not in needed)]
    for name in chosen:
        if names.count(name) > 1:
            raise DataFileError(place, told, f"the column {name} once")
    return chosen


def _list_names(names: Names) -> str:
    """The names, with their units if they are mapped to units."""
    if not isinstance(names, Mapping):
        return ", ".join(names)
    return ", ".join(f"{name} [{unit}]" if unit else name for name, unit in names.items())


def _advise_commas(names: list[str]) -> str:
    """Advice for a line of names that are separated by another sign than a comma."""
    for sign, word in ((";", "semicolons"), ("\t", "tabs"), ("|", "bars"), (" ", "blanks")):
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


def as_number(file: Path, line: int, column: str, text: str) -> float:
    """The number of a cell. Raises DataFileError for a gap, and for text that is not a finite number."""
    try:
        value = float(text)
    except ValueError:
        value = np.nan
    if not np.isfinite(value):
        actual = repr(text) if text.strip() else "a gap"
        raise DataFileError(f"{file}, line {line}, column {column}", actual, "a finite number")
    return value


def _is_number(text: str) -> bool:
    try:
        return bool(np.isfinite(float(text)))
    except ValueError:
        return False


def unreadable(file: Path, error: Any, expected: str = TABLE) -> DataFileError:
    """The error for a file that cannot be read, without NumPy's advice to unpickle the file."""
    reason = "not an archive of numbers" if "pickle" in str(error) else error
    return DataFileError(str(file), f"not readable: {reason}", expected)
