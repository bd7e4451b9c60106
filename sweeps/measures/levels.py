"""Levels: when a signal passes a level, how often, and how long it stays above."""

from __future__ import annotations

from typing import Any

from . import kinds
from .kinds import SIDE, A
from .quartic import crossing

TURNS = 16  # a quartic passes a level four times at most


def sign(v: float) -> float:
    """1, -1 or 0."""
    return 1.0 if v > 0.0 else -1.0 if v < 0.0 else 0.0


def note_rise(acc: Any, own: int, kind: int, t: float) -> None:
    """The signal is above from t on, and was below."""
    if kind == kinds.COUNT:
        acc[own, A] += 1.0
    elif kind == kinds.TIME_TO and acc[own, A] != acc[own, A]:
        acc[own, A] = t


def enter(acc: Any, own: int, kind: int, t: float, v0: float, ahead: float) -> None:
    """The side at a panel's start: as it was, or after a jump, or, from the level itself, that which follows.

    A signal that starts at the level and rises is above from the start, but has not crossed it.
    """
    side = acc[own, SIDE]
    if v0 * side < 0.0 or side == 0.0:
        now = sign(v0) if v0 != 0.0 else ahead
        if now > 0.0 and (side < 0.0 or kind == kinds.TIME_TO):
            note_rise(acc, own, kind, t)
        acc[own, SIDE] = now


def pass_level(
    acc: Any, own: int, kind: int, level: float, t: float, h: float,
    y0: float, y1: float, y2: float, y3: float, y4: float,
) -> None:  # fmt: skip
    """Take a panel into a measure of the kinds TIME_TO, COUNT and SHARE."""
    ahead = sign(y1 - level)
    if ahead == 0.0:
        ahead = sign(y4 - level)
    enter(acc, own, kind, t, y0 - level, ahead)
    side = acc[own, SIDE]
    if side == 0.0:
        return
    u, last, above = -1.0, -1.0, 0.0
    for _ in range(TURNS):
        u = crossing(y0, y1, y2, y3, y4, level, u, side)
        if u > 1.0:
            break
        if side > 0.0:
            above += u - last
        else:
            note_rise(acc, own, kind, t + 0.5 * (u + 1.0) * h)
        side, last = -side, u
    if side > 0.0:
        above += 1.0 - last
    acc[own, SIDE] = side
    if kind == kinds.SHARE:
        acc[own, A] += 0.5 * above * h
