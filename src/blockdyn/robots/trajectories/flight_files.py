"""Flights are read from files: tables of points over time, missions of autopilots, tables of polynomials."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ...base.checked import checked_numbers
from ...base.data_file import Columns, DataFileError, Names, read_columns
from ...base.files import open_regular
from .flight_path import COLUMNS, DEGREE, FORWARD, TURN, WIDTH, FlightPath
from .motion import Array, TrajectoryError, refusal

_AXES = ("x", "y", "z", "yaw")
_POLYNOMIALS = {"duration": "s"} | {f"{axis}^{k}": "" for axis in _AXES for k in range(DEGREE + 1)}
_POINTS = {"t": "s", "x": "m", "y": "m", "z": "m"}


@checked_numbers(refusal)
def read_waypoints(file: str | PathLike[str], *, z_up: bool = False) -> dict[str, Any]:
    """The points, times and heading of a table with columns t, x, y, z and optionally yaw, in either case.

    Units may follow the names: `x[m]`, `yaw [rad]`; columns in other units are refused, except times.
    They are arguments of `minimum_snap` and MinimumSnap: minimum_snap(**read_waypoints("flight.csv")).
    With `z_up` the file's axes are x forward, y left, z up; y, z and yaw change their signs. s, m, rad.

    The points of a mission, QGroundControl's `.plan` or lines of QGC WPL 110, are north, east and down of
    its start, home, m, by `local_position`. It rises and lands vertically, with stops above these points. Its
    first command sets the speed, or hoverSpeed of a plan; otherwise `minimum_snap` requires it. The nose
    points along the flight, or as in a plan for PX4. A return flies to home at the present height, and
    lands. Commands of cameras, gimbals and servos are ignored.

    Raises TrajectoryError with the file and line, also for other commands of a mission.
    Source: mavlink.io/en/file_formats, mavlink.io/en/messages/common.html (commands and frames).
    """
    if Path(file).suffix.lower() == ".plan" or _is_lines(Path(file)):
        if z_up:
            raise TrajectoryError("z_up", True, "False: a mission has heights above home")
        return _mission(Path(file))
    values = _columns(Path(file), _POINTS, {"yaw": "rad"}, time="t")
    sign = -1.0 if z_up else 1.0
    points = np.column_stack([values["x"], sign * values["y"], sign * values["z"]])
    heading = sign * values["yaw"] if "yaw" in values else 0.0
    return {"points": points, "times": values["t"], "heading": heading}


@checked_numbers(refusal)
def read_flight(file: str | PathLike[str], *, z_up: bool = False, start: float = 0.0) -> FlightPath:
    """The flight from a table of polynomials: duration, x^0 ... x^7, y^0 ..., z^0 ..., yaw^0 ... yaw^7.

    Each row is a piece, with coefficients of the time since its start, as in the files of
    uav_trajectories (Honig et al., IEEE Transactions on Robotics 34(4), 2018) for Crazyflies, which are
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


SEMI_MAJOR, ECCENTRICITY2 = 6378137.0, 6.69437999014e-3  # m; WGS 84
LARGEST = 2**24  # bytes of a mission
WAYPOINT, RETURN, LAND, TAKE_OFF, SPEED, SPLINE = 16, 20, 21, 22, 178, 82  # MAV_CMD
PAYLOAD = {
    *range(181, 185), 197, *range(202, 207), 214, 220, *range(530, 535), 1000, *range(2000, 2004), 2500, 2501
}  # fmt: skip
"""Commands of servos, relays, gimbals and cameras."""
ABOVE_SEA, ABOVE_HOME = (0, 5), (3, 6)  # MAV_FRAME: the reference of an altitude
PX4 = 12  # MAV_AUTOPILOT


@checked_numbers(refusal)
def local_position(positions: Any, home: Any) -> Array:
    """North, east and down of `home`, m, of positions (latitude, longitude, degrees, altitude, m), (n, 3).

        r(lat, lon) = N [cos lat cos lon, cos lat sin lon, (1 - e^2) sin lat]
        N = a / sqrt(1 - e^2 sin^2 lat)
        north = [-sin lat0 cos lon0, -sin lat0 sin lon0, cos lat0] . (r - r0)    down = altitude0 - altitude
        east = [-sin lon0, cos lon0, 0] . (r - r0)

    in the plane that touches the ellipsoid WGS 84, a = 6378137 m and e^2 = 0.00669437999014, at home; heights
    are relative to home, as over a flat Earth.
    Source: NIMA TR8350.2 (2000), sections 3 and 4.
    """
    places = np.atleast_2d(np.asarray(positions, np.float64))
    start = np.asarray(home, np.float64)
    (lat, lon), (lat0, lon0) = np.radians(places[:, :2]).T, np.radians(start[:2])
    offset = _on_ellipsoid(lat, lon) - _on_ellipsoid(lat0, lon0)
    north = np.array([-np.sin(lat0) * np.cos(lon0), -np.sin(lat0) * np.sin(lon0), np.cos(lat0)])
    east = np.array([-np.sin(lon0), np.cos(lon0), 0.0])
    return np.column_stack([offset @ north, offset @ east, start[2] - places[:, 2]])


