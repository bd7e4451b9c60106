"""Read a table over two or more axes from CSV or NPZ; nothing in the file is executed."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...base.csv_file import DataFileError, as_number, is_value, read_text_table, unreadable

Grid = tuple[list[NDArray[np.float64]], NDArray[np.float64]]
"""The breakpoints of every axis, and the table."""

GRID = "a table in CSV, or an .npz file with arrays x0, x1, ... and table"


def read_grid(file: Path, axes: int) -> Grid:
    """A table over this number of axes.

    .npz   arrays `x0`, `x1`, ... of breakpoints, and `table`
    other  CSV of two axes: after its first cell, which may hold anything, the first line has the breakpoints
           of the second axis; each line below has one of the first axis, then its row of the table

    Raises DataFileError with the file, and the line and column or the array, for a value or array that cannot
    be read, is missing, is not finite, or does not fit.
    """
    if file.suffix.lower() == ".npz":
        return _of_npz(file, axes)
    if axes != 2:
        raise DataFileError(str(file), f"a table of {axes} axes", "an .npz file (CSV holds two axes)")
    return _of_csv(file)


def _of_npz(file: Path, axes: int) -> Grid:
    names = [*(f"x{i}" for i in range(axes)), "table"]
    try:
        with file.open("rb") as stream, np.load(stream, allow_pickle=False) as archive:
            there = list(archive.files)
            missing = [name for name in names if name not in there]
            arrays = {name: np.asarray(archive[name]) for name in names if name in there}
    except (OSError, ValueError, EOFError, zipfile.BadZipFile, TypeError) as error:
        raise unreadable(file, error, GRID) from None
    if missing:
        raise DataFileError(str(file), ", ".join(there)[:200] or "nothing", f"arrays {', '.join(names)}")
    for name, array in arrays.items():
        dimensions = axes if name == "table" else 1
        place = f"{file}, array {name}"
        if array.ndim != dimensions or array.dtype.kind not in "iuf":
            expected = f"numbers of {dimensions} dimension{'s' * (dimensions > 1)}"
            raise DataFileError(place, f"it is {array.dtype} of shape {array.shape}", expected)
        for bad in np.argwhere(~np.isfinite(array)).tolist():
            raise DataFileError(f"{place}, element {bad}", str(array[tuple(bad)]), "a finite number")
    points = [arrays[name].astype(np.float64) for name in names[:-1]]
    shape = tuple(axis.size for axis in points)
    if arrays["table"].shape != shape:
        raise DataFileError(f"{file}, array table", f"its shape is {arrays['table'].shape}", f"{shape}")
    return points, arrays["table"].astype(np.float64)


def _of_csv(file: Path) -> Grid:
    table = read_text_table(
        file, lambda cells: len(cells) > 1 and all(is_value(c, ";") for c in cells[1:]), 1
    )
    lines = [(table.line, table.names), *table.rows] if table.names else []
    if len(lines) < 2 or len(lines[0][1]) < 2:
        actual = f"{len(lines)} lines, of {len(lines[0][1]) if lines else 0} cells the first"
        raise DataFileError(
            str(file), actual, "a line of breakpoints, and a row for each below, separated by commas"
        )
    width = len(lines[0][1])
    rows: list[list[float]] = []
    for number, line in lines:
        if len(line) != width:
            raise DataFileError(
                f"{file}, line {number}", f"there are {len(line)} cells", f"{width}, as above"
            )
        first = 1 if not rows else 0
        cells = [as_number(file, number, str(k + 1), line[k], table.separator) for k in range(first, width)]
        rows.append([0.0] * first + cells)
    grid = np.array(rows, np.float64)
    return [grid[1:, 0], grid[0, 1:]], grid[1:, 1:]
