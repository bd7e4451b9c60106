"""Find visits beyond zero between two samples of a step, at the minima of the polynomial through all samples.

The samples lie at Chebyshev's points of the second kind, close together at the step's ends, so that the
polynomial is as good there as in the middle. Sources: Trefethen, Approximation Theory and Approximation
Practice (2013), chapter 5; Brent, Algorithms for Minimization without Derivatives (1973), chapter 5.
"""

from __future__ import annotations

from math import cos, pi

import numpy as np

from ...native.pieces import mark_cold
from ..backend import Code
from ..events.margin import look
from ..fields import Floats
from ..layout import Memory, Work
from .margin import margin

PARTS = 8  # the polynomial's degree: one more than any dense output has
NODES = np.array([0.5 - 0.5 * cos(pi * k / PARTS) for k in range(PARTS + 1)])
NEWTON, BEFORE, SPREAD, DIP, SIZE, ROWS = PARTS + 1, *(2 * PARTS + k for k in range(2, 7))
"""Rows after the samples: divided differences; values at the start of the step before; how far the samples
differ; values at a dip; the largest value so far."""

PIECES = 4  # between two samples, in each of which the polynomial has one minimum at most
GRAZE = 0.1  # of the tolerance: a crossing that comes so near to its level touches it
NEAR = 0.3  # of how far the samples differ: a minimum that is higher is not looked at
SMALL = 0.02  # of it: a quartic turns twice between two samples only where these are as close as that
AGREES = 0.1  # of a height: a polynomial so near to it is trusted next to it
START = 1e-3  # of a piece: a minimum so near to its start is there
HALVES = 40  # of a piece: its slope's zero is then found to rounding
GOLDEN = 0.3819660112501051
TURNS = 30  # of golden section: a piece shrinks to 5e-7 of its length


def differences(s: Work, q: int) -> None:
    """Newton's divided differences of the samples of crossing q, into the rows after them."""
    rows, nodes = s.samples, s.nodes
    for k in range(PARTS + 1):
        rows[NEWTON + k, q] = rows[k, q]
    for order in range(1, PARTS + 1):
        for k in range(PARTS, order - 1, -1):
            difference = rows[NEWTON + k, q] - rows[NEWTON + k - 1, q]
            rows[NEWTON + k, q] = difference / (nodes[k] - nodes[k - order])


def polynomial(s: Work, q: int, theta: float) -> tuple[float, float]:
    """Value and slope of the polynomial through the samples of crossing q."""
    rows, nodes = s.samples, s.nodes
    value = rows[NEWTON + PARTS, q]
    slope = 0.0
    for k in range(PARTS - 1, -1, -1):
        slope = slope * (theta - nodes[k]) + value
        value = value * (theta - nodes[k]) + rows[NEWTON + k, q]
    return value, slope


def survey(s: Work, guards: int) -> bool:
    """The spread of the samples of each crossing; True if any may dip, as steady ones do not."""
    some = False
    for q in range(guards):
        v = low = high = s.samples[0, q]
        rises = falls = True
        for k in range(1, PARTS + 1):
            before, v = v, s.samples[k, q]
            low = min(low, v)
            high = max(high, v)
            rises = rises and v > before
            falls = falls and v < before
        small = SMALL * (high - low)
        shift = s.shift[q]
        steady = rises or falls
        before = np.inf
        for k in range(PARTS + 1):
            v = abs(s.samples[k, q] - shift)
            flat = min(v, before) <= small and abs(v - before) <= small
            steady = steady and not flat and (0 < k < PARTS or v > small)
            before = v
        s.samples[SPREAD, q] = -1.0
        if not steady:
            s.samples[SPREAD, q] = high - low
            s.samples[NEWTON, q] = np.nan  # no differences yet
            some = True
    return some


