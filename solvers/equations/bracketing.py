"""Bracketing of one equation v = c(v): an interval at whose ends the residual has different signs.

The interval grows from the start until the signs differ. Then it shrinks by the secant and by halves in turn,
down to two neighbouring numbers, so that kinks and steep branches do no harm.
Source: Dekker, Finding a zero by means of successive linear interpolation, in: Constructive Aspects of the
Fundamental Theorem of Algebra (1969), 37-48.
"""

from __future__ import annotations

import numpy as np

from ..fields import Floats
from .newton import AGAIN, FAILED, NOISE, SOLVED

PHASE, LOW, AT_LOW, HIGH, AT_HIGH, WIDTH, COUNT, WAY, CLOSED, FIRST = range(10)
TAIL = 10  # numbers of a search, before its start
AT_BEGIN, AT_FIRST, EXPANDING, WITHIN = range(4)  # phases
LEAST_WIDTH = 1e-6  # of the first interval, in units of the start and 1
WIDER = 4.0  # each interval than the one before
WIDEST = 1e200


def expand(tail: Floats, v: Floats, start: float) -> int:
    """Ask for the next point outside the interval, on its sides by turns."""
    if tail[CLOSED] == 3.0:
        return FAILED
    tail[WAY] = -tail[WAY]
    if tail[WAY] > 0.0:
        tail[WIDTH] *= WIDER
        if tail[WIDTH] > WIDEST:
            return FAILED
    if (tail[WAY] > 0.0 and tail[CLOSED] == 1.0) or (tail[WAY] < 0.0 and tail[CLOSED] == 2.0):
        tail[WAY] = -tail[WAY]
        tail[WIDTH] *= WIDER
    v[0] = start + tail[WAY] * tail[WIDTH]
    return AGAIN if abs(v[0]) < WIDEST else FAILED


def divide(tail: Floats, v: Floats) -> int:
    """Ask for a point within the interval, by the secant and in the middle by turns, or end."""
    a, b, at_a, at_b = tail[LOW], tail[HIGH], tail[AT_LOW], tail[AT_HIGH]
    middle = a + 0.5 * (b - a)
    if middle <= a or middle >= b or at_a == 0.0 or at_b == 0.0:
        v[0] = a if abs(at_a) <= abs(at_b) else b
        least = min(abs(at_a), abs(at_b))
        return SOLVED if least <= NOISE * max(1.0, abs(v[0]), abs(tail[FIRST])) else FAILED
    tail[COUNT] += 1.0
    v[0] = middle
    if tail[COUNT] % 2.0 == 1.0 and abs(at_a) < np.inf and abs(at_b) < np.inf:
        secant = a - at_a * ((b - a) / (at_b - at_a))
        if a < secant < b:
            v[0] = secant
    return AGAIN


def begin(tail: Floats, v: Floats, start: float, residual: float) -> int:
    """The interval of the start alone."""
    if np.isnan(residual):
        return FAILED
    tail[LOW] = tail[HIGH] = start
    tail[AT_LOW] = tail[AT_HIGH] = tail[FIRST] = residual
    tail[WIDTH] = LEAST_WIDTH * max(abs(start), 1.0) / WIDER
    tail[WAY], tail[CLOSED], tail[COUNT] = -1.0, 0.0, 0.0
    tail[PHASE] = EXPANDING
    return expand(tail, v, start)


def widen(tail: Floats, v: Floats, start: float, residual: float) -> int:
    """Take a point outside the interval into it; with two signs it is not wider than from there."""
    point = v[0]
    if np.isnan(residual):
        tail[CLOSED] += 1.0 if tail[WAY] > 0.0 else 2.0
        return expand(tail, v, start)
    if residual == 0.0:  # a solution lies between two signs; elsewhere rounding hides the residual
        return expand(tail, v, start)
    if tail[WAY] > 0.0:
        changes = residual * tail[AT_HIGH] < 0.0
        if changes:
            tail[LOW], tail[AT_LOW] = tail[HIGH], tail[AT_HIGH]
        tail[HIGH], tail[AT_HIGH] = point, residual
    else:
        changes = residual * tail[AT_LOW] < 0.0
        if changes:
            tail[HIGH], tail[AT_HIGH] = tail[LOW], tail[AT_LOW]
        tail[LOW], tail[AT_LOW] = point, residual
    if not changes:
        return expand(tail, v, start)
    tail[PHASE] = WITHIN
    return divide(tail, v)


def bracket(c: Floats, v: Floats, tail: Floats, base: Floats, center: Floats) -> int:
    """Take the value c of v, and ask for the next one: AGAIN, SOLVED or FAILED.

    It begins with the phase 0 at the start behind the TAIL, whatever c and v are. `base` and `center`
    hold the v with the least residual so far and its c.
    """
    start, residual = tail[TAIL], c[0] - v[0]
    if tail[PHASE] == AT_BEGIN:
        v[0] = start
        tail[PHASE] = AT_FIRST
        return AGAIN
    if tail[PHASE] == AT_FIRST or abs(residual) < abs(center[0] - base[0]):
        base[0], center[0] = v[0], c[0]
    if tail[PHASE] == AT_FIRST:
        return begin(tail, v, start, residual)
    if tail[PHASE] == EXPANDING:
        return widen(tail, v, start, residual)
    if np.isnan(residual):
        return FAILED
    if residual * tail[AT_LOW] > 0.0:
        tail[LOW], tail[AT_LOW] = v[0], residual
    else:
        tail[HIGH], tail[AT_HIGH] = v[0], residual
    return divide(tail, v)
