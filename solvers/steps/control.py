"""Step-size control: attempts until one is within the tolerance, error norm, PI controller, first step.

Source: Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I (1993), sections II.4 and IV.2;
Gustafsson, ACM TOMS 17(4), 1991, 533-554, doi:10.1145/210232.210242.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, NamedTuple

import numpy as np

from ...native.pieces import mark_cold, mark_inline
from .. import layout
from ..backend import AttemptOf, Code, Jit, PhaseAtOf, PhaseOf, S
from ..events.margin import margin
from ..fields import Floats
from ..layout import Common, Explicit, Memory
from ..methods.tableau import Tableau
from ..program import derivative, evaluate

EPSILON = 2.0**-52  # the spacing of doubles at 1
FLOOR = 8.0 * EPSILON  # of t: a step of fewer bits of time has stages that fall on the same instant
NEARLY = 0.999  # of the remaining time: the step goes all the way, so that no sliver remains
RETREAT = 0.1  # of a step that met a number that is not finite: its error says nothing of how far to go
MOST_BAD = 60  # such steps in a row: from any step to nothing

BETA = 0.04  # weight of the previous error
LOG_LEAST = -9.210340371976182  # log(1e-4): smaller previous errors count as this
SAFETY = 0.9
SHRINK, GROW = 0.2, 10.0
GAIN = 0.75  # of BETA, taken from 1 / order: the exponent of this step's error (Hairer's DOPRI5)
LEAST_ERROR = 1e-10  # errors below count as this: their logarithm has a bound
SECOND = 0.01  # weight of DOP853's second error estimate, from E. Hairer's code

# the first step, section II.4 of the book: an Euler step that changes x by little, and the curvature there
FLAT = 1e-5  # sizes of x or of its slope, in tolerances, that tell nothing of a step
BLIND = 1e-6  # s: the step then, and the least one where the curvature tells nothing
LITTLE = 0.01  # of x: how much it may change over the Euler step; in tolerances, over the first step
STRAIGHT = 1e-15  # slope and curvature below tell nothing; the step is then LONGER times the Euler step
LONGER = 1e-3
MOST_LONGER = 100.0  # times the Euler step at most
SHORT = 1e-5  # of the span: a first step without states
FIRST_LOOK = 1e-3  # s: a first step without states, so that a long run sees as much as a short one


class Control(NamedTuple, Generic[S]):
    """The functions by which a family of steps tries a step and changes its length.

    attempt(code, m, s, t_new, h) -> (failed, error)

        A step of length h from (s.t, m.x) to t_new, left as `methods.method.Steps` describes it, and its
        error in units of the tolerance. `failed` is 0; positive if a value is not finite or equations have
        no solution; negative if a function of the program failed; UNSTRUCTURED of `layout`.

    fit(h, remaining) -> h

        The length that leaves no sliver before the target: at most h, but for a sliver.

    accept(m, s, h, error, cut)

        Sets s.h, the length of the next step. `cut` is true if this one ends at the target.

    shorten(m, s, h, error, failed) -> h

        The length of the next attempt, after one that failed or whose error is above 1.
    """

    attempt: Callable[[Code, Memory, S, float, float], tuple[int, float]]
    fit: Callable[[float, float], float]
    accept: Callable[[Memory, S, float, float, bool], None]
    shorten: Callable[[Memory, S, float, float, bool], float]


def make_within_tolerance(control: Control[S]) -> PhaseAtOf[S]:
    """Make the loop of attempts, the same one for every family of steps."""
    attempt, fit, accept, shorten = control

    @mark_inline
    def within_tolerance(code: Code, m: Memory, s: S, target: float) -> int:
        """Try steps from (s.t, m.x) until one is within the tolerance: 0, or the reason of failure."""
        t = s.t
        floor = FLOOR * abs(t)  # the resolution of time here, wherever the end lies
        remaining = target - t
        h = max(s.h, floor)
        s.forced = 0
        while True:
            h = fit(min(h, s.h_max), remaining)
            if remaining <= 2.0 * floor:
                h = remaining
            t_new = target if h == remaining else t + h
            if t_new <= t or (h < floor and h < remaining):
                s.t_bad = t
                return layout.COLLAPSED
            failed, error = attempt(code, m, s, t_new, h)
            if failed < 0:
                return layout.KERNEL_FAILED
            if failed == layout.UNSTRUCTURED:
                return layout.UNSTRUCTURED
            if failed == 0 and error <= 1.0:
                accept(m, s, h, error, h == remaining)
                s.rejected_last = s.bad_evaluations = 0
                s.t_new = t_new
                return 0
            s.rejected += 1
            s.rejected_last = 1
            bad = failed > 0 or not error < np.inf
            if bad:
                if s.bad_evaluations == 0 or t_new < s.t_bad:
                    s.t_bad = t_new
                s.bad_evaluations += 1
                if h <= floor or s.bad_evaluations > MOST_BAD:
                    return int(forced(code, m, s, h))
            elif h == remaining and remaining <= 2.0 * floor:
                s.t_bad = t
                return layout.COLLAPSED
            h = shorten(m, s, h, error, bad)

    return within_tolerance


def forced(code: Code, m: Memory, s: Common, h: float) -> int:
    """Take a step of a few bits of time once more: it counts as an event when a crossing has fired there.

    Where a branch ends (the root of 1 - t at t = 1) nothing beyond is finite until the mode has changed.
    """
    t = s.t
    for i in range(m.x.size):
        s.x_new[i] = m.x[i] + h * s.K[0, i]
    evaluate(code, t + h, s.x_new, s.K[s.stages - 1], m)
    for q in range(m.g.size):
        if margin(s, m.g, q) < 0.0:
            s.t_new = t + h
            s.h_taken = h
            s.forced = 1
            s.bad_evaluations = 0
            s.last_crossing = q
            return 0
    s.t_bad = t
    return layout.NONFINITE


def with_error(
    attempt: AttemptOf[S], error_norm: Callable[[S, Floats, float], float], observe: PhaseOf[S]
) -> Callable[[Code, Memory, S, float, float], tuple[int, float]]:
    """Make the attempt of a `Control` from a step, its error, and a look at a step that is good."""

    @mark_inline
    def attempt_with_error(code: Code, m: Memory, s: S, t_new: float, h: float) -> tuple[int, float]:
        failed = attempt(code, m, s, t_new, h)
        if failed < 0:
            return failed, 0.0
        error = error_norm(s, m.x, h)
        if failed == 0 and error <= 1.0:
            failed = observe(code, m, s)
        if failed == 0 and not is_finite(m, s):
            failed = 1
        return failed, error

    return attempt_with_error


@mark_inline
def is_finite(m: Memory, s: Common) -> bool:
    """True if the state and the slope at the end of the step are finite."""
    total = 0.0
    x_new, slope = s.x_new, s.K[s.stages - 1]
    for i in range(m.x.size):
        total += x_new[i] * 0.0 + slope[i] * 0.0
    return total == 0.0


@mark_inline
def fit_evenly(h: float, remaining: float) -> float:
    """Step to the target if h nearly leads there, and half way if two steps do."""
    if h >= remaining * NEARLY:
        return remaining
    return 0.5 * remaining if 2.0 * h > remaining else h


@mark_inline
def fit_once(h: float, remaining: float) -> float:
    """Step to the target if h nearly leads there: another length would cost new factors."""
    return remaining if h >= remaining * NEARLY else h


@mark_inline
def accept(m: Memory, s: Common, h: float, error: float, cut: bool) -> None:
    """Choose the next length by the PI controller; a step cut short by the target does not shorten it."""
    following = h * after_success(s, error)
    s.h = max(s.h, following) if cut and h < min(s.h, s.h_max) else following


@mark_inline
def shorten(m: Memory, s: Common, h: float, error: float, failed: bool) -> float:
    """Shorten an attempt by its error, or by much if it failed; then down to what time resolves at most."""
    if failed:
        h *= RETREAT
    else:
        h *= after_failure(s, error)
        s.h = h
    return max(h, FLOOR * abs(s.t)) if s.bad_evaluations > 0 else h


def make_estimate(jit: Jit, tableau: Tableau) -> Any:
    """The error of one state by one method, its weights written into the code."""
    terms = [f"{float(w)!r} * K[{j}, i]" for j, w in enumerate(tableau.e) if w]
    middle = len(terms) // 2
    space: dict[str, Any] = {}
    halves = f"({' + '.join(terms[:middle])}) + ({' + '.join(terms[middle:])})"
    exec(f"def estimate(K, i):\n    return {halves}\n", space)  # nothing but the tableau's numbers
    return jit(space["estimate"])


def make_norm(jit: Jit, tableau: Tableau) -> Callable[[Explicit, Floats, float], float]:
    estimate = make_estimate(jit, tableau)

    @jit
    def error_norm(s: Explicit, x: Floats, h: float) -> float:
        """Root mean square of the step's error in units of atol + rtol |x|; its largest part is noted."""
        n = x.size
        if n == 0:
            return 0.0
        stages = s.stages
        rtol = s.rtol
        total = 0.0
        total3 = 0.0
        worst = -1.0
        two = s.two_errors == 1
        E, E3, K, x_new, atol = s.E, s.E3, s.K, s.x_new, s.atol
        culprit = 0
        written = s.written_out >= 1
        for i in range(n):
            e = 0.0
            if written:
                e = estimate(K, i)
            else:
                for j in range(stages):
                    e += E[j] * K[j, i]
            scale = atol[i] + rtol[i] * max(abs(x[i]), abs(x_new[i]))
            e /= scale
            total += e * e
            if not abs(e) <= worst:
                worst = abs(e)
                culprit = i
            if two:
                e3 = 0.0
                for j in range(stages):
                    e3 += E3[j] * K[j, i]
                total3 += (e3 / scale) ** 2
        s.bad_state = culprit
        if two:
            if total == 0.0 and total3 == 0.0:
                return 0.0
            return float(abs(h) * total / np.sqrt((total + SECOND * total3) * n))
        return float(abs(h) * np.sqrt(total / n))

    return error_norm


