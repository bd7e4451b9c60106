"""Add a panel, five points of one signal, to a measure; cut it at the window and at the kinks of |y|."""

from __future__ import annotations

from typing import Any

from . import kinds
from .kinds import (
    ABSOLUTE,
    AFTER,
    BASE,
    BEFORE,
    BEGAN,
    DOWN,
    ENDED,
    FIRST,
    FIRST_ROW,
    FLAGS,
    KIND,
    LAST,
    LEVEL,
    NEGATE,
    ROOM,
    TARGET,
    UP,
    A,
    B,
)  # fmt: skip
from .levels import keep_first, keep_last, pass_level, sign
from .outcome import ends, origin_of, width_of
from .quartic import NONE, crossing, excess, highest, integral, linear, quadratic, square, value

PIECES = 6  # a quartic has four zeros


def measure(
    spec: Any, numbers: Any, acc: Any, i: int, t: float, h: float,
    y0: float, y1: float, y2: float, y3: float, y4: float,
) -> None:  # fmt: skip
    """Take the part of a panel that lies within the window of measure i, after <= t <= before."""
    after, before = numbers[i, AFTER], numbers[i, BEFORE]
    if h > 0.0 and (t + h <= after or t >= before):
        return
    if h == 0.0 and (t < after or t >= before):
        return
    if spec[i, FLAGS] == NEGATE:
        y0, y1, y2, y3, y4 = -y0, -y1, -y2, -y3, -y4
    left, right = -1.0, 1.0
    if t < after:
        left = 2.0 * (after - t) / h - 1.0
    if t + h > before:
        right = 2.0 * (before - t) / h - 1.0
    if left > -1.0 or right < 1.0:
        cut(spec, numbers, acc, i, t, h, y0, y1, y2, y3, y4, left, right)
    elif spec[i, FLAGS] & ABSOLUTE:
        rectify(spec, numbers, acc, i, t, h, y0, y1, y2, y3, y4)
    else:
        take(spec, numbers, acc, i, t, h, y0, y1, y2, y3, y4)


def cut(
    spec: Any, numbers: Any, acc: Any, i: int, t: float, h: float,
    y0: float, y1: float, y2: float, y3: float, y4: float, left: float, right: float,
) -> None:  # fmt: skip
    """Take the quartic between `left` and `right`, resampled at five points."""
    c1, c2 = linear(y0, y1, y3, y4), quadratic(y0, y1, y2, y3, y4)
    c3, c4 = 0.5 * (y4 - y0) - c1, 0.5 * ((y4 - y2) + (y0 - y2)) - c2
    d = 0.25 * (right - left)
    z0 = y0 if left <= -1.0 else value(y2, c1, c2, c3, c4, left)
    z4 = y4 if right >= 1.0 else value(y2, c1, c2, c3, c4, right)
    z1 = value(y2, c1, c2, c3, c4, left + d)
    z2 = value(y2, c1, c2, c3, c4, left + 2.0 * d)
    z3 = value(y2, c1, c2, c3, c4, left + 3.0 * d)
    t, h = t + 0.5 * (left + 1.0) * h, 2.0 * d * h
    if spec[i, FLAGS] & ABSOLUTE:
        rectify(spec, numbers, acc, i, t, h, z0, z1, z2, z3, z4)
    else:
        take(spec, numbers, acc, i, t, h, z0, z1, z2, z3, z4)


def rectify(
    spec: Any, numbers: Any, acc: Any, i: int, t: float, h: float,
    y0: float, y1: float, y2: float, y3: float, y4: float,
) -> None:  # fmt: skip
    """Take the absolute value of a panel, piece by piece between the zeros of the quartic."""
    way = -1.0 if spec[i, FLAGS] & NEGATE else 1.0
    side = sign(y0)
    if side == 0.0:
        side = sign(y1)
    if side == 0.0:
        side = sign(y2)
    least = min(side * y0, side * y1, side * y2, side * y3, side * y4)
    if least >= excess(y0, y1, y2, y3, y4):
        side *= way
        take(spec, numbers, acc, i, t, h, side * y0, side * y1, side * y2, side * y3, side * y4)
        return
    c1, c2 = linear(y0, y1, y3, y4), quadratic(y0, y1, y2, y3, y4)
    c3, c4 = 0.5 * (y4 - y0) - c1, 0.5 * ((y4 - y2) + (y0 - y2)) - c2
    left, right = -1.0, -1.0
    for piece in range(PIECES):
        u = NONE
        if side != 0.0 and piece < PIECES - 1:
            u = crossing(y0, y1, y2, y3, y4, 0.0, left, side)
        right = min(u, 1.0)
        d = 0.25 * (right - left)
        z0 = abs(y0) if left == -1.0 else 0.0
        z4 = abs(y4) if right == 1.0 else 0.0
        z1 = abs(value(y2, c1, c2, c3, c4, left + d))
        z2 = abs(value(y2, c1, c2, c3, c4, left + 2.0 * d))
        z3 = abs(value(y2, c1, c2, c3, c4, left + 3.0 * d))
        take(
            spec, numbers, acc, i, t + 0.5 * (left + 1.0) * h, 2.0 * d * h,
            way * z0, way * z1, way * z2, way * z3, way * z4,
        )  # fmt: skip
        left, side = right, -side
        if left >= 1.0:
            break


