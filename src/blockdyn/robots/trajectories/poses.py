"""Frames move from one pose to another along one screw, or on a line with a rotation about one axis.

A way has six components in axes of the first pose: (linear, angular). Along a screw it is log(T0^-1 T1); on
a line it is the difference of the origins and the rotation vector from the first orientation to the second.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...base.checked import checked_numbers
from ..calls.kernel import machine_code
from ..lie import checks
from ..lie.kernels.angle import sinc, sine_rest, versine
from ..lie.kernels.motion import turn_between
from ..lie.kernels.pose import apply_skew_series, between, last_row, log6
from ..lie.kernels.rotation import square_of_skew
from .motion import Pieces, instants, refusal
from .point_to_point import Method, point_to_point
from .polynomial import acceleration_at, position_at, velocity_at

Array = NDArray[np.float64]


def screw_pose(T0: Array, way: Array, s: float, T: Array) -> None:
    """T = T0 exp(s [way])."""
    w0, w1, w2 = s * way[3], s * way[4], s * way[5]
    t = w0 * w0 + w1 * w1 + w2 * w2
    a = versine(t)
    square_of_skew(sinc(t), a, w0, w1, w2, T)
    T[0, 3], T[1, 3], T[2, 3] = apply_skew_series(
        a, sine_rest(t), w0, w1, w2, s * way[0], s * way[1], s * way[2]
    )
    seen_from(T0, T)


def line_pose(T0: Array, way: Array, s: float, T: Array) -> None:
    """T with the origin p0 + s R0 v and the orientation R0 exp(s [w]), way = (v, w)."""
    w0, w1, w2 = s * way[3], s * way[4], s * way[5]
    t = w0 * w0 + w1 * w1 + w2 * w2
    square_of_skew(sinc(t), versine(t), w0, w1, w2, T)
    T[0, 3], T[1, 3], T[2, 3] = s * way[0], s * way[1], s * way[2]
    seen_from(T0, T)


def seen_from(T0: Array, T: Array) -> None:
    """T becomes T0 T."""
    for j in range(4):
        c0, c1, c2 = T[0, j], T[1, j], T[2, j]
        for i in range(3):
            T[i, j] = T0[i, 0] * c0 + T0[i, 1] * c1 + T0[i, 2] * c2
    for i in range(3):
        T[i, 3] += T0[i, 3]
    last_row(T)


def rotate_way(way: Array, angle: float) -> tuple[float, float, float]:
    """exp(angle [w]) v of a way (v, w)."""
    w0, w1, w2 = angle * way[3], angle * way[4], angle * way[5]
    t = w0 * w0 + w1 * w1 + w2 * w2
    return apply_skew_series(sinc(t), versine(t), w0, w1, w2, way[0], way[1], way[2])


def way_twist(axes: Array, sense: float, way: Array, s: float, sd: float, V: Array) -> None:
    """V = axes (exp(sense s [w]) v, w) ds/dt."""
    u0, u1, u2 = rotate_way(way, sense * s)
    for i in range(3):
        V[i] = sd * (axes[i, 0] * u0 + axes[i, 1] * u1 + axes[i, 2] * u2)
        V[3 + i] = sd * (axes[i, 0] * way[3] + axes[i, 1] * way[4] + axes[i, 2] * way[5])


def way_acceleration(
    axes: Array, sense: float, way: Array, s: float, sd: float, sdd: float, A: Array
) -> None:
    """A = dV/dt of `way_twist`."""
    u0, u1, u2 = rotate_way(way, sense * s)
    k = sense * sd * sd
    a0 = sdd * u0 + k * (way[4] * u2 - way[5] * u1)
    a1 = sdd * u1 + k * (way[5] * u0 - way[3] * u2)
    a2 = sdd * u2 + k * (way[3] * u1 - way[4] * u0)
    for i in range(3):
        A[i] = axes[i, 0] * a0 + axes[i, 1] * a1 + axes[i, 2] * a2
        A[3 + i] = sdd * (axes[i, 0] * way[3] + axes[i, 1] * way[4] + axes[i, 2] * way[5])


TYPES = ("d2", "d1", "d2", "d", "b", "d1", "d2", "d", "d1", "d3", "d2", "d2")


def evaluate_poses(
    T0: Array, way: Array, axes: Array, sense: float, screw: bool, knots: Array, table: Array, slack: float,
    times: Array, T: Array, twist: Array, acceleration: Array,
) -> int:  # fmt: skip
    """Fill T (k, 4, 4), twist and acceleration (k, 6) at the instants `times` (k,).

    The fraction of the way and its rates are polynomials: `knots` and `table` (m, 7) are fields of Pieces,
    and an instant no later than `slack` after the last knot is its end.
    """
    last = knots.size - 1
    for k in range(times.size):
        t = times[k]
        if 0.0 <= t - knots[last] <= slack:
            row, s = last, table[table.shape[0] - 1, 1]
        else:
            row = 0
            while row <= last and knots[row] <= t:
                row += 1
            s = position_at(table, row, t)
        sd = velocity_at(table, row, t)
        if screw:
            screw_pose(T0, way, s, T[k])
        else:
            line_pose(T0, way, s, T[k])
        way_twist(axes, sense, way, s, sd, twist[k])
        way_acceleration(axes, sense, way, s, sd, acceleration_at(table, row, t), acceleration[k])
    return times.size


def native_along() -> Any:
    """The values of a motion as machine code."""
    return machine_code(evaluate_poses, TYPES)


Frame = Literal["world", "body"]
FRAMES: tuple[Frame, ...] = get_args(Frame)


@dataclass(frozen=True)
class PosePath:
    """The geometry of a motion from a pose T0, as arguments of kernels, without time.

    `sense` is the rotation of the linear part in `axes`: with the body (1), opposite to it (-1) or
    none (0).
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


