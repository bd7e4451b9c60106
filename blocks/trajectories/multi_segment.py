"""MultiSegment: joints along several points, on lines rounded at the corners."""

from __future__ import annotations

from ...robots.trajectories.motion import Pieces
from ...robots.trajectories.via_points import BLENDS, segments
from ..contract.parameter import Real, option, parameter
from .motion import _JointMotion


class MultiSegment(_JointMotion):
    """Lines at constant speed between points, joined by blends of duration `blend_time` t_a.

        qdd = (v1 - v0) / t_a                 parabolic: constant
        qdd = (v1 - v0) 6 s (1 - s) / t_a     quintic: no jump of the acceleration, s from 0 to 1

    in a blend from line speed v0 to v1; the speed stays between the two. `points` holds a row for each point,
    or a number for each point of a scalar motion; the motion starts at the first one. Give either
    `segment_times`, from point to point, or `speed`, the maximum speed of each joint: the slowest joint
    determines the time of a segment. At inner points the blend lies half before and half after the point's
    time, and passes the point at a distance of 3/32 (v1 - v0) t_a (quintic) or 1/8 (v1 - v0) t_a (parabolic).
    The ends are met exactly, with the rates `qd0` and `qdf`; their blends lie within the motion.

    With `speed`, segments too short for their blends take longer; with `segment_times` they raise
    ParameterError. With blend_time 0 corners are sharp: the velocity jumps, and qdd does not contain the
    unbounded acceleration. Before and after the motion the joints are at rest. Every end of a blend is a time
    event. The times are never rounded to a sample time. Source: Taylor, Planning and execution of straight
    line manipulator trajectories, IBM Journal of Research and Development 23(4), 1979; Craig, Introduction to
    Robotics (2005), section 7.3.

    Example:
        {type: MultiSegment, points: [[0, 0], [1, 0], [1, 2]], speed: 0.5, blend_time: 0.2}
    """

    icon = "waypoints"

    points: Real = parameter(unit="rad or m", doc="a row per point", dimensions=(1, 2))
    speed: Real | None = parameter(
        default=None, unit="rad/s or m/s", doc="highest speed", minimum=0, dimensions=(0, 1)
    )
    segment_times: Real | None = parameter(
        default=None, unit="s", doc="time from each point to the next", minimum=0, dimensions=(0, 1)
    )
    blend_time: Real = parameter(
        default=0.0, unit="s", doc="duration of the blend, or one per point", minimum=0, dimensions=(0, 1)
    )
    start: Real = parameter(default=0.0, unit="s", doc="start of the motion", dimensions=(0,))
    qd0: Real = parameter(default=0.0, unit="rad/s or m/s", doc="velocity at the start", dimensions=(0, 1))
    qdf: Real = parameter(default=0.0, unit="rad/s or m/s", doc="velocity at the end", dimensions=(0, 1))
    blend: str = option(default="quintic", doc="shape of the blends", choices=BLENDS)

    def pieces(self) -> Pieces:
        return segments(
            self.points, speed=self.speed, segment_times=self.segment_times,
            blend_time=self.blend_time, qd0=self.qd0, qdf=self.qdf,
            start=self.start, blend=self.blend,  # type: ignore[arg-type]
        )  # fmt: skip
