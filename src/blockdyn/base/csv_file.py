"""Text tables are read in the forms of other programs: separator, decimal sign, encoding and header."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from .errors import BlockdynError
from .files import read_regular

TABLE = "a table in CSV with a line of names, .npz with a vector for each name, or .parquet"
SEPARATORS = (",", ";", "\t")
COMMENTS = ("#", "%")
HEADER = 100  # lines among which the names are looked for
BELOW = 3  # lines of words below the names, such as units
GAPS = ("na", "n/a", "null", "none", "-")
DATE = re.compile(
    r"(\d{4}-\d\d-\d\d(?:[T ]\d\d(?::?\d\d){0,2})?)(?:[.,](\d{1,9}))?\s*(Z|[+-]\d\d(?::?\d\d)?)?"
)
"""ISO 8601, as `2024-05-01T12:30:00.25Z`; the fraction of a second may have nine digits."""

Line = tuple[int, list[str]]
"""Number and cells of a line."""


class DataFileError(BlockdynError):
    """A data file with missing or unusable content: the place, the content, the content expected."""

    def __init__(self, place: str, actual: str, expected: str) -> None:
        self.place, self.actual, self.expected = place, actual, expected
        super().__init__(f"{place}: {actual}\nexpected: {expected}")


class TextTable(NamedTuple):
    """Rows of cells under names; `line` is the number of the line of names."""

    line: int
    names: list[str]
    rows: list[Line]
    separator: str


def read_text_table(
    file: Path, complete: Callable[[list[str]], bool], header: int = HEADER
) -> TextTable:  # fmt: skip
    """The names and rows of a text; the names are the first ones that are `complete`, else the first line.

    They are among the first lines, `header` of them.
    The text is UTF-8, UTF-16 with its mark, or else Windows-1252. Columns are separated by commas, semicolons
    or tabs. Lines that begin with # or % are comments; the last one before the numbers may hold the names, as
    `numpy.savetxt` writes them. Names may follow other lines, and be followed by a line of units, or by a
    line of names of the second level: `imu` above `x` is `imu.x`. Raises DataFileError.
    """
    try:
        text = _decode(read_regular(file))
        for separator in SEPARATORS:
            head = _lines(text, separator, header)
            names = _names(head, separator, complete)
            if names is not None:
                break
        else:
            separator = ","
            head = _lines(text, separator, header)
            names = (0, head[0][1], 1) if head else (0, [], 0)
        lines = _lines(text, separator, None)
    except (OSError, ValueError, csv.Error) as error:
        raise unreadable(file, error) from None
    place, called, first = names
    line = lines[place][0] if lines else 1
    return TextTable(line, [name.strip() for name in called], lines[first:], separator)


def _decode(content: bytes) -> str:
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return content.decode("utf-16")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        if b"\0" in content:
            raise
        return content.decode("cp1252")


def _lines(text: str, separator: str, most: int | None) -> list[Line]:
    """Lines that are neither empty nor comments; a comment that holds the names comes first."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    lines = list(islice(((reader.line_num, line) for line in reader if line), most))
    comments = [line for line in lines if line[1][0].lstrip().startswith(COMMENTS)]
    rows = [line for line in lines if not line[1][0].lstrip().startswith(COMMENTS)]
    before = [line for line in comments if rows and line[0] < rows[0][0]]
    if not before or not all(is_value(cell, separator) for cell in rows[0][1]):
        return rows
    number, names = before[-1]
    return [(number, [names[0].lstrip().lstrip("".join(COMMENTS)), *names[1:]]), *rows]


def _names(
    lines: list[Line], separator: str, complete: Callable[[list[str]], bool]
) -> tuple[int, list[str], int] | None:
    """The place of the line of names, the names, and the place of the first row; None if none is complete."""
    options = []
    for place, (_, cells) in enumerate(lines):
        names = [name.strip() for name in cells]
        following = [line for _, line in lines[place + 1 :]]
        words = next((i for i, line in enumerate(following) if not _is_words(line, separator)), 0)
        below = (
            following[:words]
            if words <= BELOW and all(len(line) == len(names) for line in following[:words])
            else []
        )
        first = place + 1 + len(below)
        called = [_add_units(names, below[0]), names, _join_levels(names, below[0])] if below else [names]
        options += [(place, each, first) for each in called if complete(each)]
    widths = [option for option in options if len(option[1]) == len(lines[-1][1])]
    return next(iter(widths or options), None)


