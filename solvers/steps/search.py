"""The search for v = c(v) where Newton's method has failed, for equations with kinks and one solution.

One unknown is bracketed. Several are found along the ray of residuals: the path on which c(v) - v shrinks to
0 in its direction is followed by steps that end where their linear model does, so that a piece of a
piecewise-linear equation is crossed by one step, and the step behind a kink has the matrix of the next piece.
That ends at the solution where the determinants of all pieces have one sign, as for monotone equations.
Sources: Katzenelson, An Algorithm for Solving Nonlinear Resistor Networks, Bell System Technical Journal
44(8), 1965, 1605-1620; Dekker, Finding a zero by means of successive linear interpolation, in: Constructive
Aspects of the Fundamental Theorem of Algebra (1969), 37-48.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

AGAIN, SOLVED, FAILED = range(3)
PHASE, LOW, AT_LOW, HIGH, AT_HIGH, WIDTH, COUNT, WAY, CLOSED, FIRST = range(10)
TAIL = 10  # numbers of a search, before its start
AT_BEGIN, AT_FIRST, EXPANDING, WITHIN = range(4)  # phases of one unknown
AT_POINT, AT_COLUMN, AT_TRIAL = 1, 2, 3  # phases of several
LEAST_WIDTH = 1e-6  # of the first interval, in units of the start and 1
WIDER = 4.0  # each interval than the one before
WIDEST = 1e200
MOST_STEPS = 3000  # along a ray; a kink costs some ten
LINEAR = 0.1  # of a step: how far its end may be from the linear model
LEAST_PART = 2.0**-50  # of a step
NOISE = 1e-9  # of the largest value: what rounding may leave of a residual through a function of slope 1e6
FINEST = 4.0 * 2.0**-52
NUDGE = 2.0**-26  # about the root of the spacing of doubles
SMALLEST = 1e-9  # an unknown below counts as that much


def make_bracketed(jit: Callable[[Any], Any]) -> Any:
    @jit
    def expand(tail: Any, v: Any, start: float) -> int:
        """Ask for the next point outside the interval, on its sides by turns."""
        if tail[CLOSED] == 3.0:
            return FAILED
        tail[WAY] = -tail[WAY]
        if tail[WAY] > 0.0:
            tail[WIDTH] *= WIDER
            if tail[WIDTH] > WIDEST:
                return FAILED
        if (tail[WAY] > 0.0 and tail[CLOSED] == 1.0) or (tail[WAY] < 0.0 and tail[CLOSED] == 2.0):
            tail[WAY] = -tail[WAY]
            tail[WIDTH] *= WIDER
        v[0] = start + tail[WAY] * tail[WIDTH]
        return AGAIN if abs(v[0]) < WIDEST else FAILED

    @jit
    def divide(tail: Any, v: Any) -> int:
        """Ask for a point within the interval, by the secant and in the middle by turns, or end."""
        a, b, at_a, at_b = tail[LOW], tail[HIGH], tail[AT_LOW], tail[AT_HIGH]
        middle = a + 0.5 * (b - a)
        if middle <= a or middle >= b or at_a == 0.0 or at_b == 0.0:
            v[0] = a if abs(at_a) <= abs(at_b) else b
            least = min(abs(at_a), abs(at_b))
            return SOLVED if least <= NOISE * max(1.0, abs(v[0]), abs(tail[FIRST])) else FAILED
        tail[COUNT] += 1.0
        v[0] = middle
        if tail[COUNT] % 2.0 == 1.0 and abs(at_a) < np.inf and abs(at_b) < np.inf:
            secant = a - at_a * ((b - a) / (at_b - at_a))
            if a < secant < b:
                v[0] = secant
        return AGAIN

    @jit
    def bracketed(c: Any, v: Any, base: Any, center: Any, tail: Any) -> int:
        """The next point of one unknown; `base` and `center` hold the one with the least residual so far."""
        start, point = tail[TAIL], v[0]
        residual = c[0] - point
        if tail[PHASE] == AT_BEGIN:
            v[0] = start
            tail[PHASE] = AT_FIRST
            return AGAIN
        if tail[PHASE] == AT_FIRST or abs(residual) < abs(center[0] - base[0]):
            base[0], center[0] = point, c[0]
        if tail[PHASE] == AT_FIRST:
            if np.isnan(residual):
                return FAILED
            tail[LOW] = tail[HIGH] = start
            tail[AT_LOW] = tail[AT_HIGH] = tail[FIRST] = residual
            tail[WIDTH] = LEAST_WIDTH * max(abs(start), 1.0) / WIDER
            tail[WAY], tail[CLOSED], tail[COUNT] = -1.0, 0.0, 0.0
            tail[PHASE] = EXPANDING
            return expand(tail, v, start)  # type: ignore[no-any-return]
        if tail[PHASE] == EXPANDING:
            if np.isnan(residual):
                tail[CLOSED] += 1.0 if tail[WAY] > 0.0 else 2.0
                return expand(tail, v, start)  # type: ignore[no-any-return]
            if residual == 0.0:  # a solution lies between two signs; elsewhere rounding hides the residual
                return expand(tail, v, start)  # type: ignore[no-any-return]
            if tail[WAY] > 0.0:
                found = residual * tail[AT_HIGH] < 0.0
                if found:
                    tail[LOW], tail[AT_LOW] = tail[HIGH], tail[AT_HIGH]
                tail[HIGH], tail[AT_HIGH] = point, residual
            else:
                found = residual * tail[AT_LOW] < 0.0
                if found:
                    tail[HIGH], tail[AT_HIGH] = tail[LOW], tail[AT_LOW]
                tail[LOW], tail[AT_LOW] = point, residual
            if not found:
                return expand(tail, v, start)  # type: ignore[no-any-return]
            tail[PHASE] = WITHIN
            return divide(tail, v)  # type: ignore[no-any-return]
        if np.isnan(residual):
            return FAILED
        if residual * tail[AT_LOW] > 0.0:
            tail[LOW], tail[AT_LOW] = point, residual
        else:
            tail[HIGH], tail[AT_HIGH] = point, residual
        return divide(tail, v)  # type: ignore[no-any-return]

    return bracketed


def make_along_ray(jit: Callable[[Any], Any], factor: Any, solve: Any, finite: Any) -> Any:
    @jit
    def column(tail: Any, v: Any, rows: Any, j: int) -> int:
        """Ask for column j of the derivative, on the side that the step before led to."""
        base, _, step, _, _ = rows
        for i in range(v.size):
            v[i] = base[i]
        size = NUDGE * max(abs(base[j]), min(1.0, abs(step[j])), SMALLEST)
        v[j] = base[j] + (size if step[j] >= 0.0 else -size)
        tail[PHASE] = AT_COLUMN
        tail[COUNT] = j
        return AGAIN

    @jit
    def trial(tail: Any, v: Any, rows: Any) -> int:
        base, _, step, _, _ = rows
        for i in range(v.size):
            v[i] = base[i] + tail[WIDTH] * step[i]
        tail[PHASE] = AT_TRIAL
        return AGAIN

    @jit
    def judge(c: Any, v: Any, tail: Any, rows: Any, M: Any, usable: bool) -> int:
        """Go on from the end of a part of a step where the linear model holds there, or take less of it."""
        base, center, step, later, pivots = rows
        part, off, size, scale, small = tail[WIDTH], np.inf, 0.0, 0.0, 1
        for i in range(v.size):
            scale = max(scale, abs(v[i]))
        if usable:
            off = 0.0
            for i in range(v.size):
                later[i] = c[i] - v[i]
            solve(M, pivots, later)
            for i in range(v.size):
                weight = max(abs(base[i]), abs(base[i] + step[i]), SMALLEST)
                off = max(off, abs(later[i] - (1.0 - part) * step[i]) / weight)
                size = max(size, abs(step[i]) / weight)
                small &= int(abs(later[i]) <= FINEST * max(abs(v[i]), SMALLEST * scale))
        if part == 1.0 and small == 1 and usable:
            return SOLVED
        if off <= LINEAR * part * size:
            for i in range(v.size):
                base[i], center[i] = v[i], c[i]
            tail[FIRST] += 1.0
            return FAILED if tail[FIRST] > MOST_STEPS else column(tail, v, rows, 0)
        tail[WIDTH] *= 0.5
        if tail[WIDTH] >= LEAST_PART:
            return trial(tail, v, rows)  # type: ignore[no-any-return]
        for i in range(v.size):
            v[i] = base[i]
            if not abs(step[i]) <= NOISE * max(1.0, scale):
                return FAILED
        return SOLVED

    @jit
    def along_ray(c: Any, v: Any, tail: Any, rows: Any, M: Any) -> int:
        """The next point of several unknowns."""
        base, center, step, _, pivots = rows
        n, usable = v.size, finite(c)
        if tail[PHASE] == AT_BEGIN:
            for i in range(n):
                v[i] = tail[TAIL + i]
                step[i] = 0.0
            tail[PHASE], tail[FIRST] = AT_POINT, 0.0
            return AGAIN
        if tail[PHASE] == AT_TRIAL:
            return judge(c, v, tail, rows, M, usable)  # type: ignore[no-any-return]
        if tail[PHASE] == AT_POINT:
            for i in range(n):
                base[i], center[i] = v[i], c[i]
            return column(tail, v, rows, 0) if usable else FAILED
        if not usable:
            return FAILED
        j = int(tail[COUNT])
        for i in range(n):
            M[i * n + j] = (1.0 if i == j else 0.0) - (c[i] - center[i]) / (v[j] - base[j])
        if j + 1 < n:
            return column(tail, v, rows, j + 1)  # type: ignore[no-any-return]
        for i in range(n):
            step[i] = max(abs(base[i]), abs(center[i]), SMALLEST)
        if not factor(M, pivots, step):
            return FAILED
        for i in range(n):
            step[i] = center[i] - base[i]
        solve(M, pivots, step)
        tail[WIDTH] = 1.0
        return trial(tail, v, rows) if finite(step) else FAILED

    return along_ray


def make_search(jit: Callable[[Any], Any], factor: Any, solve: Any, finite: Any) -> Any:
    bracketed = make_bracketed(jit)
    along_ray = make_along_ray(jit, factor, solve, finite)

    @jit
    def search(c: Any, v: Any, tail: Any, rows: Any, M: Any) -> int:
        """Take the value c of v, and ask for the next one: AGAIN, SOLVED or FAILED, v is then NaN.

        It begins with the phase 0 at the start that lies behind the TAIL, whatever c and v are.
        """
        if v.size == 1:
            action = bracketed(c, v, rows[0], rows[1], tail)
        else:
            action = along_ray(c, v, tail, rows, M)
        if action == FAILED:
            for i in range(v.size):
                v[i] = np.nan
        return int(action)

    return search
