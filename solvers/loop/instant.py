"""At one instant timers, events and ticks are processed until nothing changes any more.

Hybrid systems as in Goebel, Sanfelice, Teel, Hybrid Dynamical Systems (2012): the continuous part stands
still while modes and states jump. Sampled blocks see the signals after all modes have settled.
"""

from __future__ import annotations

import numpy as np

from ...native.pieces import mark_cold
from .. import layout
from ..backend import Code
from ..events.chatter import CROWD, accumulates
from ..events.margin import explain, margin, note_side, reset_side
from ..events.timer import HELD, announce, creeps, instant, next_time, pass_by, rounding
from ..fields import Floats
from ..layout import Memory, Work
from ..program import react, update
from .delays import here
from .record import CROSSING, TIMER, event, row
from .sides import JUMPED, MOVED, MOVING, arm, conclude, join, note_modes, signals

ROUNDS = 200  # rounds of events at one instant before it is called unsettled
LEAVES = 2.0  # zero, where a crossing has been at rest; 1: it arrives there
HUGE = 1e300  # states from here on are as good as infinite: their squares are


def ring(m: Memory, s: Work, t: float, near: float) -> int:
    """Count the timers due up to `near` after t; their clocks' ticks are marked. 1 when one is."""
    due = 0
    for i in range(s.timers.shape[0]):
        slot = s.timers[i, layout.MODE]
        clock = s.timers[i, layout.HIT]
        counted = 0
        while instant(s.timers, s.timer_integers, s.timer_floats, i, m.modes[slot]) <= t + near:
            m.modes[slot] += 1
            s.causes += 1
            counted = 1
            if s.timers[i, layout.RATIONAL] == HELD:
                pass_by(s, m, i, t, near)
        if counted == 1:
            due = 1
            if clock >= 0:
                m.hit[clock] = 1
            else:
                s.time_events += 1
                event(s, t, TIMER, i, 0)
    return due


def fire(m: Memory, s: Work, t: float, fired_before: Floats, settled: bool) -> int:
    """Mark the crossings whose sign has changed; 1 when there was one. Passages wait for the modes.

    One that arrives at zero, or is looked at again, is an event once its block changes.
    """
    some = 0
    pending = s.samples[1]
    for q in range(m.g.size):
        if s.passage[q] == 1 and not settled:
            continue
        changes, direction = m.fresh[q], int(pending[q])
        pending[q] = 0.0
        if changes != 0:
            m.fresh[q] = 0
            if direction != 0 and changes < layout.ENABLED:
                s.causes += 1
                event(s, t, CROSSING, q, direction)
                s.side[q] = direction if s.direction[q] != 0 else 0
            if changes != layout.STATE_CHANGED:
                fired_before[q] = 0.0
                pending[q] = reset_side(m, s, q, direction, changes)
                continue
        v = m.g[q] - s.shift[q]
        if s.turns[q] == 1:
            if s.turned[q] == 1:
                s.turned[q] = 0
                m.fired[q] = 1
                some = 1
                event(s, t, CROSSING, q, s.direction[q])
        elif margin(s, m.g, q) < 0.0:
            m.fired[q] = 1
            s.causes += 1
            fired_before[q] = MOVED if fired_before[q] == MOVING else JUMPED
            some = 1
            side = int(v > 0.0) - int(v < 0.0)
            if s.side[q] == 0:
                pending[q] = LEAVES
            else:
                event(s, t, CROSSING, q, side)
            s.side[q], s.shift[q] = side, 0.0
        else:
            if v == 0.0 and s.G[0, q] != s.shift[q] and s.direction[q] * s.side[q] <= 0:
                pending[q] = -float(s.side[q])
            note_side(s, m.g[q], q)
    if some == 1:
        explain(m, s)
    return some


def record_departures(m: Memory, s: Work, t: float, changed: int) -> None:
    """Crossings that have left zero are events if something changes; none is fired any more."""
    for q in range(m.g.size):
        m.fired[q] = 0
        if s.samples[1, q] == LEAVES:
            s.samples[1, q] = 0.0
            if changed == 1:
                event(s, t, CROSSING, q, s.side[q])


def crowds(m: Memory, s: Work, fired: Floats) -> None:
    """Note the state that jumps, and whether the firings of this instant accumulate."""
    if s.crowded == 0:
        s.jumper = -1
    for i in range(m.x.size):
        if m.x[i] != s.x_new[i]:
            s.jumper = i
    for q in range(m.g.size):
        if fired[q] > 0.0 and (s.direction[q] != 0 or s.side[q] == 1) and accumulates(s, q, s.t):
            s.crowded = CROWD + 1


def take_left_limit(code: Code, m: Memory, s: Work) -> int:
    """The signals just before the instant: their row, and what blocks see of them as previous ones."""
    if s.stale == 1:
        failed = signals(code, m, s)
        if failed != 0:
            return failed
    if s.gridded == 0 and s.unsound == 0:
        row(m, s, s.t, m.x, layout.LEFT)
    for i in range(s.previous.shape[0]):
        m.z[s.previous[i, 1]] = m.w[s.previous[i, 0]]
    return 0


