"""Several equations v = c(v) solved along the ray of their residuals, across kinks.

Newton steps follow the path on which c(v) - v shrinks to 0 in its direction. A step ends where its linear
model does: at the solution, where the curvature is felt, or right behind a kink, where the next step has the
matrix of the next piece. The path ends at the solution if the determinants of all pieces have one sign, as
they have for monotone equations.
Source: Katzenelson, An Algorithm for Solving Nonlinear Resistor Networks, Bell System Technical Journal
44(8), 1965, 1605-1620.
"""

from __future__ import annotations

import numpy as np

from ..fields import Floats
from .bracketing import FIRST, HIGH, LOW, PHASE, TAIL
from .newton import (
    AGAIN,
    CLOSER,
    FAILED,
    LEAST_STEP,
    NOISE,
    NUDGE,
    SMALLEST,
    SOLVED,
    factor,
    finer_difference,
    is_finite,
    solve,
)

STEPS, PART, COLUMN, STRAIGHT = FIRST, 5, 6, 7  # in the places of WIDTH, COUNT and WAY
AT_BEGIN, AT_POINT, AT_COLUMN, AT_TRIAL, ACROSS = range(5)  # phases; ACROSS: right after a kink
MOST_STEPS = 500  # a kink costs one or two
MANY_STEPS = 100  # from here on possible rounding counts as rounding
LINEAR = 0.1  # of a step: how far its end may be from the linear model
ROUNDED = 4.0 * 2.0**-52  # of an unknown: a step that is only rounding
CLOSE = 0.25  # of a step: so near the solution its path no longer matters
BENT = 0.01  # where it is less off than this, and off at twice the part, a kink lies between
LEAST_PART = 2.0**-20  # of a step; a kink nearer to its start is crossed
BEYOND = 8.0  # nudges by which it is crossed, so that derivatives are of one piece
NEAR = 2.0**-20  # of a part of a step: distance after a kink at which the next one begins
SMALL = 1e-3  # of the largest number: one below counts as that much in differences


def column(tail: Floats, v: Floats, rows: tuple[Floats, ...], j: int) -> int:
    """Ask for column j of the derivative, on the side that the step before led to."""
    base, center, step, _, _ = rows
    scale = SMALLEST
    for i in range(v.size):
        v[i] = base[i]
        scale = max(scale, SMALL * max(abs(base[i]), abs(center[i])))
    size = NUDGE * max(abs(base[j]), min(1.0, abs(step[j])), scale)
    if step[j] != 0.0:
        size = finer_difference(size, base, step, j)
    v[j] = base[j] + (size if step[j] >= 0.0 else -size)
    tail[PHASE] = AT_COLUMN
    tail[COLUMN] = j
    return AGAIN


def trial(tail: Floats, v: Floats, rows: tuple[Floats, ...], part: float, phase: int) -> int:
    """Ask for the end of a part of the step."""
    base, _, step, _, _ = rows
    for i in range(v.size):
        v[i] = base[i] + part * step[i]
    tail[PART], tail[PHASE] = part, phase
    return AGAIN


def deviation(
    c: Floats, v: Floats, rows: tuple[Floats, ...], M: Floats, part: float
) -> tuple[float, float, bool]:
    """Distances of the end of a part from the linear model, in such parts, and from the solution, in
    steps; and if it is the solution.
    """
    base, _, step, later, pivots = rows
    scale, off, ahead, size, small = SMALLEST, 0.0, 0.0, 0.0, part == 1.0
    for i in range(v.size):
        scale = max(scale, abs(v[i]))
        later[i] = c[i] - v[i]
    solve(M, pivots, later)
    for i in range(v.size):
        weight = max(abs(base[i]), abs(base[i] + step[i]), SMALLEST)
        off = max(off, abs(later[i] - (1.0 - part) * step[i]) / weight)
        ahead = max(ahead, abs(later[i]) / weight)
        size = max(size, abs(step[i]) / weight)
        small = small and abs(later[i]) <= ROUNDED * max(abs(v[i]), SMALLEST * scale)
    if size == 0.0:
        return 0.0, 0.0, small
    return off / (part * size), ahead / size, small


def move(c: Floats, v: Floats, tail: Floats, rows: tuple[Floats, ...]) -> int:
    """Go on from the end of a part."""
    base, center, _, _, _ = rows
    for i in range(v.size):
        base[i], center[i] = v[i], c[i]
    tail[STEPS] += 1.0
    return FAILED if tail[STEPS] > MOST_STEPS else column(tail, v, rows, 0)


