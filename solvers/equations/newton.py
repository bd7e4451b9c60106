"""Damped Newton iteration for v = c(v), with one evaluation of c at a time.

Every step s solves (I - dc/dv) s = c(v) - v, the matrix by forward differences. A step is judged by the step
that follows it with the same matrix, which measures the distance to the solution whatever the units of c.
The matrix of a solution before is tried first, and serves as long as its steps shrink quickly.
Source: Deuflhard, Newton Methods for Nonlinear Problems (2004), chapter 3 (natural monotonicity test).
"""

from __future__ import annotations

import numpy as np

from ..fields import Floats

AGAIN, SOLVED, FAILED = range(3)  # evaluate c at v and call again; v is the solution; v is now NaN
STAGE, COLUMN, STEPS, DAMPING, STARTS, MATRIX, FINER_BY, FINE = range(8)
HEAD = 11  # numbers of a solution in progress; the last three are of `next_trial`
NO_MATRIX, NEW_MATRIX, FORMER_MATRIX = range(3)
IGNORE, READ, WRITE = range(3)  # use of the previous matrix
AT_START, AT_COLUMN, AT_TRIAL = range(3)  # purpose of the evaluation of c
MOST_STEPS = 200  # damped steps come to a solution in tens; more of them circle
LEAST_DAMPING = 2.0**-12  # shorter steps than a four-thousandth do not leave a fold
RELATIVE = 1e-12  # of a solution: a hundredth of what a run at the tightest useful tolerance, 1e-10, can tell
NUDGE = 2.0**-26  # about the root of the spacing of doubles
SPACING = 2.0**-52  # of doubles: rounding of c
LEAST_NUDGE = 2.0**-46  # of an unknown: rounding of c leaves two digits of a slope of 1
LEAST_STEP = 2.0**-48  # of the largest unknown: shorter ones are rounding
FINER = 1024.0  # a nudge relative to a step: its thousandth, so that the slope is the one at the solution
NOISE = 1e-9  # of the largest number: rounding of a step or residual through a function of slope 1e6
SMALLEST = 1e-9  # an unknown below counts as that much: where one is 0, relative sizes mean nothing
TINY = 1e-300  # in the place of a divisor 0
CLOSER = 0.25  # of a difference, on the other side: where c is evaluated again if it is not finite
SHRINKS = 0.25  # a step damped by d is good where the next one is at most 1 - d/4 of it (Deuflhard)
SAFETY = 10.0  # times the ratio of two steps bounds the part of the last one that is still error
QUICK = 1e-3  # ratio of two steps up to which the same matrix serves once more
QUICK_ENOUGH = 0.1  # the same for one of before, of many unknowns: another one costs an evaluation for each


def room(count: int) -> int:
    """The length of `former` for `count` unknowns: 1 once there is a matrix, pivots, factors."""
    return 1 + count + count * count


def factor(M: Floats, pivots: Floats, sizes: Floats) -> bool:
    """Factor a matrix by rows, with pivots chosen relative to `sizes`; False if it is singular.

    Source: Golub, Van Loan, Matrix Computations (2013), section 3.4.
    """
    n = pivots.size
    for k in range(n):
        p = k
        for i in range(k + 1, n):
            if abs(M[i * n + k]) * sizes[p] > abs(M[p * n + k]) * sizes[i]:
                p = i
        pivots[k] = p
        if p != k:
            sizes[k], sizes[p] = sizes[p], sizes[k]
            for j in range(n):
                M[k * n + j], M[p * n + j] = M[p * n + j], M[k * n + j]
        if not abs(M[k * n + k]) > 0.0:
            return False
        for i in range(k + 1, n):
            M[i * n + k] /= M[k * n + k]
            for j in range(k + 1, n):
                M[i * n + j] -= M[i * n + k] * M[k * n + j]
    return True


def solve(M: Floats, pivots: Floats, b: Floats) -> None:
    """The solution of the factored system, in place of its right side."""
    n = pivots.size
    for k in range(n):
        p = int(pivots[k])
        b[k], b[p] = b[p], b[k]
    for k in range(n):
        for i in range(k + 1, n):
            b[i] -= M[i * n + k] * b[k]
    for k in range(n - 1, -1, -1):
        for j in range(k + 1, n):
            b[k] -= M[k * n + j] * b[j]
        b[k] /= M[k * n + k]


def is_finite(values: Floats) -> bool:
    """True if all values are finite."""
    total = 0.0
    for value in values:
        total += value * 0.0
    return total == 0.0


