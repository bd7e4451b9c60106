"""A speed profile traverses segments with speed limits in the shortest time.

Between two stops the speed rises and falls at its maximum rates and stays below the limit of each segment:
a forward pass bounds it by the acceleration, a backward pass by the braking. Source: Kunz, Stilman,
Time-Optimal Trajectory Generation for Path Following with Bounded Acceleration and Velocity, Robotics:
Science and Systems VIII, 2012, doi:10.15607/RSS.2012.VIII.027, for a scalar speed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ..model.poses import Array


def speed_profile(
    lengths: Array,
    limits: Array,
    *,
    acceleration: float,
    braking: float,
    pause: float = 0.0,
    initial: float = 0.0,
    final: float = 0.0,
) -> tuple[Array, float]:
    """Phases of constant acceleration: rows of time, segment, position in it, speed, rate; and the duration.

    `lengths` (k,), m, are negative for segments driven backwards; the vehicle stops for a `pause`, s, where
    the direction changes. `limits` (k,), m/s, are the maximum speeds, `initial` and `final` the speeds at
    both ends, m/s, reduced if the limits require it.
    """
    rows: list[list[float]] = []
    t = 0.0
    for segments in _runs(lengths):
        if rows and pause > 0.0:
            rows.append([t, float(segments[0]), 0.0, 0.0, 0.0])
            t += pause
        sizes = np.abs(lengths[segments])
        first = initial if segments[0] == 0 else 0.0
        last = final if segments[-1] == len(lengths) - 1 else 0.0
        joints = _joints(sizes, limits[segments], (first, last), acceleration, braking)
        for k, i in enumerate(segments):
            place = 0.0
            for rate, begin, end, length in _phases(
                float(sizes[k]), float(limits[i]), joints[k], joints[k + 1], acceleration, braking
            ):
                rows.append([t, float(i), place, begin, rate])
                place += length
                t += 2.0 * length / (begin + end)
    return np.array(rows), t


def _runs(lengths: Array) -> Iterator[NDArray[np.int64]]:
    """The indices of segments between two changes of direction."""
    turns = np.flatnonzero(np.diff(np.sign(lengths)) != 0.0) + 1
    yield from np.split(np.arange(len(lengths)), turns)


def _joints(
    sizes: Array, limits: Array, ends: tuple[float, float], acceleration: float, braking: float
) -> list[float]:
    """The speeds at which segments meet, and those at both ends."""
    first, last = min(ends[0], float(limits[0])), min(ends[1], float(limits[-1]))
    speeds = [first, *np.minimum(limits[:-1], limits[1:]).tolist(), last]
    for k, size in enumerate(sizes):
        speeds[k + 1] = min(speeds[k + 1], math.sqrt(speeds[k] ** 2 + 2.0 * acceleration * size))
    for k in reversed(range(len(sizes))):
        speeds[k] = min(speeds[k], math.sqrt(speeds[k + 1] ** 2 + 2.0 * braking * sizes[k]))
    return speeds


def _phases(
    size: float, limit: float, begin: float, end: float, acceleration: float, braking: float
) -> Iterator[tuple[float, float, float, float]]:
    """Rate, first and last speed, and length of the phases of one segment."""
    top = (2.0 * acceleration * braking * size + braking * begin**2 + acceleration * end**2) / (
        acceleration + braking
    )
    peak = max(begin, end, min(limit, math.sqrt(top)))
    rise, fall = (peak**2 - begin**2) / (2.0 * acceleration), (peak**2 - end**2) / (2.0 * braking)
    parts = (
        (acceleration, begin, peak, rise),
        (0.0, peak, peak, size - rise - fall),
        (-braking, peak, end, fall),
    )
    yield from (part for part in parts if part[3] > 1e-12 * size)
