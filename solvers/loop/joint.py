"""Algebraic loops and modes of their blocks are solved together where the modes do not settle one by one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .record import make_keep_net
from .sides import AHEAD, LEAST_AHEAD

ALONE = 16  # rounds in which modes change one by one before those of loops are solved for together


def make_look_ahead(jit: Callable[[Any], Any], derivative: Any, signals: Any) -> Any:
    @jit
    def look_ahead(code: Any, m: Any, s: Any) -> int:
        """Take modes and sides a little later, where rounding has left the modes unchanged.

        Next to a kink the signals may move by less than a spacing of doubles for many spacings of time.
        """
        ahead = max(AHEAD * min(s.h, 1.0), LEAST_AHEAD * abs(s.t))
        for i in range(m.x.size):
            s.x_trial[i] = m.x[i] + ahead * s.K[0, i]
        failed = derivative(code, s.t + ahead, s.x_trial, s.scratch, m)
        s.evaluations += 1
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

    return look_ahead


def make_joint_solution(jit: Callable[[Any], Any], derivative: Any, signals: Any) -> tuple[Any, Any, Any]:
    keep_net, look_ahead = make_keep_net(jit), make_look_ahead(jit, derivative, signals)

    @jit
    def note_modes(m: Any, s: Any) -> None:
        """Keep the modes before the instant."""
        for i in range(s.modes_before.size):
            s.modes_before[i] = m.modes[i]

    @jit
    def join(m: Any, s: Any, rounds: int) -> bool:
        """Begin to solve loops and modes together if it is time; whether it begins now."""
        if s.joint < 0 or m.modes[s.joint] == 1 or (rounds != ALONE and s.unsound == 0):
            return False
        m.modes[s.joint] = 1
        return True

    @jit
    def is_unchanged(m: Any, s: Any) -> int:
        """Whether the modes are those before the instant."""
        for i in range(m.modes.size):
            if i != s.joint and m.modes[i] != s.modes_before[i]:
                return 0
        return 1

    @jit
    def conclude(code: Any, m: Any, s: Any, noted: int) -> int:
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

    return note_modes, join, conclude