@mark_inline
def after_success(s: Common, error: float) -> float:
    """The factor for the next step after an accepted one."""
    k = s.estimate_order
    old = s.log_error
    new = np.log(max(error, LEAST_ERROR))
    s.log_error = max(new, LOG_LEAST)
    factor = SAFETY * np.exp(BETA * old - (1.0 / k - GAIN * BETA) * new)
    factor = min(GROW, max(SHRINK, factor))
    return float(min(factor, 1.0)) if s.rejected_last == 1 else float(factor)


@mark_inline
def after_failure(s: Common, error: float) -> float:
    """The factor for the next attempt after a rejected one."""
    k = s.estimate_order
    return float(max(SHRINK, SAFETY * np.exp(-(1.0 / k - GAIN * BETA) * np.log(error))))


@mark_cold
def first_step(code: Code, m: Memory, s: Explicit) -> float:
    """A first step from the sizes of x, its slope and its curvature (Hairer's algorithm)."""
    n = m.x.size
    h_max = s.h_max
    if n == 0:
        span = s.t_end - s.t
        return float(min(h_max, SHORT * span, FIRST_LOOK)) if m.g.size > 0 else float(h_max)
    rtol = s.rtol
    d0 = 0.0
    d1 = 0.0
    for i in range(n):
        scale = s.atol[i] + rtol[i] * abs(m.x[i])
        d0 += (m.x[i] / scale) ** 2
        d1 += (s.K[0, i] / scale) ** 2
    d0 = np.sqrt(d0 / n)
    d1 = np.sqrt(d1 / n)
    h0 = BLIND if d0 < FLAT or d1 < FLAT else LITTLE * d0 / d1
    h0 = min(h0, h_max)
    for i in range(n):
        s.x_trial[i] = m.x[i] + h0 * s.K[0, i]
    if derivative(code, s.t + h0, s.x_trial, s.scratch, m) != 0:
        return float(h0)
    s.evaluations += 1
    d2 = 0.0
    for i in range(n):
        scale = s.atol[i] + rtol[i] * abs(m.x[i])
        d2 += ((s.scratch[i] - s.K[0, i]) / scale) ** 2
    d2 = np.sqrt(d2 / n) / h0
    steep = max(d1, d2)
    if not np.isfinite(steep):
        return float(h0)
    h1 = (LITTLE / steep) ** (1.0 / s.estimate_order) if steep > STRAIGHT else max(BLIND, LONGER * h0)
    return float(min(MOST_LONGER * h0, h1, h_max))
