"""Flights from files: tables of points over time, and tables of polynomials."""

from __future__ import annotations

import csv
from math import isfinite
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.checked import guarded
from .errors import TrajectoryError, refusal
from .flight_path import COLUMNS, DEGREE, FORWARD, TURN, WIDTH, FlightPath

Array = NDArray[np.float64]

_AXES = ("x", "y", "z", "yaw")
_POLYNOMIALS = ("duration", *(f"{axis}^{k}" for axis in _AXES for k in range(DEGREE + 1)))


@guarded(refusal)
def read_waypoints(file: str | PathLike[str], *, z_up: bool = False) -> dict[str, Any]:
    """The points, times and heading of a table with the columns t, x, y, z and, if it has it, yaw.

    They are what `minimum_snap` and the block MinimumSnap take: minimum_snap(**read_waypoints("flight.csv")).
    With `z_up` the file's axes are x forward, y left, z up; y, z and yaw change their signs. s, m, rad.
    Raises TrajectoryError with the file and line.
    """
    columns, rows = _table(Path(file))
    missing = [name for name in ("t", "x", "y", "z") if name not in columns]
    if missing:
        raise TrajectoryError(f"{file}, line 1", ", ".join(columns), "columns t, x, y, z and, if wanted, yaw")
    values = {name: rows[:, columns.index(name)] for name in ("t", *_AXES) if name in columns}
    sign = -1.0 if z_up else 1.0
    points = np.column_stack([values["x"], sign * values["y"], sign * values["z"]])
    heading = sign * values["yaw"] if "yaw" in values else 0.0
    return {"points": points, "times": values["t"], "heading": heading}


@guarded(refusal)
def read_flight(file: str | PathLike[str], *, z_up: bool = False, start: float = 0.0) -> FlightPath:
    """The flight of a table of polynomials: duration, x^0 ... x^7, y^0 ..., z^0 ..., yaw^0 ... yaw^7.

    A row is a piece, with the coefficients in the time since it began, as the files of uav_trajectories
    (Honig et al., IEEE Transactions on Robotics 34(4), 2018) that Crazyflies fly have them; these are `z_up`.
    Raises TrajectoryError with the file and line.
    """
    columns, rows = _table(Path(file))
    if tuple(columns) != _POLYNOMIALS:
        raise TrajectoryError(f"{file}, line 1", ", ".join(columns), "columns " + ", ".join(_POLYNOMIALS))
    for i in np.flatnonzero(rows[:, 0] <= 0.0).tolist():
        raise TrajectoryError(f"{file}, row {i + 1}", rows[i, 0], "a duration greater than 0 s")
    knots = start + np.concatenate([[0.0], np.cumsum(rows[:, 0])])
    coefficients = rows[:, 1:].reshape(-1, len(_AXES), DEGREE + 1)
    if z_up:
        coefficients = coefficients * np.array([1.0, -1.0, -1.0, -1.0])[:, np.newaxis]
    table = np.zeros((len(knots) + 1, COLUMNS, WIDTH))
    table[1:-1, :, 0] = knots[:-1, np.newaxis]
    table[1:-1, : TURN + 1, 1:] = coefficients
    table[:, FORWARD, 1] = 1.0
    table[0, : TURN + 1, 1] = coefficients[0, :, 0]
    table[-1, : TURN + 1, 1] = coefficients[-1] @ rows[-1, 0] ** np.arange(DEGREE + 1)
    return FlightPath(knots, table)


def _table(file: Path) -> tuple[list[str], Array]:
    try:
        with file.open(newline="", encoding="utf-8") as text:
            lines = list(csv.reader(text))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise TrajectoryError(str(file), f"not readable: {error}", "a table in CSV") from None
    if len(lines) < 2:
        raise TrajectoryError(str(file), f"{len(lines)} lines", "a line of names and a line a row")
    columns = [name.strip() for name in lines[0]]
    rows = []
    for number, line in enumerate(lines[1:], 2):
        if not line:
            continue
        if len(line) != len(columns):
            expected = f"{len(columns)}, one a column"
            raise TrajectoryError(f"{file}, line {number}", f"{len(line)} values", expected)
        rows.append([_number(file, number, name, text) for name, text in zip(columns, line, strict=True)])
    return columns, np.array(rows, np.float64).reshape(-1, len(columns))


def _number(file: Path, line: int, column: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = np.nan
    if not isfinite(value):
        raise TrajectoryError(f"{file}, line {line}, column {column}", repr(text), "a finite number")
    return value