def _on_ellipsoid(lat: Any, lon: Any) -> Any:
    radius = SEMI_MAJOR / np.sqrt(1.0 - ECCENTRICITY2 * np.sin(lat) ** 2)
    unit = [np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), (1.0 - ECCENTRICITY2) * np.sin(lat)]
    return np.stack([radius * each for each in unit], -1)


def _is_lines(file: Path) -> bool:
    """True if a file holds lines of waypoints, by its suffix or its first words."""
    if file.suffix.lower() == ".waypoints":
        return True
    try:
        with open_regular(file) as stream:
            return stream.read(7) == b"QGC WPL"
    except OSError:
        return False


class _Item(NamedTuple):
    """A command of a mission: its position in the file, number, frame and seven numbers or NaN."""

    place: str
    command: int
    frame: int
    numbers: Sequence[float]


def _mission(file: Path) -> dict[str, Any]:
    """The arguments of `minimum_snap` for a mission. Raises TrajectoryError."""
    try:
        with open_regular(file) as stream:
            content = stream.read(LARGEST + 1)
        if len(content) > LARGEST:
            raise ValueError(f"it has more than {LARGEST} bytes")
        text = content.decode("utf-8-sig")
        plan = json.loads(text) if file.suffix.lower() == ".plan" else None
    except (OSError, ValueError, RecursionError) as error:
        raise TrajectoryError(
            str(file), f"not readable: {error}"[:300], "a mission of QGroundControl"
        ) from None
    home, items, speed, is_px4 = _of_plan(file, plan) if plan is not None else _of_lines(file, text)
    return _route(home, items, speed, is_px4)


def _of_plan(file: Path, plan: Any) -> tuple[Sequence[float], list[_Item], float | None, bool]:
    mission = plan.get("mission") if isinstance(plan, dict) else None
    home = mission.get("plannedHomePosition") if isinstance(mission, dict) else None
    if (
        not isinstance(mission, dict)
        or not isinstance(home, list)
        or not isinstance(mission.get("items"), list)
    ):
        raise TrajectoryError(
            str(file), "another document", "a plan, with mission, plannedHomePosition and items"
        )
    items = [
        _Item(place, _integer(place, item.get("command")), _integer(place, item.get("frame")), numbers)
        for place, item in _simple_items(f"{file}, item", mission["items"])
        for numbers in [_numbers(place, item.get("params"), 7)]
    ]
    speed = mission.get("hoverSpeed")
    return _numbers(f"{file}, plannedHomePosition", home, 3), items, speed, mission.get("firmwareType") == PX4


