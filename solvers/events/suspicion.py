"""A zero crossing is suspected to fire within a step by its values at the stages alone."""

from __future__ import annotations

from ..layout import Work
from .dip import BEFORE
from .margin import margin

BEYOND = 0.25  # of a step: a minimum that parabolas see further outside than that is not inside
CLEAR = 0.3  # of its largest value: a higher end of an arch has no minimum near zero next to it

NEAR_ZERO = 0.1  # of its largest value: a fall that ends lower may have had its minimum between two stages


def slope(c0: float, v0: float, c1: float, v1: float, c2: float, v2: float, c: float) -> float:
    """The slope at c of the parabola through three heights, times a positive number."""
    d0 = (v1 - v0) * (c2 - c1)
    d1 = (v2 - v1) * (c1 - c0)
    return d0 * (c2 - c0) + (d1 - d0) * (2.0 * c - c0 - c1)


def passing(s: Work, q: int) -> bool:
    """True if a height has no minimum inside: it falls or rises well beyond the step, or it arches."""
    last = s.stages - 1
    side, shift, G, C = s.side[q], s.shift[q], s.G, s.C
    cb = ca = c0 = 0.0
    vb = va = v0 = high = side * (G[0, q] - shift)
    start = v0
    arch = falls = rises = True
    points = 1
    for j in range(1, last + 1):
        c = 1.0 if j == last else C[j]
        if c <= c0 or (c >= 1.0 and j < last):
            continue
        cb, vb, ca, va = ca, va, c0, v0
        c0, v0 = c, side * (G[j, q] - shift)
        falls = falls and v0 < va
        rises = rises and v0 > va
        high = max(high, v0)
        points += 1
        if points > 2:
            arch = arch and (v0 - va) * (ca - cb) < (va - vb) * (c0 - ca)
        if points == 3:
            climbs = slope(cb, vb, ca, va, c0, v0, -BEYOND) > 0.0
            rises = rises and climbs
            arch = arch and (climbs or start > CLEAR * high)
    if points < 3 or s.back_used == 1:
        return False
    falls = falls and v0 > NEAR_ZERO * high and slope(cb, vb, ca, va, c0, v0, 1.0 + BEYOND) < 0.0
    return bool(falls or rises or (arch and v0 > CLEAR * high))


def suspicious(s: Work, guards: int) -> bool:
    """True if a height is negative at a stage, or smaller than the stages' spread and not just passing by.

    The dense output swings no further beyond its values at the stages than these differ. Methods of
    fixed steps have few stages, or none: the value a step before counts with theirs.
    """
    last = s.stages - 1
    inner = last if s.back_used == 0 else 1
    G = s.G
    for q in range(guards):
        side, shift = s.side[q], s.shift[q]
        if s.turns[q] == 1:
            continue
        if side == 0:
            for j in range(1, last + 1):
                if margin(s, G[j], q) < 0.0:
                    return True
            continue
        low = min(side * (G[0, q] - shift), side * (G[last, q] - shift))
        high = max(side * (G[0, q] - shift), side * (G[last, q] - shift))
        for j in range(1, inner):
            v = side * (G[j, q] - shift)
            low = min(low, v)
            high = max(high, v)
        if s.adaptive == 0:
            v = side * (s.samples[BEFORE, q] - shift)
            low = min(low, v)
            high = max(high, v)
        if low < 0.0 or (low < high - low and not passing(s, q)):
            return True
    return False
