"""Locate the turns of a crossing's value: extrema, and jumps of its slope.

The extremum is that of the polynomial through samples of the step, at Chebyshev's points as for dips, and
then of one through samples close around it. Source: Trefethen, Approximation Theory and Approximation
Practice (2013).
"""

from __future__ import annotations

import numpy as np

from ...native.pieces import mark_cold
from ..backend import Code
from ..events.margin import look
from ..layout import Memory, Work
from ..program import prepare
from .dip import HALVES, PARTS, PIECES, differences, polynomial

NOISE = 1e-13  # of a value: a rise that is smaller may be rounding
KINK = 1e-6  # of what a value changes by: polynomials so close around a turn leave less, but not at a kink
THIRDS = 90  # times that a place between two thirds is told from the rest: (2/3)^90 of a step is rounding
CLOSE = 0.1  # of a step: over so much of it the polynomial is as good as the samples
SPACING = 2.0**-52  # of doubles at 1


def moves(s: Work, q: int) -> bool:
    """True if the value of crossing q changes in the step; one that does not has no turn."""
    for j in range(1, s.stages):
        if s.G[j, q] != s.G[0, q]:
            return True
    return False


def minimum(s: Work, q: int, left: float, right: float) -> float:
    """The place between two others at which the polynomial, times the direction, stops falling."""
    way = s.direction[q]
    for _ in range(HALVES):
        middle = 0.5 * (left + right)
        if way * polynomial(s, q, middle)[1] <= 0.0:
            left = middle
        else:
            right = middle
    return right


def begins(s: Work, q: int) -> float:
    """The place at which the polynomial, times the direction, begins to rise, or 2."""
    way = s.direction[q]
    differences(s, q)
    largest = 0.0
    for k in range(PARTS + 1):
        largest = max(largest, abs(s.samples[k, q]))
    value, slope = polynomial(s, q, 0.0)
    low, start, last = way * value, 0.0, 0.0
    climbs = way * slope > 0.0
    for k in range(PARTS):
        for i in range(PIECES):
            theta = s.nodes[k] + (s.nodes[k + 1] - s.nodes[k]) * (i + 1) / PIECES
            after, slope = polynomial(s, q, theta)
            after *= way
            if climbs and after < low:
                climbs = False
            if not climbs and way * slope > 0.0:
                start = minimum(s, q, last, theta)
                low = way * polynomial(s, q, start)[0]
                climbs = True
            if climbs and after - low > NOISE * largest:
                return start
            last = theta
    return 2.0


@mark_cold
def value(code: Code, m: Memory, s: Work, q: int, theta: float) -> float:
    look(code, m, s, s.t + s.h_taken * theta)
    return float(s.direction[q] * m.g[q])


@mark_cold
def turn_by_values(code: Code, m: Memory, s: Work, q: int) -> float:
    """The same place, or 2, by values alone: polynomials do not follow, as at a kink."""
    begin, before, now = 0, value(code, m, s, q, 0.0), value(code, m, s, q, s.nodes[1])
    first, left, right = before, 0.0, s.nodes[1]
    for k in range(1, PARTS):
        after = value(code, m, s, q, s.nodes[k + 1])
        if before >= now < after and begin == 0:
            begin, left, right = k, s.nodes[k - 1], s.nodes[k + 1]
        before, now = now, after
    if begin == 0 and now < first:  # it falls from sample to sample: only the last part remains
        left, right = s.nodes[PARTS - 1], s.nodes[PARTS]
    for _ in range(THIRDS):
        third = (right - left) / 3.0
        one, two = left + third, right - third
        if value(code, m, s, q, one) < value(code, m, s, q, two):
            right = two
        else:  # equal values are level: it begins to rise further on
            left = one
    return float(right) if SPACING < right < 1.0 else 2.0


@mark_cold
def refine_turn(code: Code, m: Memory, s: Work, q: int, theta: float) -> float:
    """The same place by samples close around it."""
    first = min(max(theta - 0.5 * CLOSE, 0.0), 1.0 - CLOSE)
    for k in range(PARTS + 1):
        look(code, m, s, s.t + s.h_taken * (first + CLOSE * s.nodes[k]))
        s.samples[k, q] = m.g[q]
    differences(s, q)
    way = s.direction[q]
    if theta == 0.0 and way * s.samples[0, q] <= way * s.samples[1, q]:
        return 0.0
    if way * polynomial(s, q, 0.0)[1] > 0.0 or way * polynomial(s, q, 1.0)[1] <= 0.0:
        return float(turn_by_values(code, m, s, q))
    at = minimum(s, q, 0.0, 1.0)
    place = first + CLOSE * at
    low = high = s.samples[0, q]
    for k in range(1, PARTS + 1):
        low, high = min(low, s.samples[k, q]), max(high, s.samples[k, q])
    if abs(way * polynomial(s, q, at)[0] - value(code, m, s, q, place)) > KINK * (high - low):
        return float(turn_by_values(code, m, s, q))
    return float(place)


@mark_cold
def first_turn(code: Code, m: Memory, s: Work) -> float:
    """The time of the first turn in the step, where it is marked, or infinity."""
    guards, last = m.g.size, s.stages - 1
    some = False
    for q in range(guards):
        s.turned[q] = 0
        some = some or (s.turns[q] == 1 and moves(s, q))
    if not some:
        return np.inf
    prepare(code, m, s)
    for k in range(PARTS + 1):
        if 0 < k < PARTS:
            look(code, m, s, s.t + s.h_taken * s.nodes[k])
        for q in range(guards):
            s.samples[k, q] = s.G[0, q] if k == 0 else s.G[last, q] if k == PARTS else m.g[q]
    best = 2.0
    which = 0
    for q in range(guards):
        if s.turns[q] == 1 and moves(s, q):
            theta = begins(s, q)
            if theta <= 1.0:
                theta = refine_turn(code, m, s, q, theta)
            if theta < best:
                best, which = theta, q
    if best > 1.0:
        return np.inf
    s.turned[which] = 1
    soon = s.t + max(SPACING * abs(s.t), SPACING * s.h_taken)  # a turn at once is at the next double
    return float(min(max(s.t + s.h_taken * best, soon), s.t_new))