def is_settled(step: Floats, v: Floats, part: float) -> bool:
    """True if this part of a step from v is below the relative tolerance in every unknown."""
    for i in range(v.size):
        if not part * abs(step[i]) <= RELATIVE * abs(v[i] + step[i]):
            return False
    return True


def is_negligible(step: Floats, v: Floats, c: Floats, finer_by: float) -> bool:
    """True if a step that does not shrink any more is only rounding, or may be, and so may c - v."""
    scale, size, residual = 0.0, 0.0, 0.0
    for i in range(v.size):
        scale = max(scale, abs(v[i]))
        size, residual = max(size, abs(step[i])), max(residual, abs(c[i] - v[i]))
    if size <= LEAST_STEP * scale:
        return True
    return finer_by == 1.0 and max(size, residual) <= NOISE * max(1.0, scale)


def step_ratio(later: Floats, step: Floats, base: Floats) -> float:
    """The ratio of the size of the step that follows to the step from `base`."""
    after, before = 0.0, 0.0
    for i in range(base.size):
        weight = max(abs(base[i]), abs(base[i] + step[i]), SMALLEST)
        after = max(after, abs(later[i]) / weight)
        before = max(before, abs(step[i]) / weight)
    return after / max(before, TINY)


def finer_difference(size: float, base: Floats, step: Floats, j: int) -> float:
    """A difference that shrinks with the steps: the geometric mean of step and rounding errs least where
    the slope changes by much over a step.
    """
    scale = 0.0
    for value in base:
        scale = max(scale, abs(value))
    mean = np.sqrt(SPACING * scale * abs(step[j]))
    return float(max(LEAST_NUDGE * abs(base[j]), min(size, abs(step[j]), mean)))


def nudge(head: Floats, v: Floats, base: Floats, step: Floats, j: int) -> int:
    """Ask for column j of the derivative; the difference shrinks with the steps."""
    size = NUDGE
    if head[STEPS] > 0.0 and step[j] != 0.0:
        size = min(NUDGE, abs(step[j]) / FINER)
    size = max(NUDGE * abs(base[j]), size)
    if head[FINE] == 1.0 and step[j] != 0.0:
        size = finer_difference(size, base, step, j)
    for i in range(v.size):
        v[i] = base[i]
    v[j] = base[j] + size
    head[STAGE] = AT_COLUMN
    head[COLUMN] = j
    return AGAIN


def leap(head: Floats, v: Floats, base: Floats, step: Floats, damping: float) -> int:
    """Ask for c at the end of a step, unless the step is below the tolerance."""
    for i in range(v.size):
        v[i] = base[i] + damping * step[i]
    if damping == 1.0 and is_settled(step, base, head[FINER_BY]):
        return SOLVED
    head[STAGE] = AT_TRIAL
    head[DAMPING] = damping
    return AGAIN


def restart(head: Floats, v: Floats, solved: int) -> int:
    """Begin at +1 and at -1 as well where nothing better than 0 was known; then give up."""
    head[STARTS] += 1.0
    again = solved == 0 and head[STARTS] < 3.0
    start = 3.0 - 2.0 * head[STARTS] if again else np.nan
    for i in range(v.size):
        v[i] = start
    head[STAGE] = AT_START
    head[STEPS] = head[FINE] = 0.0
    return AGAIN if again else FAILED


def first_step(head: Floats, M: Floats, rows: tuple[Floats, ...], v: Floats) -> int:
    """The step of a matrix whose columns are complete: 1, or 0 when there is none."""
    base, center, step, pivots = rows
    for i in range(v.size):
        step[i] = max(abs(base[i]), abs(center[i]), SMALLEST)
    if not factor(M, pivots, step):
        return 0
    for i in range(v.size):
        step[i] = center[i] - base[i]
    solve(M, pivots, step)
    return int(is_finite(step))


