"""Reject steps over which a zero crossing changes too fast to be interpolated."""

from __future__ import annotations

from ...native.pieces import mark_cold
from ..backend import Code
from ..events.dip import SIZE
from ..events.margin import look
from ..layout import Memory, Work
from ..program import prepare

NEAR = 1e-2  # of its largest value so far: a crossing that is smaller may be but an error of the stages
ROUNDING = 64.0 * 2.0**-52  # of the largest value so far: smaller values are not resolved
MISFIT = 0.3  # of a crossing's largest value; a sine fits with five steps a period
INNER = 0.3  # of the step: about where the parabola's stage lies, away from both ends and from the others
CALM = 1e-6  # of the longest step so far: a value that such a short step does not resolve is a jump


def calm(s: Work) -> bool:
    """True if a step is too short to be cut for a crossing: by other steps, not by the run's length."""
    h = s.h_taken
    s.h_calm = max(s.h_calm, CALM * h)
    resolved = ROUNDING * abs(s.t)
    return bool(s.adaptive == 0 or h <= max(s.h_calm, resolved))


def parabola(first: float, middle: float, end: float, a: float, c: float) -> float:
    """The value at c of the parabola through values at 0, a and 1."""
    value = first * (c - a) * (c - 1.0) / a
    value += middle * c * (1.0 - c) / (a * (1.0 - a))
    return value + end * c * (c - a) / (1.0 - a)


@mark_cold
def solution_fits(code: Code, m: Memory, s: Work, q: int, a: float, c: float, margin: float) -> bool:
    """True if crossing q fits along the solution, which is of higher order than the stages."""
    if prepare(code, m, s) != 0:
        return False
    last = s.stages - 1
    look(code, m, s, s.t + a * s.h_taken)
    middle = m.g[q]
    look(code, m, s, s.t + c * s.h_taken)
    value = m.g[q]
    for k in range(m.g.size):
        m.g[k] = s.G[last, k]
    return bool(abs(parabola(s.G[0, q], middle, s.G[last, q], a, c) - value) <= margin)


def wild(code: Code, m: Memory, s: Work) -> bool:
    """True if a crossing moves too fast for the step: a parabola through three stages misses another one.

    Functions of time alone have no error estimate that would keep the steps short; this does it for what
    events depend on. The early stages of a solution are of low order, hence the wide margin. A crossing
    that rests at its level shows their errors, and its rounding, alone: there the solution is asked.
    """
    last = s.stages - 1
    i = 1
    for j in range(2, last):
        if abs(s.C[j] - INNER) < abs(s.C[i] - INNER):
            i = j
    a = s.C[i]
    for q in range(m.g.size):
        largest = 0.0
        for j in range(last + 1):
            largest = max(largest, abs(s.G[j, q]))
        size = s.samples[SIZE, q] = max(s.samples[SIZE, q], largest)
        margin = max(MISFIT * largest, ROUNDING * size)
        for j in range(1, last):
            c = s.C[j]
            if c >= 1.0:
                continue
            if abs(parabola(s.G[0, q], s.G[i, q], s.G[last, q], a, c) - s.G[j, q]) > margin and not (
                largest < NEAR * size and solution_fits(code, m, s, q, a, c, margin)
            ):
                return True
    return False
