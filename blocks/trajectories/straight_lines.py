"""StraightLines: a flight along points on lines, rounded at the corners."""

from __future__ import annotations

from ...robots.trajectories.flight_path import FlightPath
from ...robots.trajectories.lines import straight_lines
from ...robots.trajectories.via_points import BLENDS
from ..contract.parameter import Real, option, parameter
from .flight import _PathFlight


class StraightLines(_PathFlight):
    """A flight on lines between `points`, m, z down, from rest to rest, with a trapezoidal speed profile.

    The vehicle flies a segment at `speed`, or in its time from `segment_times`. Over `blend_time`, one for
    all points or one per point, the velocity changes to the next line's: along a parabola with constant
    acceleration (`parabolic`), or without a jump of the acceleration (`quintic`), as in MultiSegment. The
    jerk jumps at the ends of blends; the snap does not contain these impulses. The yaw is `heading`, or with
    `along` the direction of flight plus heading. Before the start and after the end everything is at rest.
    Every end of a blend is a time event. Raises ParameterError as MultiSegment does.
    Source: Taylor, IBM Journal of Research and Development 23(4), 1979.

    Example:
        {type: StraightLines, points: [[0, 0, -1], [4, 0, -1], [4, 3, -2]], speed: 1.5, blend_time: 0.8}
    """

    icon = "waypoints"

    points: Real = parameter(unit="m", doc="a row (x, y, z) per point", dimensions=(2,))
    speed: Real | None = parameter(
        default=None, unit="m/s", doc="speed on the lines", above=0, dimensions=(0,)
    )
    segment_times: Real | None = parameter(
        default=None, unit="s", doc="time from each point to the next", minimum=0, dimensions=(1,)
    )
    blend_time: Real = parameter(
        default=0.5, unit="s", doc="duration of the blend, or one per point", minimum=0, dimensions=(0, 1)
    )
    blend: str = option(default="quintic", doc="shape of the blends", choices=BLENDS)
    heading: Real = parameter(default=0.0, unit="rad", doc="the yaw", dimensions=(0,))

    along: bool = option(
        default=False, doc="point the nose in the direction of flight; heading is added to it"
    )
    start: Real = parameter(default=0.0, unit="s", doc="start of the flight", dimensions=(0,))

    def curve(self) -> FlightPath:
        return straight_lines(
            self.points, speed=self.speed, segment_times=self.segment_times,  # type: ignore[arg-type]
            blend_time=self.blend_time, blend=self.blend, heading=self.heading, along=self.along,  # type: ignore[arg-type]
            start=self.start,  # type: ignore[arg-type]
        )  # fmt: skip
