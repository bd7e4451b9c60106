"""Sides of crossings after an instant, which slopes decide where states have moved to a crossing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

AHEAD = 1e-6  # of the next step: over so little of it a slope tells which way a crossing leaves its level
LEAST_AHEAD = 64.0 * 2.0**-52  # of t: an instant nearer than that is hardly another one
MOVING, MOVED, JUMPED = -1.0, 1.0, 2.0  # a crossing to which states move; that fired so, or by a jump


def make_arm(jit: Callable[[Any], Any], derivative: Any) -> Any:
    @jit
    def turned(m: Any, s: Any) -> bool:
        """Whether the events of this instant have changed states that flow, or their slopes."""
        for i in range(m.x.size):
            if m.x[i] != s.x_new[i] or s.K[0, i] != s.K[1, i]:
                return True
        return False

    @jit
    def arm(code: Any, m: Any, s: Any, jumped: int, fired: Any) -> int:
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
        ahead = AHEAD * min(s.h, 1.0)
        ahead = max(ahead, LEAST_AHEAD * abs(s.t))
        for i in range(m.x.size):
            s.x_trial[i] = m.x[i] + ahead * s.K[0, i]
        failed = derivative(code, s.t + ahead, s.x_trial, s.scratch, m)
        s.evaluations += 1
        if failed != 0:
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

    return arm
