"""Histories: the panels that can still decide when a signal was last, or first, above a level known later.

The last time above any level lies in a panel whose highest value no later panel reaches, the first time in
one whose highest value no earlier panel reaches: the others are forgotten at once.
"""

from __future__ import annotations

from typing import Any

from .kinds import H_0, H_1, H_2, H_3, H_4, H_LENGTH, H_T, H_TOP, ROOM
from .quartic import crossing, highest


def keep_last(
    acc: Any, base: int, count: int, t: float, h: float, y0: float, y1: float, y2: float, y3: float, y4: float
) -> int:
    """Add a panel behind those that it does not hide; how many there are then."""
    top = highest(y0, y1, y2, y3, y4)
    while count > 0 and acc[base + count - 1, H_TOP] <= top:
        count -= 1
    return append(acc, base, count, t, h, y0, y1, y2, y3, y4, top)


def keep_first(
    acc: Any, base: int, count: int, t: float, h: float, y0: float, y1: float, y2: float, y3: float, y4: float
) -> int:
    """Add a panel when it is higher than all before; how many there are then."""
    top = highest(y0, y1, y2, y3, y4)
    if count > 0 and top <= acc[base + count - 1, H_TOP]:
        return count
    return append(acc, base, count, t, h, y0, y1, y2, y3, y4, top)


def append(
    acc: Any, base: int, count: int, t: float, h: float,
    y0: float, y1: float, y2: float, y3: float, y4: float, top: float,
) -> int:  # fmt: skip
    """Write a panel at the end; a full history is thinned before."""
    if count == ROOM:
        count = thin(acc, base, count)
    row = base + count
    acc[row, H_T], acc[row, H_LENGTH], acc[row, H_TOP] = t, h, top
    acc[row, H_0], acc[row, H_1], acc[row, H_2], acc[row, H_3], acc[row, H_4] = y0, y1, y2, y3, y4
    return count + 1


def thin(acc: Any, base: int, count: int) -> int:
    """Drop panels whose highest value is close to that of the one before: to 1e-6 of all, or as much as frees
    a quarter of the room.
    """
    gap = max(1e-6 * abs(acc[base, H_TOP] - acc[base + count - 1, H_TOP]), 1e-300)
    while True:
        kept = 1
        for k in range(1, count):
            if abs(acc[base + k, H_TOP] - acc[base + kept - 1, H_TOP]) > gap or k == count - 1:
                for j in range(8):
                    acc[base + kept, j] = acc[base + k, j]
                kept += 1
        count = kept
        if 4 * count <= 3 * ROOM:
            return count
        gap *= 10.0


def last_above(acc: Any, base: int, count: int, level: float) -> float:
    """The last time above a level, NaN when there was none."""
    k = count - 1
    while k >= 0 and not acc[base + k, H_TOP] > level:
        k -= 1
    if k < 0:
        return float("nan")
    row = base + k
    y0, y1, y2, y3, y4 = acc[row, H_0], acc[row, H_1], acc[row, H_2], acc[row, H_3], acc[row, H_4]
    u, left, side = -1.0, 1.0, -1.0
    if y0 > level:
        side = 1.0
    for _ in range(8):
        u = crossing(y0, y1, y2, y3, y4, level, u, side)
        if u > 1.0:
            break
        if side > 0.0:
            left = u
        else:
            left = 1.0
        side = -side
    return float(acc[row, H_T] + 0.5 * (left + 1.0) * acc[row, H_LENGTH])


def first_above(acc: Any, base: int, count: int, level: float) -> float:
    """The first time at or above a level, NaN when there was none."""
    k = 0
    while k < count and not acc[base + k, H_TOP] >= level:
        k += 1
    if k == count:
        return float("nan")
    row = base + k
    y0, y1, y2, y3, y4 = acc[row, H_0], acc[row, H_1], acc[row, H_2], acc[row, H_3], acc[row, H_4]
    if y0 >= level:
        return float(acc[row, H_T])
    u = min(crossing(y0, y1, y2, y3, y4, level, -1.0, -1.0), 1.0)
    return float(acc[row, H_T] + 0.5 * (u + 1.0) * acc[row, H_LENGTH])
