"""Histories: the panels that can still decide when a signal was last, or first, above a level known later.

The last time above any level lies in a panel whose highest value no later panel reaches, the first time in
one whose highest value no earlier panel reaches: the others are forgotten at once. Where the level is known
before the run ends, so are those that do not come to it.
"""

from __future__ import annotations

from typing import Any

from .kinds import H_0, H_1, H_2, H_3, H_4, H_CUT, H_LENGTH, H_T, H_TOP, ROOM
from .quartic import crossing, doubt, highest, rounding

TURNS = 8


def keep_last(
    acc: Any, base: int, count: int, level: float, t: float, h: float,
    y0: float, y1: float, y2: float, y3: float, y4: float,
) -> int:  # fmt: skip
    """Add a panel that goes above a level behind those that it does not hide; how many there are then."""
    top = highest(y0, y1, y2, y3, y4)
    if top <= level:
        return count
    while count > 0 and acc[base + count - 1, H_TOP] <= top:
        count -= 1
    return append(acc, base, count, t, h, y0, y1, y2, y3, y4, top)


def keep_first(
    acc: Any, base: int, count: int, low: float, high: float, t: float, h: float,
    y0: float, y1: float, y2: float, y3: float, y4: float,
) -> int:  # fmt: skip
    """Add a panel that reaches `low` when it is higher than all before, and none of them has reached `high`;
    how many there are then.
    """
    top = highest(y0, y1, y2, y3, y4)
    if top < low:
        return count
    if count > 0 and (top <= acc[base + count - 1, H_TOP] or acc[base + count - 1, H_TOP] >= high):
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
    acc[row, H_T], acc[row, H_LENGTH], acc[row, H_TOP], acc[row, H_CUT] = t, h, top, 0.0
    acc[row, H_0], acc[row, H_1], acc[row, H_2], acc[row, H_3], acc[row, H_4] = y0, y1, y2, y3, y4
    return count + 1


def thin(acc: Any, base: int, count: int) -> int:
    """Drop panels whose highest values are close together, closest where the newest ones are, until a quarter
    of the room is free; those before a gap are marked.
    """
    share = 1e-4
    while 4 * count > 3 * ROOM:
        newest = acc[base + count - 1, H_TOP]
        remaining = 1
        for k in range(1, count):
            before, top = acc[base + remaining - 1, H_TOP], acc[base + k, H_TOP]
            if abs(top - before) > share * abs(before - newest) or k == count - 1:
                for j in range(H_CUT + 1):
                    acc[base + remaining, j] = acc[base + k, j]
                remaining += 1
            else:
                acc[base + remaining - 1, H_CUT] = 1.0
        count = remaining
        share *= 1.5
    return count


def rises_above(acc: Any, row: int, level: float) -> bool:
    """Whether a panel goes above a level: at a point, or between them by more than it may be wrong."""
    top = acc[row, H_TOP]
    if not top > level:
        return False
    y0, y1, y2, y3, y4 = acc[row, H_0], acc[row, H_1], acc[row, H_2], acc[row, H_3], acc[row, H_4]
    if max(y0, y1, y2, y3, y4) > level + rounding(y0, y1, y2, y3, y4):
        return True
    return bool(top > level + doubt(y0, y1, y2, y3, y4))


def last_above(acc: Any, base: int, count: int, level: float) -> float:
    """The last time above a level, NaN when there was none; in a gap, on the straight line through it."""
    k = count - 1
    while k >= 0 and not rises_above(acc, base + k, level):
        k -= 1
    if k < 0:
        return float("nan")
    row = base + k
    y0, y1, y2, y3, y4 = acc[row, H_0], acc[row, H_1], acc[row, H_2], acc[row, H_3], acc[row, H_4]
    end = acc[row, H_T] + acc[row, H_LENGTH]
    if y4 > level:
        if acc[row, H_CUT] == 0.0 or k == count - 1:
            return float(end)
        return float(end + (acc[row + 1, H_T] - end) * (y4 - level) / (y4 - acc[row + 1, H_TOP]))
    u, left, side = -1.0, 1.0, -1.0
    if y0 > level:
        side = 1.0
    for _ in range(TURNS):
        u = crossing(y0, y1, y2, y3, y4, level, u, side)
        if u > 1.0:
            break
        if side > 0.0:
            left = u
        side = -side
    return float(acc[row, H_T] + 0.5 * (left + 1.0) * acc[row, H_LENGTH])


def first_above(acc: Any, base: int, count: int, level: float) -> float:
    """The first time at or above a level, NaN when there was none; in a gap, as `last_above`."""
    k = 0
    while k < count and not acc[base + k, H_TOP] >= level:
        k += 1
    if k == count:
        return float("nan")
    row = base + k
    t = acc[row, H_T]
    y0, y1, y2, y3, y4 = acc[row, H_0], acc[row, H_1], acc[row, H_2], acc[row, H_3], acc[row, H_4]
    if y0 >= level:
        if k == 0 or acc[row - 1, H_CUT] == 0.0:
            return float(t)
        end, top = acc[row - 1, H_T] + acc[row - 1, H_LENGTH], acc[row - 1, H_TOP]
        return float(end + (t - end) * (level - top) / (y0 - top))
    u = min(crossing(y0, y1, y2, y3, y4, level, -1.0, -1.0), 1.0)
    return float(t + 0.5 * (u + 1.0) * acc[row, H_LENGTH])
