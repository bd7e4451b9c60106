"""Steps of Radau IIA: attempts until one is within the tolerance, by its end and by its polynomial.

The end of a step has order 5. The polynomial that dense output, events and the next step's Newton iteration
take has order 3 within the step; where the solution is smooth and stiff, the error at the end says nothing of
it. Its error is estimated at the place where it is worst, from the defect there,
e = (real / h I - J)^-1 (f(p) - p'), and kept below the tolerance, too.

Source: Hairer and Wanner, Solving Ordinary Differential Equations II (1996), section IV.8; Gustafsson, ACM
TOMS 20(4), 1994, 496-517, doi:10.1145/198429.198437, on the control of the steps.
"""

from __future__ import annotations

import numpy as np

from ...native.pieces import mark_inline
from .. import layout
from ..backend import Backend, Code, Margin
from ..fields import Floats
from ..layout import Collocation, Memory
from ..methods.method import Steps
from ..methods.radau5 import NUMBERS
from ..program import derivative, evaluate
from .along import END, WHOLE, go_on, observe, undisturbed
from .collocation_newton import ERROR, INSIDE, ITERATIONS, Z, ready
from .collocation_system import solve_real
from .control import Control, fit_once, make_within_tolerance
from .switching import ease

FAILING = 0.25  # of the step where Newton's method fails
LONGER, SHORTER = 1.2, 0.99  # times the step: factors in between keep the matrix
GROW, SHRINK, SAFE = 8.0, 0.2, 0.9
SLOW = 1e-3  # a rate of convergence above asks for a new Jacobian, after more than two iterations
EXPONENT = 0.25  # the estimates shrink with the fourth power of the step
LEAST_ERROR = 1e-8  # errors below count as this
LEAST_BEFORE = 1e-2  # the same of the step before, with which the next one is compared
E1, E2, E3 = NUMBERS.errors
WORST = NUMBERS.worst
(V1, V2, V3), (W1, W2, W3) = NUMBERS.within(WORST)
(A1, A2, A3), (B1, B2, B3) = NUMBERS.bumps


def prepare(code: Code, m: Memory, s: Collocation) -> int:
    """Dense output needs nothing besides."""
    return 0


def interpolate(m: Memory, s: Collocation, theta: float, out: Floats) -> None:
    """x(t + theta h) by the polynomial of the step that is gone along."""
    D = s.D
    theta = (s.t - s.t_dense + theta * s.h_taken) / s.h_dense
    back = 1.0 - theta
    for i in range(m.x.size):
        out[i] = D[4, i] + theta * (D[0, i] + back * (D[1, i] + theta * D[2, i]))


def norm(m: Memory, s: Collocation, row: int) -> float:
    """Root mean square of a row of U in units of atol + rtol |x|; its largest part is noted."""
    n, x, x_new, atol, rtol = m.x.size, m.x, s.x_new, s.atol, s.rtol
    total, most = 0.0, -1.0
    for i in range(n):
        e = s.U[row, i] / (atol[i] + rtol[i] * max(abs(x[i]), abs(x_new[i])))
        total += e * e
        if not abs(e) <= most:
            most = abs(e)
            s.bad_state = i
    return float(np.sqrt(total / n))


def end_error(code: Code, m: Memory, s: Collocation, h: float, filtered: bool) -> float:
    """The error at the end of the step, filtered so that stiff components do not count.

    Where the step is the first one or a second attempt, one more slope filters it again.
    """
    n, U, slope = m.x.size, s.U, s.K[0]
    for i in range(n):
        s.x_new[i] = m.x[i] + U[Z + 2, i]
        U[ERROR, i] = slope[i] + (E1 * U[Z, i] + E2 * U[Z + 1, i] + E3 * U[Z + 2, i]) / h
    solve_real(s, h, ERROR)
    error = norm(m, s, ERROR)
    if error > 1.0 and filtered and error < np.inf:
        for i in range(n):
            s.x_trial[i] = m.x[i] + U[ERROR, i]
        s.evaluations += 1
        if derivative(code, s.t, s.x_trial, s.scratch, m) == 0:
            for i in range(n):
                U[ERROR, i] = s.scratch[i] + (E1 * U[Z, i] + E2 * U[Z + 1, i] + E3 * U[Z + 2, i]) / h
            solve_real(s, h, ERROR)
            error = norm(m, s, ERROR)
    return float(error)


def inside_error(code: Code, m: Memory, s: Collocation, h: float) -> float:
    """The error of the polynomial where it is worst; infinite where the slope is not finite."""
    n, U = m.x.size, s.U
    for i in range(n):
        s.x_trial[i] = m.x[i] + V1 * U[Z, i] + V2 * U[Z + 1, i] + V3 * U[Z + 2, i]
    s.evaluations += 1
    failed = derivative(code, s.t + WORST * h, s.x_trial, s.scratch, m)
    if failed != 0:
        s.detail = failed
        return -1.0 if failed < 0 else np.inf
    for i in range(n):
        U[INSIDE, i] = s.scratch[i] - (W1 * U[Z, i] + W2 * U[Z + 1, i] + W3 * U[Z + 2, i]) / h
    solve_real(s, h, INSIDE)
    return norm(m, s, INSIDE)


