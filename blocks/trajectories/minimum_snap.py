"""MinimumSnap: a flight through points with the least squared snap."""

from __future__ import annotations

from collections.abc import Sequence

from ...robots.trajectories.flight_path import FlightPath
from ...robots.trajectories.least_snap import minimum_snap
from ..contract.parameter import Real, option, parameter
from .flight import _PathFlight


class MinimumSnap(_PathFlight):
    """Through waypoints, `points` in m, z down, with the least squared snap, which torques have to follow.

    Polynomials of degree 7, whose derivatives up to the sixth are continuous at the points between; from rest
    to rest, unless `velocity0` and `velocityf` are given. At the points whose numbers are in `stops`, from 0,
    the vehicle comes to rest, as for a take-off or a landing; a point given twice between stops is a place to
    hover. Give `times`, the instant of each point, or the greatest `speed` of the flight and, if wanted, the
    `acceleration_limit`: each segment has the time of a trapezoid with these limits, or, with `best_times`,
    the part of the whole time that makes the snap least, and all are stretched alike until a limit is met.
    Where both are given the flight is held to its limits.

    The yaw is `heading`, a number or one a point (between them with the least yaw acceleration), or with
    `along` the direction of flight and heading beside it. It is between -pi and pi with `along`, and may jump
    by 2 pi; its rates do not. Before the start and after the end all rests. The times of the points are time
    events. Raises ParameterError for times that do not increase, a segment that exceeds a limit, and points
    of one place without times. Source: Mellinger, Kumar, Minimum snap trajectory generation and control for
    quadrotors, ICRA 2011; Richter, Bry, Roy, ISRR 2013 (Springer 2016).

    Example:
        {type: MinimumSnap, points: [[0, 0, 0], [0, 0, -1], [3, 1, -2]], stops: [1], speed: 2.0}
    """

    icon = "snap"

    points: Real = parameter(unit="m", doc="a row (x, y, z) a point", dimensions=(2,))
    times: Real | None = parameter(default=None, unit="s", doc="the instant of each point", dimensions=(1,))
    speed: Real | None = parameter(default=None, unit="m/s", doc="greatest speed", above=0, dimensions=(0,))
    acceleration_limit: Real | None = parameter(
        default=None, unit="m/s2", doc="greatest acceleration", above=0, dimensions=(0,)
    )
    best_times: bool = option(default=False, doc="share the time so that the snap is least")
    heading: Real = parameter(default=0.0, unit="rad", doc="the yaw, or one a point", dimensions=(0, 1))
    stops: Sequence[int] = option(default=(), doc="numbers of points to rest at")
    velocity0: Real = parameter(
        default=[0.0, 0.0, 0.0], unit="m/s", doc="velocity at the start", dimensions=(1,)
    )
    velocityf: Real = parameter(
        default=[0.0, 0.0, 0.0], unit="m/s", doc="velocity at the end", dimensions=(1,)
    )

    along: bool = option(default=False, doc="look where it flies; heading is added to that")
    start: Real = parameter(default=0.0, unit="s", doc="when it begins", dimensions=(0,))

    def curve(self) -> FlightPath:
        return minimum_snap(
            self.points, times=self.times, speed=self.speed,  # type: ignore[arg-type]
            acceleration_limit=self.acceleration_limit,  # type: ignore[arg-type]
            best_times=self.best_times, heading=self.heading, along=self.along, stops=self.stops,
            velocity0=self.velocity0, velocityf=self.velocityf, start=self.start,  # type: ignore[arg-type]
        )  # fmt: skip
