"""DriveArcs: a path of arcs and lines driven in time, forwards and backwards."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from math import atan, inf
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ...robots.wheels.motion import arc_end
from ...robots.wheels.speed_profile import speed_profile
from ...solvers.events.timer import Timer
from ..contract.block import Block
from ..contract.errors import ParameterError
from ..contract.parameter import Array, Real, parameter
from ..contract.port import PLANAR, Port

DRAWN = 33  # points of a segment in a picture
ROWS = "rows of a length, not 0, and a curvature"


class Plan(NamedTuple):
    """The phases and the segments of the path."""

    phases: Array
    segments: Array
    begin: float


def position_at(t: float, mode: int, plan: Plan) -> tuple[int, float, float]:
    """The segment, the position along it, m, and the speed, m/s, both unsigned."""
    phase = plan.phases[mode]
    passed = t - plan.begin - phase[0]
    rate = phase[4]
    return int(phase[1]), phase[2] + (phase[3] + 0.5 * rate * passed) * passed, phase[3] + rate * passed


def bend(mode: int, plan: Plan) -> float:
    """The curvature, 1/m."""
    return plan.segments[int(plan.phases[mode, 1]), 4]  # type: ignore[no-any-return]


class DriveArcs(Block):
    """Speed and steering over time that drive a path of arcs and lines in the shortest time within limits.

        |v| <= speed     |v|^2 |curvature| <= side_acceleration     -braking <= d|v|/dt <= acceleration
        omega = v curvature     gamma = atan(wheelbase curvature)

    `arcs` has a row for each segment: a length, negative if it is driven backwards, and a curvature,
    positive to the left; these are `lengths` and `curvatures` of an ArcPath, such as the result of dubins or
    reeds_shepp. It begins at the pose `start` at the time `begin`, pauses for `pause` at each change of
    direction, and stops at the end. `pose` is the desired pose, for a feedback controller. Every change of
    rate or curvature is a time event. The steering jumps where segments meet.

    Raises ParameterError for segments of length 0, and rows of another size. Source: LaValle, Planning
    Algorithms (2006), section 15.3, for the paths; for the speed see `robots.wheels.speed_profile`.

    Example:
        {type: DriveArcs, arcs: [[3.0, 0.2], [-3.0, -0.2]], speed: 1.0, acceleration: 0.5}
    """

    icon = "arcs"
    outputs: ClassVar = (
        Port("v", 1, "m/s", "speed, negative backwards"),
        Port("gamma", 1, "rad", "steering angle of a bicycle"),
        Port("omega", 1, "rad/s", "rate of turn"),
        Port("pose", 3, "m, m, rad", "desired pose of the vehicle", elements=PLANAR),
        Port("curvature", 1, "1/m", "of the path, to the left"),
        Port("s", 1, "m", "distance driven so far, forwards and backwards"),
    )

    arcs: Real = parameter(unit="m, 1/m", doc="a row per segment: length and curvature", dimensions=(2,))
    start: Real = parameter(
        default=[0.0, 0.0, 0.0],
        unit="m, m, rad",
        doc="pose at which the path begins: x, y, heading",
        dimensions=(1,),
    )
    begin: Real = parameter(default=0.0, unit="s", doc="time at which the path begins", dimensions=(0,))
    speed: Real = parameter(default=1.0, unit="m/s", doc="maximum |v|", above=0, dimensions=(0,))
    acceleration: Real = parameter(
        default=1.0, unit="m/s2", doc="maximum rate of increase of |v|", above=0, dimensions=(0,)
    )
    braking: Real | None = parameter(
        default=None, unit="m/s2", doc="maximum rate of decrease of |v|; default: acceleration", above=0,
        dimensions=(0,),
    )  # fmt: skip
    side_acceleration: Real = parameter(
        default=inf,
        unit="m/s2",
        doc="maximum v^2 |curvature|; default: no limit",
        above=0,
        infinite=True,
        dimensions=(0,),
    )
    pause: Real = parameter(
        default=0.0, unit="s", doc="time at rest where the direction changes", minimum=0, dimensions=(0,)
    )
    wheelbase: Real = parameter(
        default=1.0, unit="m", doc="wheelbase of the bicycle", above=0, dimensions=(0,)
    )

    def check(self) -> None:
        arcs = np.asarray(self.arcs, np.float64)
        if arcs.ndim != 2 or arcs.shape[1] != 2 or not len(arcs):
            raise ParameterError(self.kind(), "arcs", self.arcs, ROWS)
        if not arcs[:, 0].all():
            number = int(np.argmin(np.abs(arcs[:, 0]))) + 1
            raise ParameterError(self.kind(), "arcs", self.arcs, f"{ROWS}; the length of row {number} is 0")
        if np.shape(self.start) != (3,):  # type: ignore[arg-type]
            raise ParameterError(self.kind(), "start", self.start, "three numbers")

    @cached_property
    def _profile(self) -> tuple[Array, float]:
        """The phases of the path, and their total duration, s."""
        lengths, curvatures = np.asarray(self.arcs, np.float64).T
        side = np.asarray(self.side_acceleration, np.float64)
        with np.errstate(divide="ignore"):
            limits = np.minimum(float(self.speed), np.sqrt(side / np.abs(curvatures)))  # type: ignore[arg-type]
        grows = float(self.acceleration)  # type: ignore[arg-type]
        shrinks = grows if self.braking is None else float(self.braking)  # type: ignore[arg-type]
        pause = float(self.pause)  # type: ignore[arg-type]
        return speed_profile(lengths, limits, acceleration=grows, braking=shrinks, pause=pause)

    def constants(self) -> Mapping[str, Any]:
        arcs = np.asarray(self.arcs, np.float64)
        pose, driven, segments = np.asarray(self.start, np.float64), 0.0, []
        for length, curvature in arcs:
            segments.append([*pose, np.sign(length), curvature, driven])
            dx, dy = arc_end(length, 0.0, length * curvature, pose[2])
            pose = pose + np.array([dx, dy, length * curvature])
            driven += abs(length)
        phases, duration = self._profile
        before = [0.0, 0.0, 0.0, 0.0, 0.0]
        after = [duration, len(arcs) - 1.0, abs(arcs[-1, 0]), 0.0, 0.0]
        return {"phases": np.array([before, *phases, after]), "segments": np.array(segments)}

    def timers(self) -> Timer:
        phases, duration = self._profile
        return Timer.at([float(self.begin) + t for t in (*phases[:, 0], duration)])  # type: ignore[arg-type]

    def leads(self) -> Array:
        parts = np.linspace(0.0, 1.0, DRAWN)
        points = []
        for (length, _), (x, y, heading, _, curvature, _) in zip(
            np.asarray(self.arcs, np.float64), self.constants()["segments"]
        ):
            for s in length * parts:
                dx, dy = arc_end(s, 0.0, s * curvature, heading)
                points.append((x + dx, y + dy))
        return np.array(points)

    @staticmethod
    def output_v(t: float, mode: int, plan: Plan) -> float:
        i, _, speed = position_at(t, mode, plan)
        return plan.segments[i, 3] * speed  # type: ignore[no-any-return]

    @staticmethod
    def output_gamma(mode: int, plan: Plan, wheelbase: float) -> float:
        return atan(wheelbase * bend(mode, plan))

    @staticmethod
    def output_omega(t: float, mode: int, plan: Plan) -> float:
        i, _, speed = position_at(t, mode, plan)
        return plan.segments[i, 3] * speed * plan.segments[i, 4]  # type: ignore[no-any-return]

    @staticmethod
    def output_pose(t: float, mode: int, plan: Plan, pose: Array) -> None:
        i, place, _ = position_at(t, mode, plan)
        segment = plan.segments[i]
        s = segment[3] * place
        dx, dy = arc_end(s, 0.0, s * segment[4], segment[2])
        pose[0], pose[1], pose[2] = segment[0] + dx, segment[1] + dy, segment[2] + s * segment[4]

    @staticmethod
    def output_curvature(mode: int, plan: Plan) -> float:
        return bend(mode, plan)

    @staticmethod
    def output_s(t: float, mode: int, plan: Plan) -> float:
        i, place, _ = position_at(t, mode, plan)
        return plan.segments[i, 5] + place  # type: ignore[no-any-return]