def may_dip(s: Work, q: int, k: int) -> bool:
    """True if a height may have a minimum near zero between the samples k - 1 and k."""
    side, shift = s.side[q], s.shift[q]
    if side == 0 or s.turns[q] == 1 or s.samples[SPREAD, q] < 0.0:
        return False
    a, b = side * (s.samples[k - 1, q] - shift), side * (s.samples[k, q] - shift)
    if max(min(abs(a), abs(b)), abs(b - a)) <= SMALL * s.samples[SPREAD, q]:
        return True
    if b < 0.0:
        return False  # an event by itself
    if k > 1 and side * (s.samples[k - 2, q] - shift) < a:
        return False
    if k < PARTS and side * (s.samples[k + 1, q] - shift) < b:
        return False
    return bool(min(a, b) <= s.samples[SPREAD, q])


def height(s: Work, g: Floats, q: int) -> float:
    """The margin, or, where the crossing waits on its far side, how far it is from coming back."""
    if s.side[q] != 0 and s.turns[q] == 0:
        return float(s.side[q] * (g[q] - s.shift[q]))
    return float(margin(s, g, q))


def at(code: Code, m: Memory, s: Work, q: int, theta: float) -> float:
    """The height of crossing q itself."""
    look(code, m, s, s.t + s.h_taken * theta)
    return float(height(s, m.g, q))


def deepest(code: Code, m: Memory, s: Work, q: int, a: float, b: float) -> float:
    """A place between a and b at which the height of crossing q is negative, or 2."""
    c, d = a + GOLDEN * (b - a), b - GOLDEN * (b - a)
    at_c, at_d = at(code, m, s, q, c), at(code, m, s, q, d)
    for _ in range(TURNS):
        if at_c < 0.0:
            return c
        if at_d < 0.0:
            return d
        if at_c < at_d:
            b, d, at_d = d, c, at_c
            c = a + GOLDEN * (b - a)
            at_c = at(code, m, s, q, c)
        else:
            a, c, at_c = c, d, at_d
            d = b - GOLDEN * (b - a)
            at_d = at(code, m, s, q, d)
    return 2.0


@mark_cold
def below(code: Code, m: Memory, s: Work, q: int, a: float, b: float) -> float:
    """A place near the polynomial's minimum, between a and b, at which crossing q is beyond zero, or 2."""
    side = s.side[q]
    left, right = a, b
    for _ in range(HALVES):
        middle = 0.5 * (left + right)
        if side * polynomial(s, q, middle)[1] < 0.0:
            left = middle
        else:
            right = middle
    expected = side * (polynomial(s, q, right)[0] - s.shift[q])
    if expected > NEAR * s.samples[SPREAD, q]:
        return 2.0
    there = at(code, m, s, q, right)
    if there < 0.0:
        return right
    near = GRAZE * s.tightest * s.samples[SPREAD, q]
    comes = side * (s.samples[0, q] - s.shift[q]) > 2.0 * near  # it does not leave its level
    if comes and there <= near and s.direction[q] != side and s.passage[q] == 0:
        s.touched = q
    if not comes and there <= near and right - a <= START * (b - a):
        return 2.0  # it only begins at its level: beyond is rounding
    if abs(there - expected) <= AGREES * there:
        return 2.0  # the polynomial knows
    return float(deepest(code, m, s, q, a, b))


def dip(code: Code, m: Memory, s: Work, k: int, start: float) -> float:
    """The first place between `start` and sample k where a crossing is beyond zero, or 2."""
    first = 2.0
    width = (s.nodes[k] - start) / PIECES
    for q in range(m.g.size):
        if not may_dip(s, q, k):
            continue
        if np.isnan(s.samples[NEWTON, q]):
            differences(s, q)
        side = s.side[q]
        before = side * polynomial(s, q, start)[1]
        for i in range(PIECES):
            after = side * polynomial(s, q, start + (i + 1) * width)[1]
            if before < 0.0 and after >= 0.0:
                first = min(first, below(code, m, s, q, start + i * width, start + (i + 1) * width))
            before = after
    return first
