"""Derivatives are carried over a part of a step, by as many steps as their own error requires.

A state at rest has no error however long the steps. Its derivatives have one, and beyond an explicit method's
bound of stability they would grow without end.
"""

from __future__ import annotations

from .. import layout
from ..backend import Code, Largest, Once
from ..layout import Memory, Work
from ..steps.control import GROW, LEAST_ERROR, NEARLY, SAFETY, SHRINK
from .fields import AT_BEGIN, AT_END, NOWHERE, Variation, sizes, start, variation

LEAST_RTOL = 1e-12  # of derivatives: below it their error is rounding
UNSEEN = 1e-6  # of the state's tolerance: an error of S below, by a number that changes by 1
MOST_PARTS = 100_000  # of one step
MOST_REFUSED = 8  # parts in a row: then slopes are infinite, as of a root at 0


def share(m: Memory, s: Work, v: Variation) -> float:
    sizes(m, s, v.trial_d, v.sizes)
    most, rtol = 0.0, max(s.tightest, LEAST_RTOL)
    for d in range(v.lanes):
        largest = max(v.most_d[d], v.sizes[d])
        most = max(most, v.errors[d] / max(rtol * largest, UNSEEN))
    return float(most)


def keep(m: Memory, s: Work, v: Variation) -> None:
    """The end of a step is the begin of the next one."""
    for d in range(v.lanes):
        v.most_d[d] = max(v.most_d[d], v.sizes[d])
    if v.first_stage == AT_BEGIN:
        v.first_stage = AT_END
    start(m, v, v.x, v.trial_row)


def end(m: Memory, v: Variation) -> None:
    for e in range(m.x.size * v.lanes):
        v.x_row[e] = v.trial_row[e]


def make_part(once: Once, largest: Largest) -> Once:
    """`part` by as many steps `once` as leave a share below 1 in each; `tried` says that the first one, all
    the way, has been taken.

    largest  (code, m, s, t, h): whether it failed, the largest share of the directions, and with which power
             of h it grows
    """

    def part(code: Code, m: Memory, s: Work, t: float, h: float, tried: bool) -> int:
        v: Variation = variation(code)
        if s.adaptive == 0:
            v.first_stage = NOWHERE
            failed = once(code, m, s, t, h, False)
            end(m, v)
            return int(failed)
        begin, stop, refused, parts = t, t + h, 0, 0
        while begin < stop:
            parts += 1
            if parts > MOST_PARTS:
                v.endless = 1
                return layout.KERNEL_FAILED
            whole = refused == MOST_REFUSED or not 0.0 < v.length < NEARLY * (stop - begin)
            length = stop - begin if whole else v.length
            failed = 0 if tried and whole else once(code, m, s, begin, length, False)
            tried = False
            if failed != 0:
                return int(failed)
            failed, error, order = largest(code, m, s, begin, length)
            if failed != 0:
                return int(failed)
            factor = SAFETY * max(error, LEAST_ERROR) ** (-1.0 / order)
            following = length * min(GROW, max(SHRINK, factor))
            if error > 1.0 and refused < MOST_REFUSED:
                refused += 1
                v.length = following
                continue
            refused = 0
            begin = stop if whole else begin + length
            v.length = max(v.length, following) if whole else following  # the step's end says nothing
            keep(m, s, v)
        end(m, v)
        return 0

    return part
