"""The margin of a zero crossing is its distance from its event; it depends on the side of the crossing."""

from __future__ import annotations

import numpy as np

from .. import layout
from ..backend import Code
from ..fields import Floats
from ..layout import Common, Memory, Work
from ..program import derivative, interpolate


def note_side(s: Work, v: float, q: int) -> None:
    """Note the side of crossing q, whose value is v, where that is no event: it may fire again."""
    if s.side[q] * (v - s.shift[q]) < 0.0 or s.side[q] == 0:
        s.side[q] = int(v > s.shift[q]) - int(v < s.shift[q])
    if s.side[q] * v > 0.0:
        s.shift[q] = 0.0


def reset_side(m: Memory, s: Work, q: int, direction: int, changes: int) -> float:
    """Set the side of a crossing that begins anew; how it has passed while disabled, or 0."""
    before, side = s.side[q], int(m.g[q] > 0.0) - int(m.g[q] < 0.0)
    s.shift[q], s.side[q] = 0.0, side
    if side == 0 and s.passage[q] == 0:
        onward = s.direction[q] * direction > 0 and changes < layout.ENABLED
        s.side[q] = direction if onward else -s.direction[q]
    passed = side if side != 0 else s.direction[q]
    if changes < layout.ENABLED or s.passage[q] == 1 or passed == before or s.direction[q] == -passed:
        return 0.0
    return float(passed)


def explain(m: Memory, s: Work) -> None:
    """Crossings that passed zero explain what their block does. Without one, those that left zero do, and
    without those, arrivals at zero.
    """
    for q in range(m.g.size):
        if m.fired[q] == 1:
            p = s.first[q]
            while p < m.g.size and s.first[p] == s.first[q]:
                if s.samples[1, q] == 0.0 or abs(s.samples[1, p]) == 1.0:
                    s.samples[1, p] = 0.0
                p += 1


def margin(s: Common, g: Floats, q: int) -> float:
    """The distance of crossing q from its event: negative beyond it, huge if it cannot fire."""
    v = g[q] - s.shift[q]
    side = s.side[q]
    if s.turns[q] == 1:
        return np.inf
    if side == 0:
        if v == 0.0 or s.passage[q] == 1 or v * s.direction[q] < 0.0:
            return 1.0
        return float(-abs(v))
    if s.direction[q] != 0 and s.direction[q] == side:
        return np.inf
    return float(side * v)


def note_sides(s: Work, g: Floats) -> None:
    """Note the sides of crossings that changed without an event."""
    for q in range(g.size):
        note_side(s, g[q], q)


def look(code: Code, m: Memory, s: Work, time: float) -> int:
    """The zero crossings at a time within the step, into m.g."""
    interpolate(code, m, s, (time - s.t) / s.h_taken, s.x_trial)
    s.evaluations += 1
    return int(derivative(code, time, s.x_trial, s.scratch, m))
