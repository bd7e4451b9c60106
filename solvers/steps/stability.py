"""Detect steps that are limited by the method's stability instead of the error.

The size of the Jacobian along the solution is the size of the difference of two slopes at the end of a step,
over the difference of the states they belong to: E. Hairer and G. Wanner, Solving Ordinary Differential
Equations II (1996), section IV.2, and their codes DOPRI5 and DOP853.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...native.pieces import mark_cold
from ..backend import Code
from ..fields import Floats
from ..layout import Common, Memory, Switching
from ..methods.data import Data
from ..program import derivative
from .switching import suspect

EVERY = 256  # steps from one look to the next
NEAR = 0.8  # of the stable length: step-size control goes to and fro below it
LEAST = 20 * EVERY  # steps before something is said


def stable_length(data: Data) -> float:
    """h times the size of the Jacobian from which stability limits the step, or infinity: not to be told.

    Where steps are fixed it is the user who limits them.
    """
    return NEAR * data.stability if data.adaptive else float(np.inf)


def fast(m: Memory, s: Common, slope: Floats, share: float) -> bool:
    """True if h times the Jacobian's size is beyond a share of STABLE; `slope` is dx/dt at x_trial."""
    last = s.stages - 1
    slopes = 0.0
    states = 0.0
    for i in range(m.x.size):
        slopes += (s.K[last, i] - slope[i]) ** 2
        states += (s.x_new[i] - s.x_trial[i]) ** 2
    bound = share * s.stable
    return bool(s.h_taken**2 * slopes > bound * bound * states)


@mark_cold
def look(code: Code, m: Memory, s: Switching) -> None:
    """Look at the step just taken; x_trial holds the state of its last stage but one.

    Where that stage lies within the step (BS32), states differ by the motion, too, and slopes by the time
    between them. The embedded solution takes its place, at one more evaluation: it lies at the end of the
    step, and its error is large in what decays fast.
    """
    last = s.stages - 1
    s.looked += EVERY
    if s.C[last - 1] == 1.0:
        s.limited += EVERY * int(fast(m, s, s.K[last - 1], 1.0))
        return
    for i in range(m.x.size):
        error = 0.0
        for j in range(last + 1):
            error += s.E[j] * s.K[j, i]
        s.x_trial[i] = s.x_new[i] - s.h_taken * error
    failed = derivative(code, s.t + s.h_taken, s.x_trial, s.scratch, m)
    s.evaluations += 1
    for q in range(m.g.size):
        m.g[q] = s.G[last, q]
    if failed == 0:
        s.limited += EVERY * int(fast(m, s, s.scratch, 1.0))


@mark_cold
def notice(code: Code, m: Memory, s: Switching) -> None:
    """Look at a step, and say when to look again."""
    if s.switching == 1:
        suspect(m, s)
        return
    s.next_look += EVERY
    if s.written_out != 2:
        look(code, m, s)


def limited(totals: Mapping[str, int]) -> bool:
    """True if stability limited most steps of a run, by its integers."""
    return totals["looked"] >= LEAST and 2 * totals["limited"] > totals["looked"]