def begin_instant(code: Code, m: Memory, s: Work, first: int) -> int:
    """The left limit, and nothing fired yet."""
    s.unsound = 0
    s.creeping = -1
    s.causes = 0
    for i in range(s.delays.shape[0]):
        s.passed[i] = m.z[s.delays[i, layout.PASSED]]
    if first == 0:
        failed = take_left_limit(code, m, s)
        if failed != 0:
            return failed
    for q in range(m.g.size):
        moving = first == 0 and s.t_bad < np.inf and margin(s, m.g, q) < 0.0
        s.samples[1, q] = 0.0
        s.samples[0, q] = MOVING if moving else 0.0
    note_modes(m, s)
    return 0


def fire_timers(code: Code, m: Memory, s: Work, first: int) -> tuple[int, int]:
    """A failure, and 1 if timers are due; the signals at the instant."""
    if first == 1:
        announce(s, m)
    due = ring(m, s, s.t, rounding(s.t, s.t_start) if next_time(s, m) <= s.t else 0.0)
    failed = 0
    if first == 1 or due == 1:
        failed = signals(code, m, s)
    if first == 1:
        for q in range(m.g.size):
            m.fresh[q] = 1
    return failed, due


def fire_crossings(code: Code, m: Memory, s: Work, due: int) -> tuple[int, int, int]:
    """Rounds of events until nothing changes: a failure, 1 if something jumped, and 1 if timers are due."""
    jumped = 0
    passages = 0
    for q in range(m.g.size):
        passages |= s.passage[q]
    changed = 1
    settled = False
    rounds = 0
    while changed == 1 or not settled:
        settled = changed == 0 or passages == 0
        if fire(m, s, s.t, s.samples[0], settled) == 1 and jumped == 0:
            for i in range(m.x.size):
                s.K[1, i] = s.K[0, i]
        changed = react(code, s.t, m.x, s.scratch, m)
        record_departures(m, s, s.t, changed)
        if changed < 0:
            s.detail = changed
            return layout.KERNEL_FAILED, jumped, due
        if changed == 1:
            jumped = 1
            s.announcer = -1
            announce(s, m)
            due |= ring(m, s, s.t, 0.0)  # it may have announced this very instant
            failed = signals(code, m, s)
            if failed != 0:
                return failed, jumped, due
        rounds += 1
        if rounds > ROUNDS:
            return layout.UNSETTLED, jumped, due
        if join(m, s, rounds):
            changed = 1
            failed = signals(code, m, s)
            if failed != 0:
                return failed, jumped, due
    return 0, jumped, due


def update_held(code: Code, m: Memory, s: Work) -> int:
    """The held states whose clocks tick at this instant."""
    ticked = 0
    for c in range(m.hit.size):
        ticked |= m.hit[c]
    if ticked == 1:
        failed = update(code, s.t, m.x, s.scratch, m)
        if failed < 0:
            s.detail = failed
            return layout.KERNEL_FAILED
        for c in range(m.hit.size):
            m.hit[c] = 0
    return 0


def end_instant(code: Code, m: Memory, s: Work, first: int, jumped: int) -> int:
    """The right limit: sides of crossings, crowded firings, the row, and blocks that end the run."""
    if s.creeping >= 0:
        s.creeping = creeps(s, m, s.t)
    for i in range(m.x.size):
        if not abs(m.x[i]) < HUGE:
            s.t_bad = s.t
            return layout.NONFINITE
    arm(code, m, s, jumped, s.samples[0])
    if jumped == 1:
        crowds(m, s, s.samples[0])
    if s.gridded == 0:
        row(m, s, s.t, m.x, layout.INITIAL if first == 1 else layout.RIGHT)
    for i in range(s.stop_modes.size):
        if m.modes[s.stop_modes[i]] != 0:
            return layout.STOPPED
    return 0


@mark_cold
def settle(code: Code, m: Memory, s: Work, first: int) -> int:
    """Handle the instant T: 0, or the reason why the run ends here."""
    failed = begin_instant(code, m, s, first)
    if failed != 0:
        return failed
    noted = s.event_rows
    failed, due = fire_timers(code, m, s, first)
    if failed != 0:
        return failed
    failed, jumped, due = fire_crossings(code, m, s, due)
    if failed != 0:
        return failed
    if s.unsound == 1:
        s.t_bad = s.t
        return layout.NONFINITE
    failed = conclude(code, m, s, noted)
    if failed != 0:
        return failed
    changed = first == 1 or jumped == 1 or due == 1
    if jumped == 0 and due == 0:
        s.event_rows = noted  # a sign changed, but nothing followed from it
    failed = update_held(code, m, s)
    if failed != 0:
        return failed
    if jumped == 1 or due == 1:
        s.at_hand = 0
    if s.delays.shape[0] > 0 and changed:
        failed = here(code, m, s)
        if failed != 0:
            return failed
    return end_instant(code, m, s, first, jumped)