def arrive(code: Code, m: Memory, s: Collocation, t_new: float, h: float) -> int:
    """Keep the step's polynomial, and see what is at its end: 0, 1 where it is not finite, -1."""
    n, U, D, x_new, last = m.x.size, s.U, s.D, s.x_new, s.stages - 1
    failed = evaluate(code, t_new, x_new, s.K[last], m)
    s.evaluations += 1
    if failed == 0:
        total = 0.0
        for i in range(n):
            total += x_new[i] * 0.0 + s.K[last, i] * 0.0
        failed = 0 if total == 0.0 else 1
    if failed == 0:
        for i in range(n):
            first, second, third = U[Z, i], U[Z + 1, i], U[Z + 2, i]
            D[0, i] = third
            D[1, i] = A1 * first + A2 * second + A3 * third
            D[2, i] = B1 * first + B2 * second + B3 * third
            D[4, i], D[END, i] = m.x[i], x_new[i]
        s.t_new = s.end_dense = t_new
        s.t_dense, s.h_taken, s.h_dense, s.dense = s.t, h, h, WHOLE
        failed = observe(code, m, s)
    if failed < 0:
        s.detail = failed
        return -1
    return int(failed)


def attempt(code: Code, m: Memory, s: Collocation, t_new: float, h: float) -> tuple[int, float]:
    """Try a step of length h; see `Control`. Its error is the larger one of its end and its polynomial."""
    s.h_before = s.h_dense
    error = 0.0
    if m.x.size > 0:
        failed = ready(code, m, s, h)
        if failed != 0:
            return failed, 0.0
        error = end_error(code, m, s, h, s.rejected_last == 1 or s.error_before == 0.0)
        if not error <= 1.0:
            return 0, error
        inside = inside_error(code, m, s, h)
        if inside < 0.0:
            return -1, 0.0
        error = max(error, inside)
        if not error <= 1.0:
            return 0, error
    return arrive(code, m, s, t_new, h), error


def choose(s: Collocation, error: float, h: float) -> None:
    """The length of the next step, and whether its Jacobian is a new one."""
    error = max(error, LEAST_ERROR)
    safety = SAFE * (2 * ITERATIONS + 1) / (2 * ITERATIONS + s.iterations)
    factor = safety * error**-EXPONENT
    h_before = s.h_before
    if s.error_before > 0.0 and h_before > 0.0:
        factor = min(factor, factor * h / h_before * (s.error_before / error) ** EXPONENT)
    factor = min(GROW, max(SHRINK, factor))
    if s.rejected_last == 1:
        factor = min(factor, 1.0)
    renew = s.iterations > 2 and s.rate > SLOW
    if renew:
        s.c_factored = 0.0
    elif SHORTER <= factor <= LONGER:
        factor = 1.0
    s.h = factor * h
    s.error_before = max(error, LEAST_BEFORE)


def accept(m: Memory, s: Collocation, h: float, error: float, cut: bool) -> None:
    """Choose the next length; a step cut short by the target does not shorten it."""
    before = s.h
    if m.x.size > 0:
        choose(s, error, h)
    else:
        s.h = GROW * h
    if cut and h < before:
        s.h = max(s.h, before)


def shorten(m: Memory, s: Collocation, h: float, error: float, failed: bool) -> float:
    """Shorten an attempt, by its error if its equations have been solved."""
    if failed:
        s.h = FAILING * h
    else:
        s.bad_evaluations = 0
        s.h = h * max(SHRINK, SAFE * error**-EXPONENT)
    return s.h


within_tolerance = make_within_tolerance(Control(attempt, fit_once, accept, shorten))


@mark_inline
def take(code: Code, m: Memory, s: Collocation, target: float) -> int:
    """The next step. Just after an instant it is at most as long as was right after the one before."""
    behind_instant = s.at_hand == 0
    s.at_hand = 1
    n = m.x.size
    if undisturbed(code, m, s):
        return int(go_on(code, m, s, target))
    if s.sparse == 1 and s.structured == 0 and n > 0:
        s.at_hand = 1 - int(behind_instant)
        return layout.UNSTRUCTURED
    s.predictable = int(not behind_instant and s.h_dense > 0.0 and s.t in (s.t_dense, s.end_dense))
    if s.predictable == 0 or s.t == s.t_dense:
        s.error_before = 0.0
    if s.events_seen != s.state_events:
        s.c_factored = 0.0  # modes may have changed
        s.events_seen = s.state_events
    if behind_instant and s.h_after > 0.0:
        s.h = min(s.h, s.h_after)
    s.renewed = 0
    status = within_tolerance(code, m, s, target)
    if status == layout.UNSTRUCTURED:
        s.at_hand = 1 - int(behind_instant)
    if status == 0 and behind_instant and s.steps > 0:
        s.h_after = s.h
    if status == 0 and s.switching == 1 and n > 0:
        ease(m, s)
    return int(status)


def make_steps(backend: Backend, margin: Margin) -> Steps:
    """The steps of Radau IIA of order 5."""
    return Steps(take, prepare, interpolate)
