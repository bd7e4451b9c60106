"""Results as CSV: the record as JSON behind `#`, a header with units, then one row for every instant."""

from __future__ import annotations

import csv
import io
from array import array
from collections.abc import Iterable, Iterator
from typing import BinaryIO

import numpy as np

from .columns import Cells, Column, batches, columns, traces_from
from .record import read as read_record
from .record import written
from .result import Result
from .trace import FloatArray

_FIRST = "# blockdyn result"


def write(result: Result, file: BinaryIO) -> None:
    """Write the result; numbers as the shortest text that reads back to the same bits."""
    text = io.TextIOWrapper(file, encoding="utf-8", newline="", write_through=True)
    text.write(f"{_FIRST}, {result.time.size} rows\n")
    text.writelines(f"# {line}\n" for line in written(result, indent=1).splitlines())
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["time [s]", *(_title(column) for column in columns(result))])
    for time, cells in batches(result):
        table.writerows(zip(time.tolist(), *(_texts(part) for part in cells)))
    text.detach()


def read(file: BinaryIO) -> Result:
    """Read what `write` wrote."""
    with io.TextIOWrapper(file, encoding="utf-8", newline="") as text:
        first = text.readline()
        if not first.startswith(_FIRST):
            raise ValueError(f"its first line does not begin with {_FIRST!r}")
        expected = int(first.removeprefix(_FIRST).strip(" ,\nrows"))
        record_lines, header = _record_lines(text)
        record = read_record("\n".join(record_lines))
        width = len(next(csv.reader([header])))
        try:
            time, cells = _parsed(csv.reader(text), width)
        except csv.Error as error:
            raise ValueError(str(error)) from error
    if time.size != expected:
        raise ValueError(f"it has {time.size} rows of {expected}")
    return record.result(traces_from(time, cells, record.headings))


def _title(column: Column) -> str:
    return f"{column.name} [{column.unit}]" if column.unit else column.name


def _texts(cells: Cells) -> Iterable[float | str]:
    values: list[float] = cells.values.tolist()
    if cells.sampled is None:
        return values
    return [value if sampled else "" for value, sampled in zip(values, cells.sampled.tolist())]


def _record_lines(text: Iterable[str]) -> tuple[list[str], str]:
    lines: list[str] = []
    for line in text:
        if not line.startswith("# "):
            return lines, line
        lines.append(line[2:].rstrip("\n"))
    raise ValueError("it ends before its header")


def _parsed(rows: Iterator[list[str]], width: int) -> tuple[FloatArray, list[Cells]]:
    """Time and the other columns; an empty cell is an instant without a sample."""
    numbers = [array("d") for _ in range(width)]
    sampled = [bytearray() for _ in range(width)]
    for row in rows:
        if len(row) != width:
            raise ValueError(f"row {len(numbers[0]) + 1} has {len(row)} cells of {width}")
        for cell, column, known in zip(row, numbers, sampled):
            known.append(cell != "")
            column.append(float(cell) if cell else np.nan)
    if not all(sampled[0]):
        raise ValueError("a row has no time")
    arrays = [np.frombuffer(column, dtype=np.float64) if column else np.empty(0) for column in numbers]
    cells = [
        Cells(values, None if all(known) else np.frombuffer(known, dtype=np.bool_))
        for values, known in zip(arrays[1:], sampled[1:])
    ]
    return arrays[0], cells
