"""A flight passes points on straight lines with rounded corners, and may face the direction of flight."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...base.checked import checked_numbers
from .flight_path import COLUMNS, FORWARD, RIGHT, TURN, WIDTH, FlightPath
from .motion import TrajectoryError, numbers, refusal
from .via_points import Blend, segments

Array = NDArray[np.float64]

NOTHING = 1e-9  # of the largest coefficient: smaller ones are rounding


@checked_numbers(refusal)
def straight_lines(
    points: Any, *, speed: float | None = None, segment_times: Any = None, blend_time: Any = 0.5,
    blend: Blend = "quintic", heading: float = 0.0, along: bool = False, start: float = 0.0,
) -> FlightPath:  # fmt: skip
    """Lines between points (N, 3), m, z down, at constant speed, from rest to rest.

    Give `speed`, m/s, which is reached on each segment unless the blends at its ends take longer, or
    `segment_times` (N - 1), s. `blend_time`, s, for all points or one per point, is the time to turn into the
    next line, or to start and stop; polynomials and distances from the points are as in `via_points`. The
    yaw is `heading`, rad, or with `along` the direction of flight plus heading. The jerk of a quintic blend
    and the acceleration of a parabolic one jump at its ends, which the snap does not show.
    Raises TrajectoryError.
    """
    P = numbers("points", points)
    if P.ndim != 2 or P.shape[1] != 3 or len(P) < 2:
        raise TrajectoryError("points", f"of shape {P.shape}", "a row (x, y, z) a point, at least 2 points")
    if speed is not None and segment_times is None:
        segment_times = _segment_times(P, speed, blend_time)
        speed = None
    pieces = segments(
        P, speed=speed, segment_times=segment_times, blend_time=blend_time, start=start, blend=blend
    )
    knots, count = pieces.knots, len(pieces.knots)
    table = np.zeros((len(pieces.table), COLUMNS, WIDTH))
    table[:, :3, : pieces.table.shape[2]] = pieces.table
    table[1:, 3:, 0] = pieces.table[1:, :1, 0]
    table[:, TURN, 1], table[:, FORWARD, 1] = heading, 1.0
    if along:
        durations = np.diff(knots)
        pointing = directions(table[1:count, :2, 1:], durations)
        table[1:count, FORWARD : RIGHT + 1, 1:] = pointing
        table[0, FORWARD : RIGHT + 1, 1] = ends(pointing[0], float(durations[0]))[0]
        table[count:, FORWARD : RIGHT + 1, 1] = ends(pointing[-1], float(durations[-1]))[1]
    return FlightPath(knots, table)


def _segment_times(P: Array, speed: float, blend_time: ArrayLike) -> Array:
    if not speed > 0.0:
        raise TrajectoryError("speed", speed, "greater than zero")
    blends = numbers("blend_time", blend_time)
    if blends.shape not in ((), (len(P),)):
        raise TrajectoryError("blend_time", blends.tolist(), f"a number, or {len(P)} numbers, one per point")
    a = np.array(np.broadcast_to(blends, (len(P),)))
    lengths = np.linalg.norm(np.diff(P, axis=0), axis=1)
    times, need = lengths / speed, 0.5 * (a[:-1] + a[1:])
    for end, blend in ((0, a[0]), (-1, a[-1])):
        times[end] += 0.5 * blend
        need[end] += 0.5 * blend
    return np.asarray(np.maximum(times, need))


def directions(xy: Array, durations: Array) -> Array:
    """Polynomials (m, 2, n) that point along the horizontal velocity of the pieces `xy` (m, 2, n).

    If a piece begins or ends at rest, the velocity is a power of the time from there times a polynomial
    that is nonzero there, which gives the direction. A piece without horizontal motion keeps the direction
    of the previous piece, or initially the first direction of motion; without any motion, +x.
    """
    result = np.zeros_like(xy)
    result[:, 0, 0] = 1.0
    last: Array | None = None
    waiting: list[int] = []
    for i, (piece, T) in enumerate(zip(xy, durations.tolist(), strict=True)):
        pointing = _pointing(piece, T)
        if pointing is not None:
            result[i] = pointing
            last = ends(pointing, T)[1]
            for j in waiting:
                result[j, :, 0] = ends(pointing, T)[0]
            waiting = []
        elif last is not None:
            result[i, :, 0] = last
        else:
            waiting.append(i)
    return result


def ends(pointing: Array, T: float) -> tuple[Array, Array]:
    """The unit vectors (2,) with which a piece begins and ends."""
    first = pointing[:, 0]
    last = pointing @ T ** np.arange(pointing.shape[1])
    return first / np.linalg.norm(first), last / np.linalg.norm(last)


def _pointing(piece: Array, T: float) -> Array | None:
    n = piece.shape[1]
    velocity = piece[:, 1:] * np.arange(1, n) * T ** np.arange(n - 1)  # by the fraction of the piece
    small = NOTHING * float(np.max(abs(velocity)))
    if small == 0.0 or small < NOTHING * 1e-12 * float(np.max(abs(piece[:, 0]), initial=0.0)):
        return None
    while np.all(abs(velocity[:, 0]) <= small):
        velocity = velocity[:, 1:]
    sign = 1.0
    while velocity.shape[1] > 1 and np.all(abs(velocity.sum(axis=1)) <= small):
        # divided by s - 1, from the highest power; s - 1 is negative before the end
        velocity = np.cumsum(velocity[:, ::-1], axis=1)[:, ::-1][:, 1:]
        sign = -sign
    result = np.zeros((2, n))
    result[:, : velocity.shape[1]] = sign * velocity / T ** np.arange(velocity.shape[1])
    return result
