"""Backward steps: attempts until one is within the tolerance, their lengths and orders.

The differences belong to steps of one length and are interpolated where it changes, which happens once in
order + 1 steps at most. They are the step's polynomial too: dense output costs nothing.

Source: Shampine and Reichelt, The MATLAB ODE Suite, SIAM Journal on Scientific Computing 18(1) (1997), 1-22,
doi:10.1137/S1064827594276424, section 2; Hairer and Wanner, Solving Ordinary Differential Equations II
(1996), section V.2.
"""

from __future__ import annotations

import numpy as np

from ...native.pieces import mark_inline
from .. import layout
from ..backend import Backend, Code, Margin
from ..fields import Floats
from ..layout import Backward, Memory
from ..methods.bdf import NUMBERS
from ..methods.method import Steps
from ..program import evaluate
from .along import END, WHOLE, go_on, observe, undisturbed
from .backward_newton import CHANGE, PREDICTED, constant_of, mean, ready, settled
from .control import Control, first_step, fit_once, make_within_tolerance

FAILING = 0.25  # of the step where Newton's method fails
LONGER, SHORTER = 1.2, 0.9  # times the step: factors in between keep it
GROW, SHRINK = 10.0, 0.2
AIM = 6.0  # the error at which a step is aimed fits into the tolerance so often: errors of steps add up
UNSETTLED = 2  # return value of `arrive` if Newton's method has to continue
ANEW = 1e-4  # of the step before an instant: where a state is nearly 0, its slope suggests far shorter ones
MOST_ORDER = NUMBERS.order
error_of = constant_of(NUMBERS.errors)


def prepare(code: Code, m: Memory, s: Backward) -> int:
    """Dense output needs nothing besides."""
    return 0


def difference_norm(s: Backward, row: int) -> float:
    """The size of the differences of a row of the table, as `error_norm` takes it."""
    return float(mean(s, s.differences[row], s.x_new, s.x_new))


def error_norm(m: Memory, s: Backward) -> float:
    """Root mean square of the step's error in units of atol + rtol |x|; its largest part is noted."""
    change, x_new = s.U[CHANGE], s.x_trial
    size = error_of(s.bdf_order) * mean(s, change, m.x, x_new)
    if not size <= 1.0:
        worst = -1.0
        for i in range(m.x.size):
            e = abs(change[i]) / (s.atol[i] + s.rtol[i] * max(abs(m.x[i]), abs(x_new[i])))
            if not e <= worst:
                worst = e
                s.bad_state = i
    return float(size)


def factor_of(order: int, error: float) -> float:
    """The step that is aimed at, over the one that had this error."""
    return float((AIM * error) ** (-1.0 / (order + 1))) if error > 0.0 else GROW


def choose(s: Backward, error: float) -> None:
    """The length and the order of the next step.

    Where higher differences are as large as lower ones, no polynomial through the last steps has to do
    with the solution: an oscillation grows that the formula does not damp. Then the order is lowered, and
    it is raised only while they fall, as in DASSL (Brenan, Campbell and Petzold, Numerical Solution of
    Initial-Value Problems in Differential-Algebraic Equations (1996), chapter 5).
    """
    order = s.bdf_order
    s.equal_steps += 1
    s.h, s.next_order = s.h_dense, order
    if s.equal_steps <= order:
        return
    up, down, next_size = order + 1, order - 1, difference_norm(s, order + 1)
    best, chosen = factor_of(order, error), order
    flat = order > 2 and next_size >= max(difference_norm(s, order), difference_norm(s, down))
    if order > 1:
        factor = factor_of(down, error_of(down) * difference_norm(s, down + 1))
        if flat or factor > best:
            best, chosen = factor, down
    if order < MOST_ORDER and not flat:
        size = difference_norm(s, order + 2)
        factor = factor_of(up, error_of(up) * size)
        if size < next_size and factor > best:
            best, chosen = factor, up
    best = min(GROW, best)
    if flat or best > LONGER or best < SHORTER:
        s.h, s.next_order = best * s.h_dense, chosen


def arrive(code: Code, m: Memory, s: Backward, t_new: float, h: float) -> int:
    """See what is at the step's end, and bring the table there: 0, 1 where not finite, UNSETTLED, -1."""
    n, order, table = m.x.size, s.bdf_order, s.differences
    predicted, change = s.U[PREDICTED], s.U[CHANGE]
    last, x_new = s.stages - 1, s.x_new
    for i in range(n):
        x_new[i] = s.D[END, i] = predicted[i] + change[i]
    s.t_new = s.end_dense = t_new
    s.t_dense, s.h_taken, s.dense = s.t, h, WHOLE
    failed = evaluate(code, t_new, x_new, s.K[last], m)
    s.evaluations += 1
    if failed == 0:
        total = 0.0
        for i in range(n):
            total += x_new[i] * 0.0 + s.K[last, i] * 0.0
        failed = 0 if total == 0.0 else 1
    if failed == 0 and n > 0 and s.iterations == 1 and s.rate < 1.0 and not settled(m, s):
        return UNSETTLED
    if failed == 0 and n > 0:
        for i in range(n):
            table[order + 2, i] = change[i] - table[order + 1, i]
            table[order + 1, i] = change[i]
        for j in range(order, 0, -1):
            for i in range(n):
                table[j, i] += table[j + 1, i]
        for i in range(n):
            table[0, i] = x_new[i]
    if failed == 0:
        failed = observe(code, m, s)
        if failed > 0:
            undo(m, s)
    if failed < 0:
        s.detail = failed
        return -1
    return int(failed)


