"""From one pose to another: along one screw, or on a straight line with a turn about one axis."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from ...base.checked import guarded
from ..lie import checks
from ..lie.kernels.motion import turn_between
from ..lie.kernels.pose import between, log6
from .along import native_along
from .errors import refusal
from .motion import Pieces, instants
from .point_to_point import Method, point_to_point

Array = NDArray[np.float64]

Frame = Literal["world", "body"]
FRAMES: tuple[Frame, ...] = get_args(Frame)


@dataclass(frozen=True)
class Way:
    """The geometry of a motion from a pose T0: kernels' numbers, without time.

    `sense` says how the linear part turns as seen in `axes`: with the body (1), against it (-1) or not (0).
    """

    T0: Array
    way: Array
    axes: Array
    sense: float
    screw: bool


@dataclass(frozen=True)
class PoseValues:
    """A motion of a frame over time: poses (k, 4, 4), twists and accelerations (k, 6), (linear, angular)."""

    time: Array
    T: Array
    twist: Array
    acceleration: Array


def way_between(T0: Any, T1: Any, *, screw: bool, frame: str = "world") -> Way:
    """The way from T0 to T1 along a screw or a line; twists in the axes of `frame`.

    Raises NotPose.
    """
    A, B = checks.pose(T0, "T0"), checks.pose(T1, "T1")
    way = np.empty(6)
    if screw:
        relative = np.empty((4, 4))
        between(A, B, relative)
        log6(relative, way)
    else:
        way[:3] = A[:3, :3].T @ (B[:3, 3] - A[:3, 3])
        way[3:] = turn_between(A, B)
    world = frame == "world"
    axes = np.ascontiguousarray(A[:3, :3]) if world else np.eye(3)
    sense = (1.0 if world else 0.0) if screw else (0.0 if world else -1.0)
    return Way(A, way, axes, sense, screw)


@guarded(refusal)
def scaling(
    duration: float, *, start: float = 0.0, method: Method = "quintic",
    speed: float | None = None, blend_time: float | None = None,
) -> Pieces:  # fmt: skip
    """s from 0 to 1 in time, at rest before and after: the time scaling of a path.

    Raises TrajectoryError.
    """
    return point_to_point(0.0, 1.0, duration, start=start, method=method, speed=speed, blend_time=blend_time)


def _along(way: Way, pieces: Pieces, times: Array) -> PoseValues:
    time = np.atleast_1d(np.ascontiguousarray(times))
    count = time.size
    values = PoseValues(time, np.empty((count, 4, 4)), np.empty((count, 6)), np.empty((count, 6)))
    native_along()(
        way.T0, way.way, way.axes, way.sense, way.screw, pieces.knots, pieces.table[:, 0], pieces.slack, time,
        values.T, values.twist, values.acceleration,
    )  # fmt: skip
    return values


@guarded(refusal)
def screw_motion(
    T0: Any, T1: Any, duration: float, times: Any = 101, *, start: float = 0.0, method: Method = "quintic",
    speed: float | None = None, blend_time: float | None = None, frame: Frame = "world",
) -> PoseValues:  # fmt: skip
    """From T0 to T1 (4, 4) along one screw.

        T = T0 exp(s log(T0^-1 T1)),  s from 0 to 1 by cubic, quintic or trapezoidal scaling in `duration`

    The twist (linear, angular) is the velocity of the origin of T and the angular velocity, in the axes of
    the world or of the body; the acceleration is its rate of change. `times` as in `cubic`. Source: Lynch,
    Park, Modern Robotics (2017), equation 9.6. Raises NotPose, TrajectoryError.
    """
    pieces = scaling(duration, start=start, method=method, speed=speed, blend_time=blend_time)
    way = way_between(T0, T1, screw=True, frame=frame)
    return _along(way, pieces, instants(times, start, start + duration))


@guarded(refusal)
def cartesian_motion(
    T0: Any, T1: Any, duration: float, times: Any = 101, *, start: float = 0.0, method: Method = "quintic",
    speed: float | None = None, blend_time: float | None = None, frame: Frame = "world",
) -> PoseValues:  # fmt: skip
    """From T0 to T1 (4, 4) with the origin on a straight line, turning about one axis (slerp).

        p = p0 + s (p1 - p0),  R = R0 exp(s log(R0^T R1))

    The rest as in `screw_motion`. Source: Lynch, Park, Modern Robotics (2017), equations 9.7, 9.8.
    """
    pieces = scaling(duration, start=start, method=method, speed=speed, blend_time=blend_time)
    way = way_between(T0, T1, screw=False, frame=frame)
    return _along(way, pieces, instants(times, start, start + duration))
