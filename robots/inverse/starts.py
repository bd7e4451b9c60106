"""Starts of searches: points spread evenly over the joint space, the same ones on every machine."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ..robot import Robot
from ..table import LOWER, PRISMATIC, UPPER

Array = NDArray[np.float64]
METRE = 1.0  # the range searched of a slide without limits, m


@lru_cache(maxsize=256)
def starts(robot: Robot, seed: int, limited: bool) -> Array:
    """What `search.start_of` reads: lowest coordinates, ranges, offset and step of the sequence; (4, n).

    Start k is frac(offset + k step) of the range, with step_i = g^-i and g the root of g^(n+1) = g + 1: the
    additive recurrence R_n of Roberts, The Unreasonable Effectiveness of Quasirandom Sequences (2018), which
    generalises the golden ratio. The offset comes from a counter-based generator keyed by the seed.
    """
    n = robot.n
    low, high = ranges(robot, limited)
    root = 2.0
    for _ in range(80):
        root = (1.0 + root) ** (1.0 / (n + 1))
    offset = np.random.Generator(np.random.Philox(key=seed)).random(n)
    found = np.array([low, high - low, offset, root ** -np.arange(1.0, n + 1.0)])
    found.flags.writeable = False
    return found


def ranges(robot: Robot, limited: bool) -> tuple[Array, Array]:
    """Where to search: within the limits, in one turn at most; on slides without limits, a metre around 0."""
    arm = robot.table()[:-1]
    half = np.where(arm[:, PRISMATIC] != 0.0, 0.5 * METRE, np.pi)
    if not limited:
        return -half, half
    low, high = arm[:, LOWER], arm[:, UPPER]
    open_low, open_high = np.isinf(low), np.isinf(high)
    low = np.where(open_low, np.where(open_high, -half, high - 2.0 * half), low)
    high = np.where(open_high, np.where(open_low, half, low + 2.0 * half), high)
    turning = arm[:, PRISMATIC] == 0.0
    middle = 0.5 * (low + high)
    wide = turning & (high - low > 2.0 * np.pi)
    return np.where(wide, middle - np.pi, low), np.where(wide, middle + np.pi, high)
