"""Results as CSV: the record as JSON after `#`, a header with units, then one row for every instant."""

from __future__ import annotations

import csv
import io
import itertools
from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import BinaryIO

import numpy as np

from .columns import Cells, Column, batches, columns, make_columns, traces_from
from .record import Heading, read as read_record, write_record
from .result import Result
from .trace import FloatArray

_FIRST = "# blockdyn result"
_HINT = '# read it with blockdyn.load_result(FILE), or its table with pandas.read_csv(FILE, comment="#")\n'
_STREAMED = ", its record after its rows\n"
_CELL = 26  # bytes of a number and its comma, at most


def write(result: Result, file: BinaryIO) -> None:
    """Write the result; numbers as the shortest text that reads back to the same bits."""
    text = io.TextIOWrapper(file, encoding="utf-8", newline="", write_through=True)
    text.write(f"{_FIRST}, {result.time.size} rows\n{_HINT}")
    text.writelines(f"# {line}\n" for line in write_record(result, indent=1).splitlines())
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["time (s)", *(_title(column) for column in columns(result))])
    for time, cells in batches(result):
        table.writerows(zip(time.tolist(), *(_texts(part) for part in cells)))
    text.detach()


def read(file: BinaryIO) -> Result:
    """Read a file that `write` wrote."""
    if file.seek(0, io.SEEK_END):
        file.seek(-1, io.SEEK_END)
        if file.read(1) != b"\n":
            raise ValueError("its last line does not end: characters of its last number may be lost")
    file.seek(0)
    with io.TextIOWrapper(file, encoding="utf-8", newline="") as text:
        first = text.readline()
        if not first.startswith(_FIRST):
            raise ValueError(f"its first line does not begin with {_FIRST!r}")
        streamed = first.removeprefix(_FIRST) == _STREAMED
        line = text.readline()
        line = text.readline() if line == _HINT else line  # files of earlier versions have none
        lines, header = ([], line) if streamed else _record_lines(itertools.chain([line], text))
        width = len(next(csv.reader([header])))
        try:
            time, cells = _parse_rows(csv.reader(_before_record(text, lines) if streamed else text), width)
        except csv.Error as error:
            raise ValueError(str(error)) from error
        if streamed:
            first = lines.pop() if lines else ""
        expected = int(first.removeprefix(_FIRST).strip(" ,\nrows"))
        record = read_record("\n".join(lines))
    if time.size != expected:
        raise ValueError(f"it has {time.size} rows of {expected}")
    return record.result(traces_from(time, cells, record.headings))


class Table:
    """A table written in chunks; its record follows the rows."""

    def __init__(self, file: BinaryIO, signals: Sequence[Heading], states: Sequence[Heading]) -> None:
        self._file = file
        columns = make_columns(signals, states)
        self._width = 1 + len(columns)
        file.write((_FIRST + _STREAMED + _HINT).encode())
        self._rows([["time (s)", *(_title(column) for column in columns)]])

    def bound(self, rows: int) -> int:
        """The maximum number of bytes of this number of rows."""
        return _CELL * self._width * rows

    def write(self, block: FloatArray) -> None:
        """Append rows: time, then one cell per element."""
        self._rows(block.tolist())

    def close(self, record: str, rows: int) -> None:
        """Write the record, and the number of rows."""
        self._file.write(f"# {record}\n# {rows} rows\n".encode())

    def _rows(self, rows: Iterable[Iterable[object]]) -> None:
        text = io.StringIO(newline="")
        csv.writer(text, lineterminator="\n").writerows(rows)
        self._file.write(text.getvalue().encode())


def _before_record(text: Iterable[str], record: list[str]) -> Iterator[str]:
    """The lines of the table; the lines of the record after it go into `record`."""
    for line in text:
        if line.startswith("# "):
            record.append(line[2:].rstrip("\n"))
        else:
            yield line


def _title(column: Column) -> str:
    return f"{column.name} ({column.unit})" if column.unit else column.name


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


def _parse_rows(rows: Iterator[list[str]], width: int) -> tuple[FloatArray, list[Cells]]:
    """Time and the other columns; an empty cell is an instant without a sample."""
    numbers = [array("d") for _ in range(width)]
    sampled = [bytearray() for _ in range(width)]
    for row in rows:
        if len(row) != width:
            raise ValueError(f"row {len(numbers[0]) + 1} has {len(row)} cells of {width}")
        for cell, column, present in zip(row, numbers, sampled):
            present.append(cell != "")
            column.append(float(cell) if cell else np.nan)
    if not all(sampled[0]):
        raise ValueError("a row has no time")
    arrays = [np.frombuffer(column, dtype=np.float64) if column else np.empty(0) for column in numbers]
    cells = [
        Cells(values, None if all(present) else np.frombuffer(present, dtype=np.bool_))
        for values, present in zip(arrays[1:], sampled[1:])
    ]
    return arrays[0], cells
