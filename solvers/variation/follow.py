"""The derivatives of a run are carried along its steps and through its events.

Along a step see `parts`; the run's derivatives at its ends are those of the run's own numbers. Through an
instant T at which a crossing g(t, x, p) = 0 is located,

    dT = -(g_x S + g_p) / (g_x f + g_t)        the derivative of the instant
    S <- S + f- dT                             the state at it
    S <- r_x S + r_t dT + r_p                  what happens there
    S <- S - f+ dT                             the state at a given time behind it

which is the saltation matrix where nothing but the state jumps. Where a crossing hardly moves, dT is not
known; it does not matter where nothing jumps and slopes go on as they were, as at a zero of |e| that e only
touches, or at which a loop has come to rest. The dT of a turn is not known either: it does not matter where a
spare direction with dT = 1 leaves nothing behind the instant. Elsewhere such an instant is counted, to be
refused, and so is one at which crossings or ticks meet whose instants move differently: which comes first
depends on the way.
Instants of clocks and lists have the derivative of their numbers; those that a state announces, that of the
state.

Source: Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I (1993), section II.6; Hiskens and
Pai, IEEE Trans. Circuits and Systems I 47 (2000) 204-220.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...native.pieces import mark_cold, mark_inline
from .. import layout, program
from ..backend import Backend, Code, PhaseAt, Settle
from ..events.timer import next_time
from ..fields import Floats
from ..layout import Memory, Work
from ..program import evaluate
from .closed import make_closed
from .fields import (
    AT_BEGIN,
    DERIVATIVE,
    EVALUATE,
    NOWHERE,
    REACT,
    REMEMBER,
    UPDATE,
    Variation,
    part,
    settle,
    signals_tangent,
    slopes_tangent,
    start,
    state_at,
    variation,
)
from .histories import along
from .instants import (
    AT_ONCE,
    EARLY,
    SLOW,
    due_instant,
    flow,
    meeting,
    nearly_meeting,
    seen,
    smooth,
    touches,
    turning,
)
from .parts import explicit_part, implicit_part


class SensitivityFunctions(NamedTuple):
    """The additional functions of a loop with derivatives.

    carry    (code, m, s): the derivatives along the step that is about to be accepted
    along    (code, m, s): what blocks with a history keep of the step, with its derivatives
    settle   (code, m, s, first): an instant with the derivatives of what happens at it
    """

    carry: Any
    along: Any
    settle: Settle


@mark_inline
def carry_nothing(code: Code, m: Memory, s: Work) -> int:
    """Carry nothing along a step, in runs without derivatives."""
    return 0


def carry(code: Code, m: Memory, s: Work) -> int:
    """From S at the step's begin to S at its end; signals are then those of some stage."""
    v: Variation = variation(code)
    s.stale = 1
    v.step = s.t_new - s.t
    if s.touched >= 0:  # on one side of this run there is an event, on the other there is none
        v.met += 1
        v.met_at = s.t_new
        v.meets[0], v.meets[1] = s.touched, -1
        s.touched = -1
    for q in range(m.g.size):
        v.most[q] = max(v.most[q], abs(s.G[0, q]))
    if v.carried == 1:
        v.carried = 0
        return 0
    start(m, v, m.x, v.x_row)
    return int(part(code, m, s, s.t, s.t_new - s.t, v.tried == s.t_new))


def move_instant(code: Code, m: Memory, s: Work, turn: int, at_once: bool) -> int:
    """The derivative of the instant, and the state's at it; that of a turn `at_once` is there."""
    v: Variation = variation(code)
    n, lanes, t, f = m.x.size, v.lanes, s.t, v.x
    x_d, g_d, time_d, instant_d = v.x_d, v.g_d, v.time_d, v.instant_d
    crossed, due, moving = s.t_bad < np.inf, next_time(s, m) <= t, False
    failed = evaluate(code, t, m.x, f, m)
    if failed >= 0 and crossed:
        failed = flow(code, m, s)
    if failed >= 0 and crossed:
        failed = signals_tangent(code, t, time_d, m.x, x_d, s.scratch, v.slopes_d, m, v.shadows, v.w_d)
    if failed < 0:
        s.detail = failed
        return layout.KERNEL_FAILED
    q = s.last_crossing
    v.event = turn if turn >= 0 else q if crossed else -1
    if turn >= 0 and not due and not at_once:
        v.crossing, instant_d[v.spare] = turn, 1.0
    elif turn < 0 and crossed:
        rate = v.bare_g[q, 0]
        if abs(rate) * (t - s.t_start) <= SLOW * v.most[q]:
            v.crossing = q
        else:
            v.within = int(touches(s, v, q, rate))
            v.crossing = q if v.within == 1 else -1
            for d in range(lanes):
                instant_d[d] = -g_d[q, d] / rate
            if v.most[q] <= SLOW * abs(rate) * (t - s.t_start):
                v.event = -1  # it has never been away from its level
            moving = t - s.t_start > EARLY * s.h
            if moving:
                meeting(m, s, v)
    if due and (moving or not crossed or turn >= 0):
        due_instant(m, s, v, moving)
    moved = 0
    for d in range(lanes):
        if instant_d[d] != 0.0:
            moved = 1
    if moved == 1:
        for i in range(n):
            for d in range(lanes):
                x_d[i, d] += f[i] * instant_d[d]
        for d in range(lanes):
            time_d[d] = instant_d[d]
    if s.previous.shape[0] > 0:
        signals_tangent(code, t, time_d, m.x, x_d, s.scratch, v.slopes_d, m, v.shadows, v.w_d)
    for k in range(s.previous.shape[0]):
        for d in range(lanes):
            v.z_d[s.previous[k, 1], d] = v.w_d[s.previous[k, 0], d]
    s.stale = 0 if due else 1  # the signals after a tick are evaluated anew
    return 0


