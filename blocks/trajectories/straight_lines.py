"""StraightLines: a flight past points on lines, rounded at the corners."""

from __future__ import annotations

from ...robots.trajectories.flight_path import FlightPath
from ...robots.trajectories.lines import straight_lines
from ...robots.trajectories.via_points import BLENDS
from ..contract.parameter import Real, option, parameter
from .flight import _PathFlight


class StraightLines(_PathFlight):
    """On lines between `points`, m, z down, from rest to rest, with a speed that is a trapezoid.

    A segment has the `speed`, or takes its time of `segment_times`. In `blend_time`, all points' or one a
    point, the velocity goes over into that of the next line: over a parabola of constant acceleration
    (`parabolic`), or without a jump of the acceleration (`quintic`), as in MultiSegment. The jerk jumps at
    the ends of blends, which the snap does not tell. The yaw is `heading`, or with `along` the direction of
    flight and heading beside it. Before the start and after the end all rests. Every end of a blend is a time
    event. Raises ParameterError as MultiSegment does.
    Source: Taylor, IBM Journal of Research and Development 23(4), 1979.

    Example:
        {type: StraightLines, points: [[0, 0, -1], [4, 0, -1], [4, 3, -2]], speed: 1.5, blend_time: 0.8}
    """

    icon = "waypoints"

    points: Real = parameter(unit="m", doc="a row (x, y, z) a point", dimensions=(2,))
    speed: Real | None = parameter(default=None, unit="m/s", doc="on the lines", above=0, dimensions=(0,))
    segment_times: Real | None = parameter(
        default=None, unit="s", doc="from each point to the next", minimum=0, dimensions=(1,)
    )
    blend_time: Real = parameter(
        default=0.5, unit="s", doc="duration of the blend, or one a point", minimum=0, dimensions=(0, 1)
    )
    blend: str = option(default="quintic", doc="shape of the blends", choices=BLENDS)
    heading: Real = parameter(default=0.0, unit="rad", doc="the yaw", dimensions=(0,))

    along: bool = option(default=False, doc="look where it flies; heading is added to that")
    start: Real = parameter(default=0.0, unit="s", doc="when it begins", dimensions=(0,))

    def curve(self) -> FlightPath:
        return straight_lines(
            self.points, speed=self.speed, segment_times=self.segment_times,  # type: ignore[arg-type]
            blend_time=self.blend_time, blend=self.blend, heading=self.heading, along=self.along,  # type: ignore[arg-type]
            start=self.start,  # type: ignore[arg-type]
        )  # fmt: skip