def _is_words(cells: list[str], separator: str) -> bool:
    """True if a line has words and no value, so that it belongs to the names above it."""
    return any(re.search("[^\\W\\d_]", cell) for cell in cells) and not any(
        is_value(cell, separator) or cell.strip().lower() in GAPS[:-1] for cell in cells
    )


def _add_units(names: list[str], units: list[str]) -> list[str]:
    """The names, each with the unit below it, `speed [m/s]`, if it has none."""
    bare = [unit.strip().strip("[]()").strip() for unit in units]
    return [
        f"{name} [{unit}]" if unit and unit not in GAPS and not name.endswith(("]", ")")) else name
        for name, unit in zip(names, bare, strict=True)
    ]


def _join_levels(upper: list[str], lower: list[str]) -> list[str]:
    """Names of two levels as one, `imu.x`; an empty cell continues the name to its left."""
    names, above = [], ""
    for over, under in zip(upper, lower, strict=True):
        above = over or above
        names.append(".".join(part for part in (above, under.strip()) if part))
    return names


def is_value(text: str, separator: str) -> bool:
    """True if a cell is a finite number or a date."""
    return bool(np.isfinite(_number(text, separator))) or is_date(text)


def is_date(text: str) -> bool:
    """True if a cell is a date by ISO 8601."""
    return DATE.fullmatch(text.strip()) is not None


def _number(text: str, separator: str) -> float:
    """The number of a cell, or NaN; it may have a decimal comma if commas do not separate cells."""
    if separator != "," and text.count(",") == 1 and "." not in text:
        text = text.replace(",", ".")
    try:
        return float(text)
    except ValueError:
        return np.nan


def as_number(file: Path, line: int, column: str, text: str, separator: str = ",") -> float:
    """The number of a cell. Raises DataFileError for a gap, and for text that is not a finite number."""
    value = _number(text, separator)
    if not np.isfinite(value):
        actual = repr(text) if text.strip() else "a gap"
        raise DataFileError(f"{file}, line {line}, column {column}", actual, "a finite number")
    return value


def check_decimal_signs(file: Path, column: str, cells: Sequence[tuple[int, str]]) -> None:
    """Raise DataFileError for a column with decimal commas and decimal points."""
    commas = next((line for line, text in cells if "," in text), 0)
    points = next((line for line, text in cells if "." in text), 0)
    if commas and points:
        place, actual = (
            f"{file}, line {max(commas, points)}, column {column}",
            "a point in some cells, a comma in others",
        )
        raise DataFileError(place, actual, "one decimal sign, and no sign between thousands")


def dates(file: Path, column: str, cells: Sequence[tuple[int, str]]) -> list[float]:
    """Times, s, since the first of some dates. Raises DataFileError."""
    instants: list[tuple[int, bool]] = []
    for line, text in cells:
        place = f"{file}, line {line}, column {column}"
        parts = DATE.fullmatch(text.strip())
        try:
            date = datetime.fromisoformat(parts[1] + (parts[3] or "")) if parts else None
        except ValueError:
            date = None
        if parts is None or date is None:
            raise DataFileError(
                place, repr(text), "a date as in the first row, such as 2024-05-01T12:30:00.25Z"
            )
        zone = date.tzinfo
        if instants and (zone is None) != instants[0][1]:
            raise DataFileError(place, repr(text), "a time zone in all rows or in none")
        since = date.replace(tzinfo=zone or UTC) - datetime(1970, 1, 1, tzinfo=UTC)
        seconds = since.days * 86400 + since.seconds
        instants.append((seconds * 10**9 + int((parts[2] or "").ljust(9, "0")), zone is None))
    return [(instant - instants[0][0]) / 1e9 for instant, _ in instants]


def unreadable(file: Path, error: Any, expected: str = TABLE) -> DataFileError:
    """The error for a file that cannot be read, without NumPy's advice to unpickle the file."""
    reason = "not an archive of numbers" if "pickle" in str(error) else error
    return DataFileError(str(file), f"not readable: {reason or type(error).__name__}", expected)