@mark_cold
def settle_followed(code: Code, m: Memory, s: Work, first: int) -> int:
    """The event time T with the derivatives of the events there."""
    v: Variation = variation(code)
    lanes = v.lanes
    v.behind, v.first_stage = 1, NOWHERE
    turn = turning(m, s) if first == 0 else -1
    soon = AT_ONCE * max(abs(s.t), s.h_taken)
    at_once = turn >= 0 and v.crossing < 0 and s.t - v.last_at <= soon
    v.crossing, v.meeting, v.within = -1, -1, 0
    v.last_at = s.t
    for i in range(m.z.size):
        v.held[i] = m.z[i]
    for d in range(lanes):
        v.instant_d[d] = v.instant_d[d] if at_once else 0.0
    if first == 0:
        failed = move_instant(code, m, s, turn, at_once)
        if failed != 0:
            return int(failed)
    failed = settle(code, m, s, first)
    moved = s.delays.shape[0] > 0
    for d in range(lanes):
        moved = moved or v.instant_d[d] != 0.0
    if not moved:  # the slopes after the instant belong to its signals
        v.first_stage = AT_BEGIN
        for i in range(m.x.size):
            v.slopes[0, i] = s.K[0, i]
        for e in range(m.x.size * v.lanes):
            v.stage_rows[0, e] = v.slopes_row[e]
    for d in range(lanes):
        v.time_d[d] = 0.0
        if v.instant_d[d] != 0.0:
            for i in range(m.x.size):
                v.x_d[i, d] -= s.K[0, i] * v.instant_d[d]
    matters = failed == layout.STOPPED or seen(m, s, v)
    decides = v.crossing >= 0 and matters
    if v.crossing >= 0 and s.turns[v.crossing] == 1:
        decides = not smooth(m, s, v) or failed == layout.STOPPED
    if decides and v.within == 1:
        v.met += 1
        v.met_at = s.t
        v.meets[0], v.meets[1] = v.crossing, -1
    elif decides:
        v.grazed += 1
        v.grazing = v.crossing
    if v.meeting != -1 and matters:
        v.met += 1
        v.met_at = s.t
        v.meets[0], v.meets[1] = s.last_crossing, v.meeting
    if first == 0:
        nearly_meeting(s, v, matters)
    return int(failed)


def make_tangent(number: int) -> Any:
    """Make the function of a program with its derivatives, where the state is that of the run."""
    from ..calls import caller

    call = caller(number)

    def function(code: Code, t: float, x: Floats, dx: Floats, m: Memory) -> int:
        v: Variation = variation(code)
        return int(call(code, t, v.time_d, x, v.x_d, dx, v.slopes_d, m, v.shadows))

    return function


def evaluate_followed(code: Code, t: float, x: Floats, dx: Floats, m: Memory) -> int:
    """All signals with their derivatives, where the state is that of the run."""
    v: Variation = variation(code)
    return int(signals_tangent(code, t, v.time_d, x, v.x_d, dx, v.slopes_d, m, v.shadows, v.w_d))


def remember_tangent(code: Code, t: float, x: Floats, dx: Floats, m: Memory) -> int:
    """The signals into histories with their derivatives; `link` links it."""
    raise NotImplementedError


def remember_followed(code: Code, t: float, x: Floats, dx: Floats, m: Memory) -> int:
    """After the signals if there are loops, which it does not solve."""
    if variation(code).cuts.shape[0] > 0:
        failed = evaluate_followed(code, t, x, dx, m)
        if failed < 0:
            return int(failed)
    return int(remember_tangent(code, t, x, dx, m))


def link(
    backend: Backend, state_within: PhaseAt, settle_plainly: Settle, *, explicit: bool
) -> SensitivityFunctions:
    """Link the names that `fields` declares, and the functions at an instant to ones with derivatives."""
    from ..calls import caller

    closed = make_closed(backend)
    assert backend.names is not None
    backend.names.update(
        {
            variation: backend.variation,
            slopes_tangent: closed(caller(DERIVATIVE), backend.derivative),
            signals_tangent: closed(caller(EVALUATE), backend.evaluate),
            part: explicit_part if explicit else implicit_part,
            state_at: state_within, settle: settle_plainly,
            program.evaluate_instant: evaluate_followed, program.react: make_tangent(REACT),
            program.update: make_tangent(UPDATE), program.remember_instant: remember_followed,
            remember_tangent: make_tangent(REMEMBER),
        }
    )  # fmt: skip
    return SensitivityFunctions(carry, along, settle_followed)
