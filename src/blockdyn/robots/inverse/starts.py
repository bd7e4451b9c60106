"""Starts of searches: points spread evenly over the joint space, the same ones on every machine."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ..model.robot import Robot
from ..model.table import LOWER, PRISMATIC, UPPER

Array = NDArray[np.float64]
METRE = 1.0  # the range searched of a slide without limits, m
BOUNDLESS = 100.0  # rad or m: wider limits, such as -999999 and 999999 in files, stand for none


@lru_cache(maxsize=256)
def starts(robot: Robot, count: int, seed: int, limited: bool) -> Array:
    """`count` points of the joint space, (count, n): a Latin hypercube from a counter-based generator.

    Each coordinate has one point in each of `count` equal parts of its range.
    Source: McKay, Beckman, Conover, Technometrics 21(2), 1979, 239-245.
    """
    low, high = ranges(robot, limited)
    raw = np.random.Philox(key=seed).random_raw(2 * count * robot.n)
    order, inside = (raw >> np.uint64(11)).astype(np.float64).reshape(2, count, robot.n) * 2.0**-53
    share = (np.argsort(order, axis=0) + inside) / max(count, 1)
    points = np.ascontiguousarray(low + (high - low) * share)
    points.flags.writeable = False
    return points


@lru_cache(maxsize=256)
def middle(robot: Robot) -> Array:
    """The middle of the joint limits, (n,); without limits 0 or the coordinate next to it."""
    low, high = ranges(robot, True)
    centre = np.asarray(0.5 * (low + high))
    centre.flags.writeable = False
    return centre


def ranges(robot: Robot, limited: bool) -> tuple[Array, Array]:
    """Where to search: within the limits, in one turn at most; on slides without limits, over a metre.

    Limits further apart than BOUNDLESS are none; then the range lies around 0, or next to it.
    """
    arm = robot.table()[:-1]
    half = np.where(arm[:, PRISMATIC] != 0.0, 0.5 * METRE, np.pi)
    if not limited:
        return -half, half
    low, high = arm[:, LOWER], arm[:, UPPER]
    boundless = high - low > BOUNDLESS
    wide = boundless | ((arm[:, PRISMATIC] == 0.0) & (high - low > 2.0 * np.pi))
    centre = np.clip(0.0, low + half, high - half)
    centre[~boundless] = 0.5 * (low[~boundless] + high[~boundless])
    return np.where(wide, centre - half, low), np.where(wide, centre + half, high)
