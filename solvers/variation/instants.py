"""Derivatives of event times, detection of simultaneous events and of events without effect.

Here are also the derivatives of crossings and signals with respect to time.
"""

from __future__ import annotations

import numpy as np

from ...native.pieces import mark_cold
from .. import layout
from ..backend import Code
from ..events.dip import GRAZE
from ..events.margin import margin
from ..events.timer import DUE, HELD, LISTED, instant, rounding
from ..events.turn import SPACING
from ..layout import Memory, Work
from ..program import derivative
from .fields import Variation, signals_tangent, variation

SLOW = 1e-9  # of a crossing's largest value: less in as much time as has passed is rounding
STEEP = 0.1  # of a crossing's value where the step began: one that comes faster does not touch its level
AT_ONCE = 4.0 * SPACING  # of the time and of a step: a turn so soon is a kink that the last instant made
SMOOTH = 1e-4  # of a value: its largest shift by the time of a turn, in as much time as has passed
APART = 1e-4  # of two derivatives of instants: below they are those of one instant, but for errors of S
EARLY = 1e-9  # of a step: so soon events tell to which side of a level a run leaves it, and nothing meets
ROUNDED = 8.0 * 2.0**-52  # of the time: instants that are one, but for rounding
TICKS = -2  # less i: timer i in the place of a crossing
UNSEEN = 1e-3  # of a step's tolerance: a change of slopes that makes less of it


def seen(m: Memory, s: Work, v: Variation) -> bool:
    """True if something jumps at the event, or slopes change by more than rounding.

    `v.x` are the slopes before, at the very state that those behind are of: what changes nothing leaves
    all their bits.
    """
    step = max(s.h, s.h_taken)
    for i in range(m.z.size):
        if m.z[i] != v.held[i]:
            return True
    for i in range(m.x.size):
        bound = UNSEEN * (s.atol[i] + s.rtol[i] * abs(m.x[i]))
        if m.x[i] != s.x_new[i] or abs(s.K[0, i] - v.x[i]) * step > bound:
            return True
    return False


def touches(s: Work, v: Variation, q: int, rate: float) -> bool:
    """True if crossing q turns back, by the parabola of the step, after less than the run's own error."""
    before, change = abs(s.G[0, q] - s.shift[q]), abs(rate) * v.step
    return bool(change <= STEEP * before and change * change <= 4.0 * before * GRAZE * s.tightest * v.most[q])


def turning(m: Memory, s: Work) -> int:
    """The crossing that turns at this instant, or -1."""
    for q in range(m.g.size):
        if s.turns[q] == 1 and s.turned[q] == 1:
            return q
    return -1


def smooth(m: Memory, s: Work, v: Variation) -> bool:
    """True if nothing after a turn depends on its time: along the spare direction, in which it moves
    as the time does, nothing has moved. That direction is then free again.
    """
    passed, same = s.t - s.t_start, True
    for k in range(s.previous.shape[0]):  # known anew before the next instant
        v.z_d[s.previous[k, 1], v.spare] = 0.0
    for i in range(m.x.size):
        size = (abs(v.x[i]) + abs(s.K[0, i])) * passed + abs(m.x[i])
        same = same and abs(v.x_d[i, v.spare]) * passed <= SMOOTH * size
        v.x_d[i, v.spare] = 0.0
    for i in range(m.z.size):
        same = same and abs(v.z_d[i, v.spare]) * passed <= SMOOTH * v.most[v.crossing]
        v.z_d[i, v.spare] = 0.0
    v.instant_d[v.spare] = 0.0
    return bool(same)


def meeting(m: Memory, s: Work, v: Variation) -> None:
    """Note a crossing that is passed at this instant too, but would not be at the one it moves to."""
    for q in range(m.g.size):
        if q == s.last_crossing or s.passage[q] == 1 or not margin(s, m.g, q) < 0.0:
            continue
        rate = v.bare_g[q, 0]
        if abs(rate) * (s.t - s.t_start) <= SLOW * v.most[q]:
            continue
        for d in range(v.lanes):
            if differ(v.instant_d[d], -v.g_d[q, d] / rate):
                v.meeting = q


