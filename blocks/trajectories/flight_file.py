"""FlightFile: a flight that is read from a file."""

from __future__ import annotations

from ...robots.trajectories.flight_files import read_flight, read_waypoints
from ...robots.trajectories.flight_path import FlightPath
from ...robots.trajectories.least_snap import minimum_snap
from ...robots.trajectories.motion import TrajectoryError
from ..contract.errors import ParameterError
from ..contract.parameter import FileLike, Real, option, parameter
from .flight import _PathFlight

CONTENTS = ("points", "polynomials")


class FlightFile(_PathFlight):
    """A flight read from a file, with derivatives up to the snap.

    A table of points has the columns t, x, y, z and optionally yaw, in s, m and rad: the flight is the
    minimum-snap trajectory through all of them at these times, as from MinimumSnap, from rest to rest. It
    passes through every point, so noise in measured points reappears in the derivatives. A table of
    polynomials has the columns duration, x^0 ... x^7, y^0 ... yaw^7, with a row per piece, as Crazyflies use
    them. A mission of QGroundControl, .plan or .waypoints, is flown from home, with x north and y east, at
    its own speed or at `speed`; see `read_waypoints`. `file` is CSV with a header line, .npz with a vector
    for each name, or a mission; in a diagram's file its path is relative to that file. With `z_up` the file's
    axes are x forward, y left, z up. Before the start and after the end everything is at rest. The times of
    the rows are time events. The file is read when the block is made.
    Raises ParameterError, with the file's name and line, for files that cannot be read or have other columns,
    for gaps and values that are not finite numbers, and for times that do not increase.
    Source: Honig et al., IEEE Transactions on Robotics 34(4), 2018, for the polynomials' file.

    Example:
        {type: FlightFile, file: flight.csv}
    """

    icon = "file"

    file: FileLike = option(doc="CSV with a header line, .npz, .plan or .waypoints")
    holds: str = option(default="points", doc="meaning of the rows", choices=CONTENTS)
    z_up: bool = option(default=False, doc="the file's z axis points up, and y left")
    start: Real = parameter(default=0.0, unit="s", doc="added to the file's times", dimensions=(0,))
    speed: Real | None = parameter(
        default=None, unit="m/s", doc="highest speed; default: of the mission", above=0, dimensions=(0,)
    )

    def curve(self) -> FlightPath:
        file, start = str(self.file), float(self.start)  # type: ignore[arg-type]
        try:
            if self.holds == "polynomials":
                return read_flight(file, z_up=self.z_up, start=start)
            table = read_waypoints(file, z_up=self.z_up)
            if "times" in table:
                table["times"] = start + table["times"]
            if self.speed is not None:
                table["speed"] = float(self.speed)  # type: ignore[arg-type]
            return minimum_snap(**table, start=start)
        except TrajectoryError as error:
            reason = f"{error.argument}: {error.actual}"
            raise ParameterError(self.kind(), "file", file, error.expected, reason=reason) from None