def attempt(code: Code, m: Memory, s: Backward, t_new: float, h: float) -> tuple[int, float]:
    """Try a step of length h; see `Control`."""
    n = m.x.size
    if n > 0 and h != s.h_dense:
        rescale(m, s, h)
    s.h_dense = h
    while True:
        failed, error = 0, 0.0
        if n > 0:
            failed = ready(code, m, s, t_new, h)
            if failed == 0:
                error = error_norm(m, s)
        if failed != 0 or not error <= 1.0:
            return failed, error
        failed = arrive(code, m, s, t_new, h)
        if failed != UNSETTLED:
            return failed, error
        s.rate = 1.0


def accept(m: Memory, s: Backward, h: float, error: float, cut: bool) -> None:
    """Choose the next length and order; a step cut short by the target does not shorten it."""
    before = s.h
    if m.x.size > 0:
        choose(s, error)
    else:
        s.h = GROW * h
    if cut and h < before:
        s.h = max(s.h, before)


def shorten(m: Memory, s: Backward, h: float, error: float, failed: bool) -> float:
    """Shorten an attempt, by its error if its equations have been solved."""
    if failed:
        s.renewed = 0  # the Jacobian was computed at a later point
        s.h = FAILING * h
    else:
        s.bad_evaluations = 0
        s.h = h * max(SHRINK, (AIM * error) ** (-1.0 / (s.bdf_order + 1)))
    return s.h


within_tolerance = make_within_tolerance(Control(attempt, fit_once, accept, shorten))


@mark_inline
def take(code: Code, m: Memory, s: Backward, target: float) -> int:
    """The next step; after an instant it has order 1, and is as short as the first one of a run."""
    disturbed = s.at_hand == 0
    s.at_hand = 1
    n = m.x.size
    if undisturbed(code, m, s):
        return int(go_on(code, m, s, target))
    if n > 0 and s.structured == 0:
        s.at_hand = 1 - int(disturbed)
        return layout.UNSTRUCTURED
    begins = disturbed or s.bdf_order == 0 or not (s.t == s.end_dense or s.t == s.t_dense)
    if begins:
        if s.steps > 0 and n > 0:
            s.h = max(first_step(code, m, s), ANEW * s.h)
        restart(m, s)
    elif s.t == s.t_dense:
        undo(m, s)  # the step was taken, and turned out too long for a crossing
    if s.events_seen != s.state_events:
        s.c_factored = 0.0  # modes may have changed
        s.events_seen = s.state_events
    if n > 0 and s.next_order != s.bdf_order:
        s.bdf_order = s.next_order
        s.equal_steps = 0
    s.renewed = 0
    status = within_tolerance(code, m, s, target)
    if status == layout.UNSTRUCTURED:
        s.at_hand = 1 - int(begins)
        s.t_dense, s.end_dense = np.inf, s.t
    return int(status)


def make_steps(backend: Backend, margin: Margin) -> Steps:
    """The steps of BDF."""
    return Steps(take, prepare, interpolate)


def interpolate(m: Memory, s: Backward, theta: float, out: Floats) -> None:
    """x(t + theta h) by Newton's polynomial through the states of the steps before."""
    n, order, table = m.x.size, s.bdf_order, s.differences
    u = (s.t - s.end_dense + theta * s.h_taken) / s.h_dense  # from the end, in steps
    for i in range(n):
        out[i] = table[order, i]
    for j in range(order, 0, -1):
        part = (u + j - 1.0) / j
        for i in range(n):
            out[i] = table[j - 1, i] + part * out[i]


def restart(m: Memory, s: Backward) -> None:
    """The table of order 1 at (t, x), whose slope is K[0]."""
    table = s.differences
    s.bdf_order = s.next_order = 1
    s.equal_steps = 0
    s.h_dense = s.h
    for i in range(m.x.size):
        table[0, i] = m.x[i]
        table[1, i] = s.h * s.K[0, i]
        table[2, i] = table[3, i] = 0.0


def rescale(m: Memory, s: Backward, h: float) -> None:
    """The table for steps of another length: differences of its polynomial at their ends."""
    n, order, table, values = m.x.size, s.bdf_order, s.differences, s.U
    for k in range(1, order + 1):
        u = -k * h / s.h_dense
        for i in range(n):
            values[k, i] = table[order, i]
        for j in range(order, 0, -1):
            part = (u + j - 1.0) / j
            for i in range(n):
                values[k, i] = table[j - 1, i] + part * values[k, i]
    for k in range(1, order + 1):
        for i in range(n):
            table[k, i] = values[k, i]
    for j in range(1, order + 1):
        for k in range(order, j - 1, -1):
            for i in range(n):
                table[k, i] = table[k - 1, i] - table[k, i]
    s.h_dense = h
    s.equal_steps = 0


def undo(m: Memory, s: Backward) -> None:
    """The table before the last step; its two highest rows lose the terms of the next order."""
    table = s.differences
    for j in range(s.bdf_order + 1):
        for i in range(m.x.size):
            table[j, i] -= table[j + 1, i]
    for i in range(m.x.size):
        table[0, i] = m.x[i]
    s.next_order = s.bdf_order
    s.equal_steps = 0