def way_between(T0: object, T1: object, *, screw: bool, frame: str = "world") -> PosePath:
    """The way from T0 to T1 along a screw or a line; twists in the axes of `frame`.

    Raises GroupError.
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
    return PosePath(A, way, axes, sense, screw)


@checked_numbers(refusal)
def scaling(
    duration: float, *, start: float = 0.0, method: Method = "quintic",
    speed: float | None = None, blend_time: float | None = None,
) -> Pieces:  # fmt: skip
    """The time scaling of a path: s from 0 to 1, at rest before and after.

    Raises TrajectoryError.
    """
    return point_to_point(0.0, 1.0, duration, start=start, method=method, speed=speed, blend_time=blend_time)


def _evaluate(way: PosePath, pieces: Pieces, times: Array) -> PoseValues:
    time = np.atleast_1d(np.ascontiguousarray(times))
    count = time.size
    values = PoseValues(time, np.empty((count, 4, 4)), np.empty((count, 6)), np.empty((count, 6)))
    native_along()(
        way.T0, way.way, way.axes, way.sense, way.screw, pieces.knots, pieces.table[:, 0], pieces.slack, time,
        values.T, values.twist, values.acceleration,
    )  # fmt: skip
    return values


@checked_numbers(refusal)
def screw_motion(
    T0: ArrayLike,
    T1: ArrayLike,
    duration: float,
    times: ArrayLike = 101,
    *,
    start: float = 0.0,
    method: Method = "quintic",
    speed: float | None = None,
    blend_time: float | None = None,
    frame: Frame = "world",
) -> PoseValues:
    """Motion from T0 to T1 (4, 4) along one screw.

        T = T0 exp(s log(T0^-1 T1)),  s from 0 to 1 by cubic, quintic or trapezoidal scaling in `duration`

    The twist (linear, angular) is the velocity of the origin of T and the angular velocity, in the axes of
    the world or of the body; the acceleration is its rate of change. `times` as in `cubic`. Source: Lynch,
    Park, Modern Robotics (2017), equation 9.6. Raises GroupError, TrajectoryError.
    """
    pieces = scaling(duration, start=start, method=method, speed=speed, blend_time=blend_time)
    way = way_between(T0, T1, screw=True, frame=frame)
    return _evaluate(way, pieces, instants(times, start, start + duration))


@checked_numbers(refusal)
def cartesian_motion(
    T0: ArrayLike,
    T1: ArrayLike,
    duration: float,
    times: ArrayLike = 101,
    *,
    start: float = 0.0,
    method: Method = "quintic",
    speed: float | None = None,
    blend_time: float | None = None,
    frame: Frame = "world",
) -> PoseValues:
    """Motion from T0 to T1 (4, 4) with the origin on a line and a rotation about one axis (slerp).

        p = p0 + s (p1 - p0),  R = R0 exp(s log(R0^T R1))

    Other arguments are as in `screw_motion`. Source: Lynch, Park, Modern Robotics (2017), equations 9.7, 9.8.
    """
    pieces = scaling(duration, start=start, method=method, speed=speed, blend_time=blend_time)
    way = way_between(T0, T1, screw=False, frame=frame)
    return _evaluate(way, pieces, instants(times, start, start + duration))