def nearly_meeting(s: Work, v: Variation, matters: bool) -> None:
    """Note an instant that only rounding keeps from the last one, and that moves differently."""
    if v.event == -1:
        return
    near = v.crossing < 0 and s.t - v.before_at <= ROUNDED * abs(s.t) and (matters or v.mattered == 1)
    met = False
    for d in range(v.lanes):
        met |= near and differ(v.instant_d[d], v.before_d[d])
        v.before_d[d] = v.instant_d[d]
    if met:
        v.met += 1
        v.met_at = s.t
        v.meets[0], v.meets[1] = v.before, v.event
    v.before, v.mattered = v.event, int(matters)
    v.before_at = s.t if v.crossing < 0 else -np.inf


def differ(one: float, other: float) -> bool:
    """True if two derivatives belong to different event times."""
    return abs(one - other) > APART * max(abs(one), abs(other))


def instant_derivative(m: Memory, s: Work, v: Variation, i: int, d: int) -> float:
    """The derivative of the instant of timer i with respect to direction d."""
    number, count = m.modes[s.timers[i, layout.MODE]], s.timers[i, layout.COUNT]
    kind, row = s.timers[i, layout.RATIONAL], v.timers_at[i]
    if kind == HELD:
        due, value = s.timer_floats[s.timers[i, layout.DATA] + DUE], 0.0
        for k in range(s.timers[i, layout.OFFSET], s.timers[i, layout.OFFSET] + count):
            if m.z[k] == due:
                value = v.z_d[k, d]
        return float(value)
    if kind == LISTED:
        return float(v.timers_d[row + number, d])
    cycle = number // count
    phase = v.timers_d[row + 2 + number - cycle * count, d]
    return float(v.timers_d[row, d] + cycle * v.timers_d[row + 1, d] + phase)


def due_instant(m: Memory, s: Work, v: Variation, crossing: bool) -> None:
    """The derivative of the instant of the timers that are due, which have to have the same, and that of
    the crossing that is passed there too.
    """
    due, first, last = 0, 0, s.t + rounding(s.t, s.t_start)
    for i in range(s.timers.shape[0]):
        if instant(s.timers, s.timer_integers, s.timer_floats, i, m.modes[s.timers[i, layout.MODE]]) <= last:
            for d in range(v.lanes):
                moves = instant_derivative(m, s, v, i, d)
                if crossing:
                    if differ(moves, v.instant_d[d]):
                        v.meeting = TICKS - i
                    continue
                if due == 1 and differ(moves, v.instant_d[d]):
                    v.met += 1
                    v.met_at = s.t
                    v.meets[0], v.meets[1] = TICKS - first, TICKS - i
                v.instant_d[d] = moves
                if due == 0:
                    first, v.event = i, TICKS - i
            due = 1


@mark_cold
def flow(code: Code, m: Memory, s: Work) -> int:
    """How crossings and signals move along time, where the state moves with v.x: bare_g and w_rate."""
    v: Variation = variation(code)
    v.flow_time[0] = 1.0
    for i in range(m.x.size):
        v.flow_x[i, 0] = v.x[i]
    failed = signals_tangent(
        code, s.t, v.flow_time, m.x, v.flow_x, s.scratch, v.slopes_d, m, v.bare, v.bare_w
    )
    for k in range(v.w_rate.size):
        v.w_rate[k] = v.bare_w[k, 0]
    v.bare_w[:, :] = 0.0  # constant signals are read from there
    return int(failed)


def look(code: Code, m: Memory, s: Work) -> int:
    """The signals of the run at its time with their derivatives and, where it is `rated`, those along time;
    the slopes in v.x.
    """
    v: Variation = variation(code)
    failed = derivative(code, s.t, m.x, v.x, m)
    if failed >= 0 and v.rated == 1:
        failed = flow(code, m, s)
    if failed >= 0:
        failed = signals_tangent(code, s.t, v.time_d, m.x, v.x_d, s.scratch, v.slopes_d, m, v.shadows, v.w_d)
    return int(failed)
