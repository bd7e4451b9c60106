"""Step-size control: error norm, PI controller, first step.

Source: Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I (1993), sections II.4 and IV.2;
Gustafsson, ACM TOMS 17(4), 1991, 533-554, doi:10.1145/210232.210242.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...native.pieces import apart, inlined
from ..backend import Code, Jit
from ..fields import Floats
from ..layout import Common, Explicit, Memory
from ..methods.tableau import Tableau
from ..program import derivative

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
FIRST_LOOK = 1e-3  # s: a first step without states, so that a long run sees what a short one sees


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


@inlined
def after_success(s: Common, error: float) -> float:
    """The factor for the next step after an accepted one."""
    k = s.estimate_order
    old = s.log_error
    new = np.log(max(error, LEAST_ERROR))
    s.log_error = max(new, LOG_LEAST)
    factor = SAFETY * np.exp(BETA * old - (1.0 / k - GAIN * BETA) * new)
    factor = min(GROW, max(SHRINK, factor))
    return float(min(factor, 1.0)) if s.rejected_last == 1 else float(factor)


@inlined
def after_failure(s: Common, error: float) -> float:
    """The factor for the next attempt after a rejected one."""
    k = s.estimate_order
    return float(max(SHRINK, SAFETY * np.exp(-(1.0 / k - GAIN * BETA) * np.log(error))))


@apart
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
