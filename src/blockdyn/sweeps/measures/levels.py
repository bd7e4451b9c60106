"""Passages of a signal through a level, given before or after the run: times, number, duration above.

The last time above any level lies in a panel whose highest value no later panel reaches, the first time in
one whose highest value no earlier panel reaches: the others are dropped at once. If the level is given
before the run, panels that do not reach it are dropped too.
"""

from __future__ import annotations

from typing import Any

from . import kinds
from .kinds import (
    BEGAN,
    FIRST_PEAK,
    H_0,
    H_1,
    H_2,
    H_3,
    H_4,
    H_CUT,
    H_LENGTH,
    H_T,
    H_TOP,
    PEAK,
    ROOM,
    SIDE,
    A,
)
from .quartic import ROUNDING, at, crossing, doubt, excess, highest, rounding

TURNS_KEPT = 8


def keep_last(
    acc: Any, base: int, count: int, level: float, t: float, h: float,
    y0: float, y1: float, y2: float, y3: float, y4: float,
) -> int:  # fmt: skip
    """Add a panel that rises above a level, dropping panels that it hides; return their number."""
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
    return the number of panels.
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
    """Write a panel at the end; a full history is thinned first."""
    if count == ROOM:
        count = thin(acc, base, count)
    row = base + count
    acc[row, H_T], acc[row, H_LENGTH], acc[row, H_TOP], acc[row, H_CUT] = t, h, top, 0.0
    acc[row, H_0], acc[row, H_1], acc[row, H_2], acc[row, H_3], acc[row, H_4] = y0, y1, y2, y3, y4
    return count + 1


