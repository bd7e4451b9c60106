"""Joint limits in the search: coordinates kept between them, whole turns used where they help."""

from __future__ import annotations

from math import ceil, floor, pi

from ..mechanics.work import Array
from ..model.table import LOWER, PRISMATIC, UPPER

TURN = 2.0 * pi


def inside(arm: Array, i: int, x: float) -> float:
    """The coordinate of joint i nearest to x within its limits, or one that is x up to whole turns."""
    low, high = float(arm[i, LOWER]), float(arm[i, UPPER])
    if low <= x <= high:
        return x
    if arm[i, PRISMATIC] == 0.0:
        if x < low:
            y = x + TURN * ceil((low - x) / TURN)
            if y <= high:
                return y
        else:
            y = x - TURN * ceil((x - high) / TURN)
            if y >= low:
                return y
    if x < low:
        return low
    return high


def held(arm: Array, i: int, x: float, push: float) -> bool:
    """Whether joint i stands at a limit and is pushed against it."""
    return (x <= arm[i, LOWER] and push < 0.0) or (x >= arm[i, UPPER] and push > 0.0)


def nearest_turn(arm: Array, limited: int, i: int, x: float, near: float) -> float:
    """Of x and x plus whole turns, the angle nearest to `near`; within the limits where it can."""
    if arm[i, PRISMATIC] != 0.0:
        return x
    x -= TURN * floor((x - near) / TURN + 0.5)
    if limited != 0:
        low, high = arm[i, LOWER], arm[i, UPPER]
        y = x
        if x > high:
            y = x - TURN * ceil((x - high) / TURN)
        elif x < low:
            y = x + TURN * ceil((low - x) / TURN)
        if low <= y <= high:
            x = y
    return x


def within(arm: Array, q: Array, slack: float) -> bool:
    """Whether every coordinate is within its limits, to the slack."""
    for i in range(arm.shape[0] - 1):
        if q[i] < arm[i, LOWER] - slack or q[i] > arm[i, UPPER] + slack:
            return False
    return True
