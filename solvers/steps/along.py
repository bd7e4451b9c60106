"""Watch crossings along an implicit step, and continue along it after an event."""

from __future__ import annotations

from ...native.pieces import mark_cold
from .. import layout
from ..backend import Code
from ..layout import Implicit, Memory
from ..program import derivative, evaluate, interpolate, prepare

WHOLE, PART = 1, 2  # return values of `dense`: the run continues along the step to its end, or stops earlier
END = 5  # the row of D with the state where the step ends
SAME = 1e-10  # relative, of slopes: algebraic loops are solved to 1e-12, from where they were solved last


def observe(code: Code, m: Memory, s: Implicit) -> int:
    """The zero crossings along the step: at its places, by dense output, and at its end."""
    last = s.stages - 1
    guards = m.g.size
    if guards == 0:
        return 0
    for q in range(guards):
        s.G[last, q] = m.g[q]
    failed = prepare(code, m, s)
    s.t_seen, s.h_seen = s.t, s.h_taken
    for j in range(1, last):
        interpolate(code, m, s, s.C[j], s.x_trial)
        failed = derivative(code, s.t + s.C[j] * s.h_taken, s.x_trial, s.K[j], m)
        s.evaluations += 1
        if failed != 0:
            s.detail = failed
            return int(failed)
        for q in range(guards):
            s.G[j, q] = m.g[q]
    for q in range(guards):
        m.g[q] = s.G[last, q]
    return 0


def undisturbed(code: Code, m: Memory, s: Implicit) -> bool:
    """True if the run stands at an event within a step that has changed no state, and no slope ahead.

    A step that begins there begins off the slow manifold, by an error within the tolerance: where the
    flow is stiff the solution falls back onto it, and may pass the level of the event again.
    """
    end, last = s.end_dense, s.stages - 1
    if s.dense != WHOLE or s.rejected_last == 1 or m.g.size == 0 or not s.t_dense < s.t < end:
        return False
    for i in range(m.x.size):
        if m.x[i] != s.x_new[i]:
            return False
    same, t, h = True, s.t, s.h_taken
    s.t, s.h_taken = s.t_seen, s.h_seen  # the very states: a stiff flow makes much of a rounding
    for j in range(last // 2, last + 1):  # row 1 is `turned`'s, see solvers.loop.sides
        time = end if j == last else s.t + s.C[j] * s.h_taken
        if same and time > t:
            for i in range(m.x.size):
                s.x_trial[i] = s.D[END, i]
            if j < last:
                interpolate(code, m, s, s.C[j], s.x_trial)
            same = derivative(code, time, s.x_trial, s.scratch, m) == 0
            s.evaluations += 1
            for i in range(m.x.size):
                same = same and abs(s.scratch[i] - s.K[j, i]) <= SAME * abs(s.K[j, i])
    s.t, s.h_taken = t, h
    for q in range(m.g.size):
        m.g[q] = s.G[0, q]
    return same


@mark_cold
def go_on(code: Code, m: Memory, s: Implicit, target: float) -> int:
    """The rest of the step, up to `target`."""
    end = s.end_dense
    s.t_new = min(target, end)
    s.h_taken = s.t_new - s.t
    s.forced = 0
    for i in range(m.x.size):
        s.x_new[i] = s.D[END, i]
    if s.t_new < end:
        interpolate(code, m, s, 1.0, s.x_new)
        s.dense = PART
    failed = evaluate(code, s.t_new, s.x_new, s.K[s.stages - 1], m)
    s.evaluations += 1
    if failed == 0:
        failed = observe(code, m, s)
    if failed < 0:
        s.detail = failed
        return layout.KERNEL_FAILED
    if failed > 0:
        s.t_bad = s.t_new
        return layout.NONFINITE
    return 0
