"""Chattering: modes that switch to and fro by events far closer together than error control would step.

A thousand zero crossings in a row are too many (MathWorks, Simulink User's Guide, "Zero-Crossing Detection").
Here the modes must also come back to what they were, so that a quantizer that climbs is none, and the end of
the run must be out of sight, so that a narrow hysteresis is none.
"""

from __future__ import annotations

from typing import Any

from ..backend import Backend

CROWD = 100  # events in a row within the Zeno gap, of all crossings or of one timer, that end a run
SHARE = 1e-4  # of the step that error control takes: events closer together than that are crowded
IN_A_ROW = 1000  # crowded events that are chattering
TO_COME = 1e6  # events to the end of the run, at the pace of those, below which it may go on
WINDOW = 32  # events within which a mode comes back


def make_chatters(backend: Backend) -> Any:
    jit, apart = backend.jit, backend.apart

    @jit
    def value(m: Any, i: int) -> float:
        """A mode, or behind the modes a held state, which may stand for one."""
        return float(m.modes[i]) if i < m.modes.size else float(m.z[i - m.modes.size])

    @jit
    def begin_window(m: Any, s: Any) -> None:
        s.came_back = 0
        for i in range(s.watch.shape[1]):
            s.watch[0, i] = value(m, i)
            s.watch[1, i] = 0.0

    @apart
    def chatters(m: Any, s: Any, gap: float) -> bool:
        """Whether the event that has just been handled, `gap` after the one before, makes it chattering."""
        step = max(s.h, s.h_taken) if s.adaptive == 1 else s.h_fixed
        if not gap < SHARE * step:
            s.close = 0
            return False
        count = s.close
        if count % WINDOW == 0:
            if count == 0 or s.came_back == 0:
                count = 0
                s.t_close = s.t
            begin_window(m, s)
        for i in range(s.watch.shape[1]):
            if value(m, i) != s.watch[0, i]:
                s.watch[1, i] = 1.0
            elif s.watch[1, i] == 1.0:
                s.came_back = 1
                s.switcher = i
        s.close = count + 1
        if count < IN_A_ROW:
            return False
        pace = (s.t - s.t_close) / count
        return bool(s.t_end - s.t > TO_COME * pace)

    return chatters
