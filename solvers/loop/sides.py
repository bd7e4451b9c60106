"""Sides of crossings and modes of algebraic loops after an instant, by slopes where they are at a level."""

from __future__ import annotations

from .. import layout
from ..backend import Code
from ..fields import Floats
from ..layout import Memory, Work
from ..program import derivative, evaluate_instant
from .record import keep_net

AHEAD = 1e-6  # of the next step: over so little of it a slope tells which way a crossing leaves its level
LEAST_AHEAD = 64.0 * 2.0**-52  # of t: an instant nearer than that is hardly another one
MOVING, MOVED, JUMPED = -1.0, 1.0, 2.0  # a crossing to which states move; that fired so, or by a jump


def evaluate_ahead(code: Code, m: Memory, s: Work) -> int:
    """Evaluate crossings a little later, where the slopes at the instant lead."""
    ahead = max(AHEAD * min(s.h, 1.0), LEAST_AHEAD * abs(s.t))
    for i in range(m.x.size):
        s.x_trial[i] = m.x[i] + ahead * s.K[0, i]
    s.evaluations += 1
    return int(derivative(code, s.t + ahead, s.x_trial, s.scratch, m))


def turned(m: Memory, s: Work) -> bool:
    """True if the events of this instant have changed states that flow, or their slopes."""
    for i in range(m.x.size):
        if m.x[i] != s.x_new[i] or s.K[0, i] != s.K[1, i]:
            return True
    return False


def signals(code: Code, m: Memory, s: Work) -> int:
    """All signals at (t, x), with the slope into K[0]."""
    failed = evaluate_instant(code, s.t, m.x, s.K[0], m)
    s.evaluations += 1
    s.stale = 0
    s.unsound = int(failed > 0)
    if failed < 0:
        s.detail = failed
        return layout.KERNEL_FAILED
    return 0


def arm(code: Code, m: Memory, s: Work, jumped: int, fired: Floats) -> int:
    """Set the sides of crossings for the time after an instant.

    A crossing to which states moved, and whose event has turned their motion, sits at zero but for
    rounding. It is judged by its slope, so that a bouncing ball neither fires again nor falls through;
    the level at which it sits then counts as its zero until it has left it. What only counts turns
    nothing, and its value is beyond zero; so is a value that a jump has put there.
    """
    guards = m.g.size
    unclear = 0
    for q in range(guards):
        s.G[0, q] = m.g[q]
        if fired[q] == MOVED and s.direction[q] != 0 and s.passage[q] == 0 and jumped == 1:
            unclear = 1
    if unclear == 0 or not turned(m, s):
        return 0
    if evaluate_ahead(code, m, s) != 0:
        return 0
    for q in range(guards):
        slope = m.g[q] - s.G[0, q]
        v = s.G[0, q]
        way = s.direction[q]
        if fired[q] == MOVED and way != 0 and s.passage[q] == 0:
            if v * way < 0.0:
                s.side[q] = -way
                s.shift[q] = 0.0
            elif slope * way <= 0.0:
                s.side[q] = -way
                s.shift[q] = v
            else:
                s.side[q] = way
                s.shift[q] = 0.0
        m.g[q] = v
    return 0


ALONE = 16  # rounds in which modes change one by one, before loops are solved together with their modes


def look_ahead(code: Code, m: Memory, s: Work) -> int:
    """Take modes and sides a little later, where rounding has left the modes unchanged.

    Next to a kink the signals may move by less than a spacing of doubles for many spacings of time.
    """
    failed = evaluate_ahead(code, m, s)
    for q in range(m.g.size):
        s.G[0, q] = m.g[q]
    m.modes[s.joint] = 0
    if failed != 0:
        for i in range(m.modes.size):
            m.modes[i] = s.modes_before[i]
    again = signals(code, m, s)
    if failed != 0 or again != 0:
        return int(again)
    for q in range(m.g.size):
        later = s.G[0, q] - s.shift[q]
        if s.direction[q] == 0 and s.passage[q] == 0 and s.turns[q] == 0 and later != 0.0:
            s.side[q] = int(later > 0.0) - int(later < 0.0)
            if s.side[q] * (m.g[q] - s.shift[q]) <= 0.0:
                s.shift[q] = m.g[q] - s.side[q] * abs(later)
    return 0


def note_modes(m: Memory, s: Work) -> None:
    """Keep the modes before the instant."""
    for i in range(s.modes_before.size):
        s.modes_before[i] = m.modes[i]


def join(m: Memory, s: Work, rounds: int) -> bool:
    """Begin to solve loops and modes together if it is time; True if it begins now."""
    if s.joint < 0 or m.modes[s.joint] == 1 or (rounds != ALONE and s.unsound == 0):
        return False
    m.modes[s.joint] = 1
    return True


def is_unchanged(m: Memory, s: Work) -> int:
    """1 if the modes are as they were before the instant."""
    for i in range(m.modes.size):
        if i != s.joint and m.modes[i] != s.modes_before[i]:
            return 0
    return 1


def conclude(code: Code, m: Memory, s: Work, noted: int) -> int:
    """Set sides and events of an instant at which modes were solved for with their loops."""
    if s.joint < 0 or m.modes[s.joint] == 0:
        return 0
    unchanged = is_unchanged(m, s)
    if unchanged == 1:
        failed = look_ahead(code, m, s)
        if failed != 0:
            return int(failed)
        unchanged = is_unchanged(m, s)
    m.modes[s.joint] = 0
    for q in range(m.g.size):
        if m.g[q] == s.shift[q] and s.direction[q] == 0 and s.passage[q] == 0:
            s.side[q] = 0
    if unchanged == 1:
        s.event_rows = noted
    else:
        keep_net(s, noted)
    return 0
