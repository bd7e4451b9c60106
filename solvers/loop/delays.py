"""Update the histories of delay blocks after each step and at each event.

A step ends at every instant at which a delayed jump arrives. How often that jump has been delayed is its
level; an instant at which anything else happens has level 0.
"""

from __future__ import annotations

import numpy as np

from ...native.pieces import mark_cold
from .. import layout
from ..backend import Code
from ..events.dip import PARTS
from ..events.timer import announce
from ..layout import Memory, Work
from ..loop.within import state_at
from ..program import derivative, remember, remember_instant

WITHIN = (0.3, 0.6, 0.85)  # parts of a step, at which what a short delay takes from it is compared
TINY = 64.0 * 2.0**-52  # of t: no shorter step is asked for
EXACT = 1e-12  # no short delay is more exact: its polynomials amplify rounding


@mark_cold
def refused(s: Work, failed: int, time: float) -> int:
    s.t_bad = time
    s.detail = failed
    return layout.KERNEL_FAILED


@mark_cold
def along(code: Code, m: Memory, s: Work) -> int:
    """The signals at nine of Chebyshev's points of the step just taken, from its start to its end.

    Blocks without a history remember the end alone.
    """
    t = s.t
    h = s.t_new - t
    last = -np.inf
    longest = 0
    for i in range(s.delays.shape[0]):
        longest = max(longest, s.delays[i, layout.SIZE])
    for k in range(0 if longest > 0 else PARTS, PARTS + 1):
        time = s.t_new if k == PARTS else t + h * s.nodes[k]
        if time <= last or (time >= s.t_new and k < PARTS):
            continue  # a step of a few bits of time has fewer
        last = time
        if longest > 0:
            failed = state_at(code, m, s, time)
            if failed != 0:
                return int(failed)
        else:
            for i in range(m.x.size):
                s.x_trial[i] = s.x_new[i]
        failed = remember(code, time, s.x_trial, s.scratch, m)
        s.evaluations += 1
        if failed != 0:
            return int(refused(s, failed, time))
    announce(s, m)
    return 0


@mark_cold
def here(code: Code, m: Memory, s: Work) -> int:
    """The signals at an instant, when it has settled; its level before."""
    level = np.inf
    causes = s.causes
    for i in range(s.delays.shape[0]):
        now = m.z[s.delays[i, layout.PASSED]]
        if now != s.passed[i]:  # forwards the new one, back the one before, is the jump that arrives
            causes -= 1
            place = int(max(now, s.passed[i])) % s.delays[i, layout.SIZE]
            level = min(level, 1.0 + m.z[s.delays[i, layout.LEVELS] + place])
    for i in range(s.delays.shape[0]):
        alone = causes <= 0 and level < np.inf
        felt = level if s.delays[i, layout.BEHIND] == 1 else layout.UNTOUCHED
        m.z[s.delays[i, layout.MARK]] = felt if alone else 0.0
    failed = remember_instant(code, s.t, m.x, s.scratch, m)
    if failed != 0:
        return int(refused(s, failed, s.t))
    for i in range(s.delays.shape[0]):
        mark = s.delays[i, layout.MARK]
        if s.delays[i, layout.SHORT] == 1 and m.z[mark] > 0.0:  # a break that no delay keeps back
            m.z[s.delays[i, layout.PASSED]] = m.z[mark]
            m.z[mark] = -1.0
    announce(s, m)
    return 0


@mark_cold
def arrivals(code: Code, m: Memory, s: Work) -> None:
    """The zero crossings of delays that vary, where a step begins: a new jump may be on its way."""
    for i in range(s.delays.shape[0]):
        q = s.delays[i, layout.CROSSES]
        if q >= 0:
            derivative(code, s.t, m.x, s.scratch, m)
            s.G[0, q] = m.g[q]


@mark_cold
def probe(code: Code, m: Memory, s: Work, time: float, level: float) -> bool:
    for i in range(s.delays.shape[0]):
        m.z[s.delays[i, layout.MARK]] = level
    return bool(state_at(code, m, s, time) == 0 and remember(code, time, s.x_trial, s.scratch, m) == 0)


@mark_cold
def overlaps(code: Code, m: Memory, s: Work) -> bool:
    """True if a short delay took other values from within the step just taken than the solution has."""
    short = 0
    for i in range(s.delays.shape[0]):
        short += s.delays[i, layout.SHORT]
    if s.adaptive == 0 or short == 0:
        return False
    fine = probe(code, m, s, s.t_new, layout.PROBE_END)
    for part in WITHIN:
        fine = fine and probe(code, m, s, s.t + part * s.h_taken, layout.PROBE)
    off = 0.0
    for i in range(s.delays.shape[0]):
        mark = s.delays[i, layout.MARK]
        if s.delays[i, layout.SHORT] == 1:
            off = max(off, m.z[mark])
        m.z[mark] = -1.0
    s.evaluations += 1 + len(WITHIN)
    resolved = s.h_taken <= TINY * abs(s.t)
    return bool(fine and off > max(s.tightest, EXACT) and not resolved)