def judge(
    head: Floats, c: Floats, v: Floats, rows: tuple[Floats, ...], later: Floats, ahead: float, solved: int
) -> int:
    """Go on from the end of a step, take a shorter one, or end."""
    base, center, step, _ = rows
    damping, quick = head[DAMPING], QUICK
    if head[MATRIX] == FORMER_MATRIX:
        quick = min(QUICK_ENOUGH, QUICK * v.size * v.size)
        if not ahead <= quick:
            head[MATRIX] = NO_MATRIX
            return nudge(head, v, base, step, 0)
    if ahead <= 1.0 - SHRINKS * damping:
        full = damping == 1.0
        if full and is_settled(later, v, head[FINER_BY] * min(1.0, SAFETY * ahead)):
            for i in range(v.size):
                v[i] += later[i]
            return SOLVED
        head[STEPS] += 1.0
        if head[STEPS] > MOST_STEPS:
            return restart(head, v, solved)
        for i in range(v.size):
            base[i], center[i], step[i] = v[i], c[i], later[i]
        if full and ahead <= quick:
            return leap(head, v, base, step, 1.0)
        return nudge(head, v, base, step, 0)
    if damping == 1.0 and is_negligible(step, base, center, head[FINER_BY]):
        for i in range(v.size):
            v[i] = base[i]
        return SOLVED
    if damping <= LEAST_DAMPING and head[FINE] == 0.0:
        head[FINE] = 1.0
        return nudge(head, v, base, step, 0)
    if damping <= LEAST_DAMPING:
        return restart(head, v, solved)
    return leap(head, v, base, step, 0.5 * damping)


def go_on(c: Floats, v: Floats, work: Floats, solved: int, former: Floats) -> int:
    """Use the value c for its purpose, and choose the next v."""
    n = v.size
    head, base, center = work[:HEAD], work[HEAD : HEAD + n], work[HEAD + n : HEAD + 2 * n]
    step, later = work[HEAD + 2 * n : HEAD + 3 * n], work[HEAD + 3 * n : HEAD + 4 * n]
    pivots, M = work[HEAD + 4 * n : HEAD + 5 * n], work[HEAD + 5 * n : HEAD + 5 * n + n * n]
    rows = (base, center, step, pivots)
    usable = is_finite(c)
    if head[STAGE] == AT_TRIAL:
        ahead = np.inf
        if usable:
            for i in range(n):
                later[i] = c[i] - v[i]
            if head[MATRIX] == FORMER_MATRIX:
                solve(former[1 + n :], former[1 : 1 + n], later)
            else:
                solve(M, pivots, later)
            ahead = step_ratio(later, step, base)
        return judge(head, c, v, rows, later, ahead, solved)
    if head[STAGE] == AT_START:
        same = solved == 1
        for i in range(n):
            base[i], center[i] = v[i], c[i]
            same = same and v[i] == c[i]
    j = int(head[COLUMN])
    if not usable:
        if head[STAGE] == AT_COLUMN:  # a branch ends within the difference
            v[j] = base[j] - CLOSER * (v[j] - base[j])
            if abs(v[j] - base[j]) > LEAST_NUDGE * abs(base[j]):
                return AGAIN
        return restart(head, v, solved)
    if head[STAGE] == AT_START:
        if same:
            return SOLVED
        if head[MATRIX] == FORMER_MATRIX:
            for i in range(n):
                step[i] = center[i] - base[i]
            solve(former[1 + n :], former[1 : 1 + n], step)
            if is_finite(step):
                return leap(head, v, base, step, 1.0)
            head[MATRIX] = NO_MATRIX
        return nudge(head, v, base, step, 0)
    for i in range(n):
        M[i * n + j] = (1.0 if i == j else 0.0) - (c[i] - center[i]) / (v[j] - base[j])
    if j + 1 < n:
        return nudge(head, v, base, step, j + 1)
    if first_step(head, M, rows, v) == 0:
        return restart(head, v, solved)
    head[MATRIX] = NEW_MATRIX
    return leap(head, v, base, step, 1.0)


def newton(c: Floats, v: Floats, work: Floats, solved: int, former: Floats, use: int) -> int:
    """Take the value c of v, and say what is next: AGAIN, SOLVED or FAILED.

    v begins as the start value; `solved` is 1 when that is a solution of before, and then the only one
    tried. When it has failed, `work` has the last iterate behind its HEAD, and then the c of it.
    `former` has the factors of a solution before, which READ uses and WRITE replaces once they get slow.
    """
    n, head = v.size, work[:HEAD]
    if head[STAGE] == AT_START and use != IGNORE and solved == 1 and former[0] == 1.0:
        head[MATRIX] = FORMER_MATRIX
    action = go_on(c, v, work, solved, former)
    if action == SOLVED and use == WRITE and head[MATRIX] == NEW_MATRIX:
        former[0] = 1.0
        for i in range(n + n * n):
            former[1 + i] = work[HEAD + 4 * n + i]
    return action