def _simple_items(place: str, items: Any) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The commands in order, with the commands of surveys."""
    for number, item in enumerate(items if isinstance(items, list) else [None], 1):
        here = f"{place} {number}"
        kind = item.get("type") if isinstance(item, dict) else None
        survey = item.get("TransectStyleComplexItem") if isinstance(item, dict) else None
        if isinstance(item, dict) and kind == "SimpleItem":
            yield here, item
        elif kind == "ComplexItem" and isinstance(survey, dict):
            yield from _simple_items(here, survey.get("Items"))
        else:
            actual = item.get("complexItemType", kind) if isinstance(item, dict) else item
            raise TrajectoryError(here, f"{actual!r:.80}", "a simple item or a survey")


def _of_lines(file: Path, text: str) -> tuple[Sequence[float], list[_Item], float | None, bool]:
    lines = [(number, line.split()) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not lines or lines[0][1][:2] != ["QGC", "WPL"] or lines[0][1][2:] not in (["110"], ["120"]):
        raise TrajectoryError(f"{file}, line 1", repr(text[:40]), "QGC WPL 110")
    items = []
    for number, cells in lines[1:]:
        place = f"{file}, line {number}"
        values = _numbers(place, cells, 12)
        command, frame = (_integer(place, int(v) if v == np.floor(v) else v) for v in (values[3], values[2]))
        items.append(_Item(place, command, frame, values[4:11]))
    if not items or items[0].command != WAYPOINT or items[0].frame not in ABOVE_SEA:
        raise TrajectoryError(str(file), "no home", "the position of home as the first item, in frame 0")
    return items[0].numbers[4:], items[1:], None, False


def _integer(place: str, value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TrajectoryError(place, f"{value!r:.80}", "a whole number, of its command and of its frame")
    return value


def _numbers(place: str, values: Any, count: int) -> list[float]:
    """This count of numbers; `null` is NaN. Raises TrajectoryError."""
    try:
        numbers = [np.nan if value is None else float(value) for value in values]
    except (TypeError, ValueError, OverflowError):
        numbers = []
    if len(numbers) != count:
        raise TrajectoryError(place, f"{values!r:.80}", f"{count} numbers")
    return numbers


def _route(home: Sequence[float], items: Sequence[_Item], speed: Any, is_px4: bool) -> dict[str, Any]:
    """Points, speed, stops and heading of a mission. Raises TrajectoryError."""
    points, yaws, stops = [np.zeros(3)], [np.nan], []
    commanded: list[float] = []

    def fly_to(point: Array, yaw: float = np.nan, *, stop: bool = False) -> None:
        if np.array_equal(point, points[-1]):
            return
        points.append(point)
        yaws.append(yaw)
        if stop:
            stops.append(len(points) - 1)

    for item in items:
        if item.command == SPEED:
            commanded.append(item.numbers[1])
            if item.numbers[1] != commanded[0] or len(points) > 2:
                raise TrajectoryError(
                    f"{item.place}: a change of speed", item.numbers[1], "one speed for the flight"
                )
        elif item.command == RETURN:
            fly_to(np.array([0.0, 0.0, points[-1][2]]), stop=True)
            fly_to(np.zeros(3))
        elif item.command in (WAYPOINT, SPLINE, TAKE_OFF, LAND):
            point = _place(item, home, points[-1])
            if item.command == LAND:
                fly_to(np.array([*point[:2], points[-1][2]]), stop=True)
            elif item.command == TAKE_OFF:
                above = np.array([*points[-1][:2], point[2]])
                fly_to(above, item.numbers[3], stop=True)
                point = point if is_px4 else above  # ArduPilot uses only its height
            elif item.numbers[0] > 0.0:
                raise TrajectoryError(
                    f"{item.place}: the time to hold", item.numbers[0], "0: waypoints are passed"
                )
            fly_to(point, item.numbers[3])
        elif item.command not in PAYLOAD:
            expected = "waypoints, take-off, landing, return, speed, and commands of the payload"
            raise TrajectoryError(f"{item.place}: the command", item.command, expected)
    route: dict[str, Any] = {"points": np.array(points), "stops": [i for i in stops if i < len(points) - 1]}
    chosen = commanded[0] if commanded else speed
    if isinstance(chosen, (int, float)) and chosen > 0.0:
        route["speed"] = float(chosen)
    if is_px4 and np.isfinite(yaws[1:]).any():
        route["heading"] = _headings(route["points"], np.radians(yaws))
    else:
        route["along"] = True
    return route


def _place(item: _Item, home: Sequence[float], before: Array) -> Array:
    """The point of a command, from home; latitude and longitude may be missing. Raises TrajectoryError."""
    lat, lon, altitude = item.numbers[4:]
    if not np.isfinite(altitude) or item.frame not in (*ABOVE_SEA, *ABOVE_HOME):
        actual = f"an altitude of {altitude:g} m in frame {item.frame}"
        raise TrajectoryError(item.place, actual, "a number above home (frame 3) or above the sea (frame 0)")
    height = altitude - (home[2] if item.frame in ABOVE_SEA else 0.0)
    if item.command in (TAKE_OFF, LAND) and (not np.isfinite([lat, lon]).all() or lat == lon == 0.0):
        return np.array([*before[:2], -height])
    if not (abs(lat) <= 90.0 and abs(lon) <= 180.0) or lat == lon == 0.0:
        raise TrajectoryError(
            item.place, f"latitude {lat:g}, longitude {lon:g}", "degrees, up to 90 and 180, not both 0"
        )
    north, east, _ = local_position([lat, lon, 0.0], [*home[:2], 0.0])[0]
    return np.array([north, east, -height])


def _headings(points: Array, yaws: Array) -> Array:
    """The yaw at each point; without one, the direction to the next point, or from the previous one."""
    for i in np.flatnonzero(~np.isfinite(yaws)).tolist():
        step = points[min(i + 1, len(points) - 1)] - points[min(i, len(points) - 2)]
        yaws[i] = np.arctan2(step[1], step[0]) if np.hypot(step[0], step[1]) > 1e-6 else yaws[max(i - 1, 0)]
    return np.where(np.isfinite(yaws), yaws, yaws[np.isfinite(yaws)][0])
