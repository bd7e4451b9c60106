"""MinimumSnap: a flight through points with minimum squared snap."""

from __future__ import annotations

from collections.abc import Sequence

from ...robots.trajectories.flight_path import FlightPath
from ...robots.trajectories.least_snap import minimum_snap
from ..contract.parameter import Real, option, parameter
from .flight import _PathFlight


class MinimumSnap(_PathFlight):
    """A flight through waypoints, `points` in m, z down, with minimum squared snap and thus small torques.

    It consists of polynomials of degree 7, whose derivatives up to the sixth are continuous at inner
    points; it goes from rest to rest, unless you give `velocity0` and `velocityf`. At the points whose
    indices, from 0, are in `stops`, the vehicle stops, as for a take-off or a landing; a point given twice
    between stops is a place to hover. Give either `times`, the instant of each point, or the highest `speed`
    of the flight and optionally `acceleration_limit`. In the second case each segment takes the time of a
    trapezoid with these limits, or the share of the total time that minimises the snap, and all segments are
    stretched by the same factor until a limit is reached. The block flies the faster of these two flights, or
    with `best_times` always the second; `block.duration` is its duration, in s. If you give both times and
    speed, the flight must stay within the limits.

    The yaw is `heading`, one number or one per point (in between with minimum yaw acceleration and by at most
    half a turn from point to point), or with `along` the direction of flight plus heading. With `along` it
    lies between -pi and pi, and may jump by 2 pi; its rates do not jump. Before the start and after the end
    everything is at rest. The times of the points are time events. Raises ParameterError for times that do
    not increase, for a segment that exceeds a limit, and for coinciding points without times.
    Source: Mellinger, Kumar, Minimum snap trajectory generation and control for quadrotors, ICRA 2011;
    Richter, Bry, Roy, ISRR 2013 (Springer 2016).

    Example:
        {type: MinimumSnap, points: [[0, 0, 0], [0, 0, -1], [3, 1, -2]], stops: [1], speed: 2.0}
    """

    icon = "snap"

    points: Real = parameter(unit="m", doc="a row (x, y, z) per point", dimensions=(2,))
    times: Real | None = parameter(default=None, unit="s", doc="the instant of each point", dimensions=(1,))
    speed: Real | None = parameter(default=None, unit="m/s", doc="highest speed", above=0, dimensions=(0,))
    acceleration_limit: Real | None = parameter(
        default=None, unit="m/s2", doc="highest acceleration", above=0, dimensions=(0,)
    )
    best_times: bool = option(default=False, doc="divide the time so that the snap is minimal")
    heading: Real = parameter(default=0.0, unit="rad", doc="the yaw, or one per point", dimensions=(0, 1))
    stops: Sequence[int] = option(default=(), doc="indices of the points to rest at")
    velocity0: Real = parameter(
        default=[0.0, 0.0, 0.0], unit="m/s", doc="velocity at the start", dimensions=(1,)
    )
    velocityf: Real = parameter(
        default=[0.0, 0.0, 0.0], unit="m/s", doc="velocity at the end", dimensions=(1,)
    )

    along: bool = option(
        default=False, doc="point the nose in the direction of flight; heading is added to it"
    )
    start: Real = parameter(default=0.0, unit="s", doc="start of the flight", dimensions=(0,))

    def curve(self) -> FlightPath:
        return minimum_snap(
            self.points, times=self.times, speed=self.speed,  # type: ignore[arg-type]
            acceleration_limit=self.acceleration_limit,  # type: ignore[arg-type]
            best_times=self.best_times, heading=self.heading, along=self.along, stops=self.stops,
            velocity0=self.velocity0, velocityf=self.velocityf, start=self.start,  # type: ignore[arg-type]
        )  # fmt: skip
