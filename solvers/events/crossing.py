"""Zero crossings are detected on stages and dense output of a step, and located in time to the last bits.

Root finding: Chandrupatla, Advances in Engineering Software 28(3), 1997, 145-149,
doi:10.1016/S0965-9978(96)00051-8, stopped by the spacing of doubles.
"""

from __future__ import annotations

import numpy as np

from ...native.pieces import mark_cold
from ..backend import Code
from ..events.dip import dip, survey
from ..events.margin import look
from ..events.turn import first_turn
from ..fields import Floats
from ..layout import Memory, Work
from ..program import interpolate, prepare
from .dip import BEFORE, DIP, PARTS
from .margin import margin, note_sides
from .timer import rounding

EPSILON = 2.0**-52  # the spacing of doubles at 1
HALF = 1.2e-16  # of t: a little more than half a spacing, so that a point so far away is another double
MOST_POINTS = 200  # three times the halvings of a step down to a spacing
TINY = 1e-300  # in place of 0 below a fraction line
BEYOND = 0.25  # of a step: a minimum that parabolas see further outside than that is not inside
CLEAR = 0.3  # of its largest value: a higher end of an arch has no minimum near zero next to it

NEAR_ZERO = 0.1  # of its largest value: a fall that ends lower may have had its minimum between two stages


def least(s: Work, g: Floats) -> float:
    """The smallest margin of all crossings: positive before the first event, negative after it."""
    low = np.inf
    for q in range(g.size):
        value = margin(s, g, q)
        if value < low:
            low = value
            if value < 0.0:
                s.last_crossing = q
    return low


def locate(code: Code, m: Memory, s: Work, low: float, high: float, at_low: float, at_high: float) -> float:
    """The first double at which an event has happened, between `low` (not yet) and `high` (already)."""
    a, fa = high, at_high  # the newest point
    b, fb = low, at_low
    c, fc = low, at_low
    step = 0.5
    floor = abs(high - low)
    for _ in range(MOST_POINTS):
        before = max(abs(a), abs(b))
        if abs(a - b) <= EPSILON * max(before, floor):
            break
        t = a + step * (b - a)
        near = HALF * before
        t = min(max(t, min(a, b) + near), max(a, b) - near)
        outcome = look(code, m, s, t)
        if outcome < 0:
            return t  # a block refuses there: the run ends where it does
        if outcome != 0:
            break
        ft = least(s, m.g)
        if (ft < 0.0) == (fa < 0.0):
            c, fc = a, fa
        else:
            c, fc = b, fb
            b, fb = a, fa
        a, fa = t, ft
        tolerance = EPSILON * max(abs(a), abs(b)) / max(abs(b - a), TINY)
        step = 0.5
        if np.isfinite(fa) and np.isfinite(fb) and np.isfinite(fc) and fb != fc and b != c:
            xi = (a - b) / (c - b)
            phi = (fa - fb) / (fc - fb)
            if phi * phi < xi and (1.0 - phi) ** 2 < 1.0 - xi:
                step = fa / (fb - fa) * fc / (fb - fc)
                step += (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb)
        if not tolerance < 0.5:
            step = 0.5
        else:
            step = min(1.0 - tolerance, max(tolerance, step))
    return a if fa < 0.0 else b


@mark_cold
def scan(code: Code, m: Memory, s: Work, end: float) -> float:
    """The time of the first event or turn before `end`, or `end`, which may be infinite."""
    t = s.t
    h = s.h_taken
    last = s.stages - 1
    guards = m.g.size
    prepare(code, m, s)
    for k in range(PARTS + 1):
        if 0 < k < PARTS:
            look(code, m, s, t + h * s.nodes[k])
        for q in range(guards):
            s.samples[k, q] = s.G[0, q] if k == 0 else s.G[last, q] if k == PARTS else m.g[q]
    dips = survey(s, guards)
    for k in range(1, PARTS + 1):
        low = t + h * s.nodes[k - 1]
        before = s.samples[k - 1]
        theta = s.nodes[k - 1]
        for _ in range(PARTS if dips else 0):
            theta = dip(code, m, s, k, theta)
            if not theta < s.nodes[k]:
                break
            at_low = least(s, before)
            time = t + h * theta
            if time >= end:
                break
            look(code, m, s, time)
            at_dip = least(s, m.g)
            if at_dip < 0.0:
                return float(locate(code, m, s, low, time, at_low, at_dip))
            note_sides(s, m.g)  # back on the near side, to leave it again
            low = time
            before = s.samples[DIP]
            for q in range(guards):
                before[q] = m.g[q]
        high = s.t_new if k == PARTS else t + h * s.nodes[k]
        if end <= high:
            look(code, m, s, end)
            at_end = least(s, m.g)
            if at_end < 0.0:
                return float(locate(code, m, s, low, end, least(s, before), at_end))
            note_sides(s, m.g)
            return end
        at_high = least(s, s.samples[k])
        if at_high < 0.0:
            return float(locate(code, m, s, low, high, least(s, before), at_high))
        note_sides(s, s.samples[k])
    return np.inf


def detect(code: Code, m: Memory, s: Work, due: float) -> float:
    """The time of the first event in the step just taken, or infinity; x_new is then moved to it.

    One that only rounding keeps from `due`, an instant of timers or the end of the run, is there.
    """
    guards = m.g.size
    if s.forced == 1:
        s.stale = 1
        return float(s.t_new)
    end = first_turn(code, m, s) if s.turning == 1 else np.inf
    if end == np.inf and not suspicious(s, guards):
        note_sides(s, s.G[s.stages - 1])
        return np.inf
    time = scan(code, m, s, end)
    if time < end:
        for q in range(guards):
            s.turned[q] = 0
    if due <= s.t_new and abs(s.t_new - time) <= rounding(s.t_new, s.t_start):
        time = s.t_new
    if time < np.inf:
        s.stale = 1
        if time < s.t_new:
            interpolate(code, m, s, (time - s.t) / s.h_taken, s.x_new)
            s.t_new = time
        return float(time)
    last = s.stages - 1
    for q in range(guards):
        m.g[q] = s.G[last, q]
    return np.inf


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