def thin(acc: Any, base: int, count: int) -> int:
    """Drop panels whose highest values are close together, closest where the newest ones are, until a quarter
    of the history is free; panels before a gap are marked.
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
    """True if a panel rises above a level: at a point, or between them by more than its error."""
    top = acc[row, H_TOP]
    if not top > level:
        return False
    y0, y1, y2, y3, y4 = acc[row, H_0], acc[row, H_1], acc[row, H_2], acc[row, H_3], acc[row, H_4]
    if max(y0, y1, y2, y3, y4) > level + rounding(y0, y1, y2, y3, y4):
        return True
    return bool(top > level + doubt(y0, y1, y2, y3, y4))


def last_above(acc: Any, base: int, count: int, level: float) -> float:
    """The last time above a level, NaN if there was none; in a gap, on the straight line through it."""
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
    for _ in range(TURNS_KEPT):
        u = crossing(y0, y1, y2, y3, y4, level, u, side)
        if u > 1.0:
            break
        if side > 0.0:
            left = u
        side = -side
    return float(acc[row, H_T] + 0.5 * (left + 1.0) * acc[row, H_LENGTH])


def first_above(acc: Any, base: int, count: int, level: float) -> float:
    """The first time at or above a level, NaN if there was none; in a gap, as `last_above`."""
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


TURNS = 16  # a quartic passes a level four times at most


def sign(v: float) -> float:
    """1, -1 or 0."""
    return 1.0 if v > 0.0 else -1.0 if v < 0.0 else 0.0


def note_rise(acc: Any, row: int, kind: int, t: float) -> None:
    """The signal is above from t on, and was below."""
    if kind == kinds.COUNT:
        acc[row, A] += 1.0
    elif kind == kinds.TIME_TO and acc[row, A] != acc[row, A]:
        acc[row, A] = t


def enter(acc: Any, row: int, kind: int, t: float, v0: float, ahead: float) -> None:
    """The side at a panel's start: the previous one, the one after a jump, or, from the level, the next one.

    A signal that starts at the level and rises is above from the start, but has not crossed it.
    """
    side = acc[row, SIDE]
    if v0 * side < 0.0 or side == 0.0:
        now = sign(v0) if v0 != 0.0 else ahead
        if now > 0.0 and (side < 0.0 or kind == kinds.TIME_TO):
            note_rise(acc, row, kind, t)
        acc[row, SIDE] = now


def note_first(acc: Any, row: int, t: float, rises: bool, peak: float) -> None:
    """The first passage: how far the signal was from the level before, if that was in its first panel."""
    acc[row, FIRST_PEAK] = peak if rises and t == acc[row, BEGAN] else -1.0


def beyond(v: float, side: float, noise: float) -> bool:
    """True if a value lies on the other side of the level, by more than rounding."""
    return side * v < -noise


def touch(
    y0: float, y1: float, y2: float, y3: float, y4: float, level: float, u: float, back: float, side: float
) -> bool:
    """True if the quartic, which leaves `side` at u and is back at `back`, only touches the level.

    None of its five points is on the other side, and between them it is there by less than its error.
    """
    noise = rounding(y0, y1, y2, y3, y4)
    if u <= -0.5 <= back and beyond(y1 - level, side, noise):
        return False
    if u <= 0.0 <= back and beyond(y2 - level, side, noise):
        return False
    if u <= 0.5 <= back and beyond(y3 - level, side, noise):
        return False
    if back >= 1.0 and beyond(y4 - level, side, noise):
        return False
    lowest = at(y0, y1, y2, y3, y4, 0.5 * (u + back)) - level
    return side * lowest > -doubt(y0, y1, y2, y3, y4)


def pass_level(
    acc: Any, row: int, kind: int, level: float, t: float, h: float,
    y0: float, y1: float, y2: float, y3: float, y4: float,
) -> None:  # fmt: skip
    """Add a panel to a measure of the kinds TIME_TO, COUNT and SHARE."""
    side = acc[row, SIDE]
    least = side * ((max(y0, y1, y2, y3, y4) if side < 0.0 else min(y0, y1, y2, y3, y4)) - level)
    if least > 0.0 and least >= excess(y0, y1, y2, y3, y4):  # most panels stay on their side
        if kind == kinds.SHARE and side > 0.0:
            acc[row, A] += h
    else:
        pass_near(acc, row, kind, level, t, h, y0, y1, y2, y3, y4)
    if acc[row, FIRST_PEAK] > 0.0:
        acc[row, PEAK] = max(acc[row, PEAK], abs(y0 - level), abs(y2 - level), abs(y4 - level))


def pass_near(
    acc: Any, row: int, kind: int, level: float, t: float, h: float,
    y0: float, y1: float, y2: float, y3: float, y4: float,
) -> None:  # fmt: skip
    """As `pass_level`, for a panel that may reach the level."""
    v0, ahead = y0 - level, sign(y1 - level)
    if ahead == 0.0:
        ahead = sign(y4 - level)
    side = acc[row, SIDE]
    if side * v0 < 0.0 and h > 0.0 and abs(v0) <= rounding(y0, y1, y2, y3, y4):
        v0 = 0.0  # a touch at the end of the previous panel
    enter(acc, row, kind, t, v0, ahead)
    side = acc[row, SIDE]
    if side == 0.0:
        return
    u, last, above = -1.0, -1.0, 0.0
    for _ in range(TURNS):
        u = crossing(y0, y1, y2, y3, y4, level, u, side)
        if u > 1.0:
            break
        ahead = y1 if u < -0.5 else y2 if u < 0.0 else y3 if u < 0.5 else y4
        if not beyond(ahead - level, side, rounding(y0, y1, y2, y3, y4)):
            back = min(crossing(y0, y1, y2, y3, y4, level, u, -side), 1.0)
            if touch(y0, y1, y2, y3, y4, level, u, back, side):
                u = back
                continue
        if side > 0.0:
            above += u - last
        else:
            note_rise(acc, row, kind, t + 0.5 * (u + 1.0) * h)
        if kind == kinds.COUNT and acc[row, FIRST_PEAK] == 0.0:
            middle = at(y0, y1, y2, y3, y4, 0.5 * (u - 1.0)) - level
            note_first(acc, row, t, side < 0.0, max(abs(y0 - level), abs(middle)))
        side, last = -side, u
    if side > 0.0:
        above += 1.0 - last
    acc[row, SIDE] = side
    if kind == kinds.SHARE:
        acc[row, A] += 0.5 * above * h


def passages(acc: Any, row: int) -> float:
    """Number of rises of the signal through the level; a first rise due to rounding does not count."""
    first = acc[row, FIRST_PEAK]
    noise = 0.0 < first <= ROUNDING * acc[row, PEAK]
    return float(acc[row, A] - 1.0 if noise else acc[row, A])
