"""A file of scenarios is a table in CSV or Parquet, with a column per path and a row per scenario."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NoReturn

from ....base.extras import remedy
from ....base.location import Location
from ...errors import SweepError
from ..design import Axis
from .explicit import MOST

NAME = "file"  # of the dimension along the rows


def axes_of(file: str, path: Path, at: Location | None) -> tuple[Axis, ...]:
    """One axis for every column; row k of all of them is one scenario.

    Raises SweepError for a file that cannot be read, has no rows, or has two columns of one name.
    """
    kind = path.suffix.lower()
    if kind not in (".csv", ".parquet"):
        _refuse(file, f"its name ends in `{path.suffix}`", "a .csv or .parquet file", at)
    try:
        names, columns = _csv(file, path, at) if kind == ".csv" else _parquet(file, path, at)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        reason = getattr(error, "strerror", None) or str(error)
        _refuse(file, f"it cannot be read: {reason}", "a table of scenarios, next to the diagram", at)
    for i, name in enumerate(names):
        if not name:
            _refuse(file, f"column {i + 1} has no name", "a path at the head of every column", at)
        if name in names[:i]:
            _refuse(file, f"two columns are called `{name}`", "every path once", at)
    if not names or not columns[0]:
        _refuse(file, "it holds no scenarios", "a row of paths, and a row for every scenario", at)
    return tuple(Axis(name, (name,), "values", column, at) for name, column in zip(names, columns))


def _csv(file: str, path: Path, at: Location | None) -> tuple[list[str], list[list[Any]]]:
    with path.open(encoding="utf-8-sig", newline="") as stream:
        reader = csv.reader(stream, strict=True)
        names = [name.strip() for name in next(reader, [])]
        columns: list[list[Any]] = [[] for _ in names]
        for row in reader:
            if not row:
                continue
            line = f"line {reader.line_num}"
            if len(row) != len(names):
                _refuse(file, f"{line} has {len(row)} cells", f"{len(names)}, one per column", at)
            if len(columns[0]) >= MOST:
                _refuse(file, f"it has more than {MOST} rows", "fewer", at)
            for name, column, cell in zip(names, columns, row):
                text = cell.strip()
                if not text:
                    _refuse(file, f"{line}, column `{name}` is empty", "a value in every cell", at)
                column.append(text)
    return names, [_numbers(file, name, column, at) for name, column in zip(names, columns)]


def _numbers(file: str, name: str, texts: list[str], at: Location | None) -> list[Any]:
    """A column as numbers if all of its cells are numbers, otherwise as text."""
    try:
        values = [float(text) for text in texts]
    except ValueError:
        return texts
    _check(file, name, values, at)
    return values


def _parquet(file: str, path: Path, at: Location | None) -> tuple[list[str], list[list[Any]]]:
    if remedy("pyarrow"):
        _refuse(file, "Parquet files need pyarrow", f"a .csv file, or {remedy('pyarrow')}", at)
    import pyarrow
    import pyarrow.parquet

    try:
        table = pyarrow.parquet.read_table(path)
    except (pyarrow.ArrowException, ValueError) as error:
        _refuse(file, f"it is not a Parquet file: {str(error)[:120]}", "a table of scenarios", at)
    if table.num_rows > MOST:
        _refuse(file, f"it has {table.num_rows} rows", f"at most {MOST}", at)
    names, columns = list(table.column_names), [column.to_pylist() for column in table.columns]
    for name, column in zip(names, columns):
        _check(file, name, column, at)
    return names, columns


def _check(file: str, name: str, values: Iterable[Any], at: Location | None) -> None:
    for i, value in enumerate(values):
        if value is None or (isinstance(value, float) and math.isnan(value)):
            cell = "nothing" if value is None else "not a number"
            _refuse(file, f"row {i + 1} of column `{name}` is {cell}", "a value in every cell", at)
        if isinstance(value, (dict, bytes)):
            _refuse(file, f"row {i + 1} of column `{name}` is {type(value).__name__}", "numbers or text", at)


def _refuse(file: str, problem: str, expected: str, at: Location | None) -> NoReturn:
    raise SweepError(f"the file of scenarios `{file}`: {problem}", f"expected: {expected}", location=at)
