"""Detect events that do not let time pass: chattering modes, and Zeno firings at an instant.

Chattering modes switch to and fro by events far closer together than error control would step.

A thousand zero crossings in a row are too many (MathWorks, Simulink User's Guide, "Zero-Crossing Detection").
Here the modes must also come back to what they were, so that a quantizer that climbs is none, and the steps
of the run must not suffice to reach its end, so that a narrow hysteresis is none.
"""

from __future__ import annotations

import numpy as np

from ...native.pieces import mark_cold
from ..layout import Memory, Work

CROWD = 100  # events in a row within the Zeno gap, of all crossings or of one timer, that end a run
SHARE = 1e-4  # of the step that error control takes: events closer together than that are crowded
IN_A_ROW = 1000  # crowded events that are chattering
TO_COME = 1e6  # events to the end of the run, at this pace, that it may have even if it may take fewer steps
WINDOW = 32  # events within which a mode comes back
SIMILAR = 4.0  # two ratios of gaps of a geometric sequence differ by less, where it begins from rest too
ROUNDED = 16.0 * 2.0**-52  # of t: rounding puts crossings that far from where they are, about


def accumulates(s: Work, q: int, t: float) -> bool:
    """True if firings of crossing q, one of them at t, leave no room for the next but one.

    No time is left where two gaps in a row are as small as the rounding of t; one is enough where the
    state at an event is interpolated, and may lie beyond its level by more than it rebounds. Three gaps
    that shrink by a similar ratio are a geometric sequence. Where its next gaps are as small as the
    rounding of t, the state would pass through its level, since no double lies within the rebound.
    Source: Zhang, Johansson, Lygeros, Sastry, Zeno hybrid systems, International Journal of Robust and
    Nonlinear Control 11, 2001, 435-451.
    """
    gap, before, ratio_before = t - s.fired_at[q], s.fired_gap[q], s.fired_ratio[q]
    if gap <= 0.0:
        return False
    ratio = gap / before if before > 0.0 else np.inf
    s.fired_at[q], s.fired_gap[q], s.fired_ratio[q] = t, gap, ratio
    even = ratio < 1.0 and SIMILAR * ratio >= ratio_before and ratio <= SIMILAR * ratio_before
    rounded = ROUNDED * abs(t)
    again = before > 0.0 and max(gap, before) <= rounded
    return bool(again or (even and gap * ratio * ratio <= rounded))


def value(m: Memory, i: int) -> float:
    """A mode, or after the modes a held state, which may stand for one."""
    return float(m.modes[i]) if i < m.modes.size else float(m.z[i - m.modes.size])


def begin_window(m: Memory, s: Work) -> None:
    s.came_back = 0
    for i in range(s.watch.shape[1]):
        s.watch[0, i] = value(m, i)
        s.watch[1, i] = 0.0


@mark_cold
def chatters(m: Memory, s: Work, gap: float) -> bool:
    """True if the event that has just been handled, `gap` after the one before, makes it chattering."""
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
    return bool(s.t_end - s.t > max(TO_COME, float(s.most_steps - s.steps)) * pace)
