"""Flights from files: tables of points over time, and tables of polynomials."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from ...base.checked import guarded
from ...base.data_file import Columns, DataFileError, Names, read_columns
from .flight_path import COLUMNS, DEGREE, FORWARD, TURN, WIDTH, FlightPath
from .motion import TrajectoryError, refusal

_AXES = ("x", "y", "z", "yaw")
_POLYNOMIALS = {"duration": "s"} | {f"{axis}^{k}": "" for axis in _AXES for k in range(DEGREE + 1)}
_POINTS = {"t": "s", "x": "m", "y": "m", "z": "m"}


@guarded(refusal)
def read_waypoints(file: str | PathLike[str], *, z_up: bool = False) -> dict[str, Any]:
    """The points, times and heading of a table with the columns t, x, y, z and optionally yaw, in any case.

    Units may follow the names: `x[m]`, `yaw [rad]`; columns in other units are not taken.
    They are arguments of `minimum_snap` and MinimumSnap: minimum_snap(**read_waypoints("flight.csv")).
    With `z_up` the file's axes are x forward, y left, z up; y, z and yaw change their signs. s, m, rad.
    Raises TrajectoryError with the file and line.
    """
    values = _columns(Path(file), _POINTS, {"yaw": "rad"}, time="t")
    sign = -1.0 if z_up else 1.0
    points = np.column_stack([values["x"], sign * values["y"], sign * values["z"]])
    heading = sign * values["yaw"] if "yaw" in values else 0.0
    return {"points": points, "times": values["t"], "heading": heading}


@guarded(refusal)
def read_flight(file: str | PathLike[str], *, z_up: bool = False, start: float = 0.0) -> FlightPath:
    """The flight from a table of polynomials: duration, x^0 ... x^7, y^0 ..., z^0 ..., yaw^0 ... yaw^7.

    Each row is a piece, with coefficients of the time since its beginning, as in the files of
    uav_trajectories (Honig et al., IEEE Transactions on Robotics 34(4), 2018) for Crazyflies; these are
    `z_up`.
    Raises TrajectoryError with the file and line.
    """
    columns = _columns(Path(file), _POLYNOMIALS)
    rows = np.column_stack([columns[name] for name in _POLYNOMIALS])
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


def _columns(file: Path, needed: Names, also: Names = (), time: str = "") -> Columns:
    try:
        return read_columns(file, needed, also, time=time)
    except DataFileError as error:
        raise TrajectoryError(error.place, error.actual, error.expected) from None
