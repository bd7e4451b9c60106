"""An algebraic loop as an equation v = c(v), whose blocks may have modes that depend on v.

The equation is solved with the modes as they are, so that signals are smooth beyond an event until it is
located. With fixed modes it may have a second solution (a parabola in place of x|x|), or none (the root of a
limited signal). If the modes at the solution are others, or no solution is found, the modes become free: each
evaluation sets those of its v, except the evaluations for derivatives, which must lie on one piece. Newton's
method then converges to rounding. If it fails, one unknown is bracketed, and several follow the ray of their
residuals. A solution in the modes as they are is preferred to one in other modes; of several, the one next
to the solution with free modes.
"""

from __future__ import annotations

import numpy as np

from ..fields import Floats
from .bracketing import PHASE, TAIL, bracket
from .newton import (
    AGAIN,
    AT_COLUMN,
    AT_START,
    FAILED,
    FINER_BY,
    HEAD,
    IGNORE,
    SOLVED,
    STAGE,
    STARTS,
    newton,
)
from .residual_ray import AT_COLUMN as AT_COLUMN_OF_RAY, follow_ray

SEARCHING, FREE, SETS = HEAD - 3, HEAD - 2, HEAD - 1  # places in `work`
# FREE: 0, or SOLVED or FAILED of the former modes once modes are free
# SETS: 1 if the next evaluation sets modes, RESTORES if it begins with the former ones again
AT_END = 2.0  # of SEARCHING: v is the solution, and its modes are set
GOING_BACK = 3.0  # of SEARCHING: from there to the nearest solution with the former modes
RESTORES = -1.0
FINEST = 2.0**12  # how much finer a solution with free modes is: they depend on the side of a kink
JOINT = 3  # a fourth use of a matrix, next to IGNORE, READ and WRITE: modes are free from the start
NO_MODES, OTHERS, SAME = -1, 0, 1  # the modes at v: none exist, some differ from the former ones, none does


def workspace(count: int) -> int:
    """The length of `work` for `count` unknowns; the first HEAD of them are 0 at the start."""
    return HEAD + 7 * count + count * count + TAIL


def solve_jointly(c: Floats, v: Floats, work: Floats, solved: int, former: Floats) -> int:
    """The next v with free modes, from the start after the TAIL."""
    n = v.size
    if work[SEARCHING] == 0.0:
        action = newton(c, v, work, solved, former, IGNORE)
        if action != FAILED:
            return action
        work[SEARCHING] = 1.0
        work[HEAD + 5 * n + n * n] = 0.0
        if work[STARTS] == 1.0:  # the ray begins where Newton's method has come to
            for i in range(n):
                work[HEAD + 5 * n + n * n + TAIL + i] = work[HEAD + i]
    rows = (
        work[HEAD : HEAD + n], work[HEAD + n : HEAD + 2 * n], work[HEAD + 2 * n : HEAD + 3 * n],
        work[HEAD + 3 * n : HEAD + 4 * n], work[HEAD + 4 * n : HEAD + 5 * n],
    )  # fmt: skip
    tail = work[HEAD + 5 * n + n * n :]
    if n == 1:
        action = bracket(c, v, tail, rows[0], rows[1])
    else:
        action = follow_ray(c, v, tail, rows, work[HEAD + 5 * n : HEAD + 5 * n + n * n])
    if action == FAILED:
        for i in range(n):
            v[i] = np.nan
    return action


def advance(c: Floats, v: Floats, work: Floats, solved: int, former: Floats, use: int, modes: int) -> int:
    """The next v, with the modes as they are, and then with free ones."""
    n = v.size
    start = work[HEAD + 5 * n + n * n + TAIL :]
    kept = start[n:]
    if work[FINER_BY] == 0.0:
        work[FINER_BY] = FINEST if use == JOINT else 1.0
        for i in range(n):
            start[i] = v[i]
    if use == JOINT:
        return solve_jointly(c, v, work, solved, former)
    if work[FREE] == 0.0:
        action = newton(c, v, work, solved, former, use)
        if action == AGAIN or modes == NO_MODES:
            return action
        for i in range(n):
            if action == SOLVED:
                start[i] = kept[i] = v[i]
            v[i] = start[i]
        for i in range(HEAD):
            work[i] = 0.0
        work[FREE], work[FINER_BY] = action, FINEST
        return AGAIN
    held = work[FREE] == SOLVED
    if held and modes == SAME and work[STAGE] == AT_START and work[STARTS] + work[SEARCHING] == 0.0:
        return SOLVED
    if work[SEARCHING] == AT_END:
        if not (held and modes == OTHERS):
            return SOLVED
        for i in range(HEAD):
            work[i] = 0.0
        work[FREE], work[FINER_BY], work[SEARCHING] = SOLVED, 1.0, GOING_BACK
        return AGAIN
    if work[SEARCHING] == GOING_BACK:
        action = newton(c, v, work, 1, former, IGNORE)
        if action == FAILED:
            for i in range(n):
                v[i] = kept[i]
            return SOLVED
        return action
    action = solve_jointly(c, v, work, solved, former)
    if action == SOLVED:
        work[SEARCHING] = AT_END
        return AGAIN
    if action == FAILED and held:
        for i in range(n):
            v[i] = kept[i]
        return SOLVED
    return action


def next_trial(c: Floats, v: Floats, work: Floats, solved: int, former: Floats, use: int, modes: int) -> int:
    """Take the value c of v, and say what is next, as `newton` does; `modes` are those at v."""
    n = v.size
    searching = work[SEARCHING]
    action = advance(c, v, work, solved, former, use, modes)
    column = work[STAGE] == AT_COLUMN
    if work[SEARCHING] == 1.0:
        column = n > 1 and work[HEAD + 5 * n + n * n + PHASE] == AT_COLUMN_OF_RAY
    work[SETS] = 1.0 if (use == JOINT or work[FREE] != 0.0) and not column else 0.0
    if work[SEARCHING] == GOING_BACK:
        work[SETS] = RESTORES if searching != GOING_BACK else 0.0
    return action