def take(
    spec: Any, numbers: Any, acc: Any, i: int, t: float, h: float,
    y0: float, y1: float, y2: float, y3: float, y4: float,
) -> None:  # fmt: skip
    """Add five points unchanged to measure i; a single point has h = 0."""
    row = FIRST_ROW + i
    kind = spec[i, KIND]
    if acc[row, BEGAN] != acc[row, BEGAN]:
        acc[row, BEGAN], acc[row, FIRST] = t, y0
    acc[row, ENDED], acc[row, LAST] = t + h, y4
    if kind == kinds.HIGHEST:
        raise_to(acc, row, A, y0, y1, y2, y3, y4)
    elif kind == kinds.RANGE or kind == kinds.OVERSHOOT:
        raise_to(acc, row, A, y0, y1, y2, y3, y4)
        raise_to(acc, row, B, -y0, -y1, -y2, -y3, -y4)
    elif kind == kinds.INTEGRAL or kind == kinds.MEAN:
        acc[row, A] += h * integral(y0, y1, y2, y3, y4)
    elif kind == kinds.RMS:
        acc[row, A] += h * square(y0, y1, y2, y3, y4)
    elif kind == kinds.ITAE:
        s, d = t - acc[row, BEGAN], 0.25 * h
        acc[row, A] += h * integral(
            s * y0, (s + d) * y1, (s + 2.0 * d) * y2, (s + 3.0 * d) * y3, (s + h) * y4
        )
    elif kind == kinds.SATURATED:
        if y2 != 0.0:
            acc[row, A] += h
    elif kind == kinds.SETTLING:
        up, down = spec[i, BASE], spec[i, BASE] + ROOM
        target = numbers[i, TARGET]
        width = width_of(numbers, i, target - origin_of(numbers, i, acc[row, FIRST]))
        over, under = target + width, width - target  # NaN: not determined yet
        acc[row, UP] = keep_last(acc, up, int(acc[row, UP]), over, t, h, y0, y1, y2, y3, y4)
        acc[row, DOWN] = keep_last(acc, down, int(acc[row, DOWN]), under, t, h, -y0, -y1, -y2, -y3, -y4)
    elif kind == kinds.RISE:
        up, down = spec[i, BASE], spec[i, BASE] + ROOM
        origin = origin_of(numbers, i, acc[row, FIRST])
        size = numbers[i, TARGET] - origin
        low, high = ends(numbers, i, origin, size)
        if not size < 0.0:
            acc[row, UP] = keep_first(acc, up, int(acc[row, UP]), low, high, t, h, y0, y1, y2, y3, y4)
        if not size > 0.0:
            acc[row, DOWN] = keep_first(
                acc, down, int(acc[row, DOWN]), -low, -high, t, h, -y0, -y1, -y2, -y3, -y4
            )
    elif kind == kinds.COUNT or kind == kinds.SHARE or (kind == kinds.TIME_TO and acc[row, A] != acc[row, A]):
        pass_level(acc, row, kind, numbers[i, LEVEL], t, h, y0, y1, y2, y3, y4)


def raise_to(acc: Any, row: int, slot: int, y0: float, y1: float, y2: float, y3: float, y4: float) -> None:
    """Raise the highest value so far to these."""
    most = max(y0, y1, y2, y3, y4)
    best = acc[row, slot]
    if most + excess(y0, y1, y2, y3, y4) > best:
        acc[row, slot] = max(best, most, highest(y0, y1, y2, y3, y4))