def at_base(v: Floats, base: Floats) -> int:
    """The solution is where the step begins: rounding leaves none that is better."""
    for i in range(v.size):
        v[i] = base[i]
    return SOLVED


def follow(c: Floats, v: Floats, tail: Floats, rows: tuple[Floats, ...]) -> int:
    """Go on from the end of a part, from where the next step is known by the matrix of this one."""
    _, _, step, later, _ = rows
    for i in range(v.size):
        step[i] = later[i]
    return move(c, v, tail, rows)


def judge(c: Floats, v: Floats, tail: Floats, rows: tuple[Floats, ...], M: Floats, usable: bool) -> int:
    """Go on from the end of a part of a step where the linear model holds, or take another part of it."""
    base, center, step, _, _ = rows
    part, off, ahead, small = tail[PART], np.inf, np.inf, False
    if usable:
        off, ahead, small = deviation(c, v, rows, M, part)
    if small:
        return SOLVED
    if ahead <= CLOSE and part < 1.0:
        return follow(c, v, tail, rows)
    scale, size, residual = 0.0, 0.0, 0.0
    for i in range(v.size):
        scale, size = max(scale, abs(base[i])), max(size, abs(step[i]))
        residual = max(residual, abs(center[i] - base[i]))
    if off > LINEAR and size <= LEAST_STEP * scale:
        return at_base(v, base)
    if off > LINEAR and tail[STEPS] == 0.0:  # the first matrix is renewed with differences of its step
        tail[STEPS] = 1.0
        return column(tail, v, rows, 0)
    if off <= LINEAR:
        if part == 1.0 or (tail[LOW] == 0.0 and off > BENT):
            return follow(c, v, tail, rows)
        tail[LOW] = part
    else:
        tail[HIGH] = part
    low, high = tail[LOW], tail[HIGH]
    if low > 0.0:
        close = high - low <= NEAR * high
        return trial(tail, v, rows, high if close else 0.5 * (low + high), ACROSS if close else AT_TRIAL)
    if high > LEAST_PART:
        return trial(tail, v, rows, 0.5 * high, AT_TRIAL)
    if tail[STEPS] < MANY_STEPS or max(size, residual) > NOISE * max(1.0, scale):
        part = min(1.0, high + BEYOND * NUDGE * scale / size)
        return trial(tail, v, rows, part, ACROSS)
    return at_base(v, base)


def begin_step(tail: Floats, v: Floats, rows: tuple[Floats, ...], M: Floats) -> int:
    """Ask for the end of the step of a complete matrix."""
    base, center, step, _, pivots = rows
    for i in range(v.size):
        step[i] = max(abs(base[i]), abs(center[i]), SMALLEST)
    if not factor(M, pivots, step):
        return FAILED
    for i in range(v.size):
        step[i] = center[i] - base[i]
    solve(M, pivots, step)
    tail[LOW], tail[HIGH] = 0.0, 1.0
    return trial(tail, v, rows, 1.0, AT_TRIAL) if is_finite(step) else FAILED


def follow_ray(c: Floats, v: Floats, tail: Floats, rows: tuple[Floats, ...], M: Floats) -> int:
    """Take the value c of v, and ask for the next one: AGAIN, SOLVED or FAILED; see `bracketing.bracket`."""
    base, center, step, _, _ = rows
    n, usable = v.size, is_finite(c)
    if tail[PHASE] == AT_BEGIN:
        for i in range(n):
            v[i] = tail[TAIL + i]
            step[i] = 0.0
        tail[PHASE], tail[STEPS] = AT_POINT, 0.0
        return AGAIN
    if tail[PHASE] == AT_TRIAL:
        return judge(c, v, tail, rows, M, usable)
    if tail[PHASE] != AT_COLUMN:
        return move(c, v, tail, rows) if usable else FAILED
    j = int(tail[COLUMN])
    if not usable:  # a branch ends within the difference
        v[j] = base[j] - CLOSER * (v[j] - base[j])
        return AGAIN if v[j] != base[j] else FAILED
    for i in range(n):
        M[i * n + j] = (1.0 if i == j else 0.0) - (c[i] - center[i]) / (v[j] - base[j])
    if j + 1 < n:
        return column(tail, v, rows, j + 1)
    return begin_step(tail, v, rows, M)
