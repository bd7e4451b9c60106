"""One step of an explicit Runge-Kutta or Adams-Bashforth method."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...native.pieces import inlined
from .. import layout
from ..backend import (
    Attempt,
    AttemptOf,
    Backend,
    ChangeOf,
    Code,
    Function,
    Jit,
    Margin,
    PhaseAtOf,
    PhaseOf,
    S,
)
from ..events.margin import margin
from ..fields import Floats
from ..layout import Common, Explicit, Memory, Switching
from ..methods import WRITTEN_OUT
from ..methods.tableau import Tableau
from ..program import evaluate
from .control import after_failure, after_success, make_norm
from .stability import notice
from .stages import make_stages
from .switching import refuse as refuse_attempt

EPSILON = 2.0**-52  # the spacing of doubles at 1
FLOOR = 8.0 * EPSILON  # of t: a step of fewer bits of time has stages that fall on the same instant
NEARLY = 0.999  # of what is left: the step goes all the way, so that no sliver of a step is left over
RETREAT = 0.1  # of a step that met a number that is not finite: its error says nothing of how far to go
MOST_BAD = 60  # such steps in a row: from any step to nothing
MEETING = 1e-9  # of the fixed step, and 4 spacings of t: a target so near to a grid point is it
REGULAR = 1e-6  # of the fixed step: one that differs by more has no past for an Adams formula


def make_written_out(hot: Jit, derivative: Function, tableau: Tableau) -> Any:
    """The inner stages of one method and x_new, its coefficients in the code: faster for few states."""
    last = tableau.stages - 1
    lines = ["def stages(code, m, s, h):", "    t = s.t", "    n = m.x.size"]
    lines.append("    K, x, x_trial, x_new = s.K, m.x, s.x_trial, s.x_new")
    for j in range(1, last + 1):
        terms = [f"{float(w)!r} * K[{k}, i]" for k, w in enumerate(tableau.a[j]) if w]
        target = "x_new" if j == last else "x_trial"
        lines.append("    for i in range(n):")
        lines.append(f"        {target}[i] = x[i] + h * ({' + '.join(terms)})")
        if j < last:
            time = f"t + {float(tableau.c[j])!r} * h"
            lines.append(f"    failed = derivative(code, {time}, x_trial, K[{j}], m)")
            lines += ["    if failed != 0:", "        return failed", "    for q in range(m.g.size):"]
            lines.append(f"        s.G[{j}, q] = m.g[q]")
    lines.append("    return 0")
    space: dict[str, Any] = {"derivative": derivative}
    exec("\n".join(lines), space)  # nothing but the tableau's numbers
    return hot(space["stages"])


def make_attempt(backend: Backend) -> AttemptOf[Explicit]:
    hot, derivative, evaluate, all_stages = backend.hot, backend.derivative, backend.evaluate, backend.stages
    move, stages = make_stages(hot, derivative)
    by_default = make_written_out(hot, derivative, WRITTEN_OUT)

    @hot
    def adams(m: Memory, s: Explicit, h: float) -> None:
        """x_new by the Adams formula; its slopes go where the dense output looks for them."""
        for i in range(m.x.size):
            total = s.M[0] * s.K[0, i]
            for j in range(s.multistep):
                s.K[j + 1, i] = s.back[j, i]
                total += s.M[j + 1] * s.back[j, i]
            s.x_new[i] = m.x[i] + h * total

    @hot
    def attempt(code: Code, m: Memory, s: Explicit, t_new: float, h: float) -> int:
        """All stages of one step from (T, x), whose slope is K[0], to (t_new, x_new)."""
        last = s.stages - 1
        s.h_taken = h
        s.dense = 0
        s.back_used = 0
        failed = 0
        if s.written_out == 2:
            failed = all_stages(code, s.t, t_new, h, m.x, s.K, s.x_new, s.G, m)
            s.evaluations += last
        elif s.written_out == 1:
            failed = by_default(code, m, s, h)
            s.evaluations += last
        elif s.multistep > 0 and s.at_hand >= s.multistep:
            s.back_used = 1
            adams(m, s, h)
            s.evaluations += 1
        else:
            failed = stages(code, m, s, m.x, s.t, h, 0, 1, last, True)
            if failed == 0:
                move(s, m.x, 0, last, h, s.x_new)
            s.evaluations += last
        if failed == 0 and s.written_out != 2:
            failed = evaluate(code, t_new, s.x_new, s.K[last], m)
        for q in range(m.g.size):
            s.G[last, q] = m.g[q]
        if failed < 0:
            s.detail = failed
            return -1
        return int(failed)

    return attempt


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


def make_take_explicit(backend: Backend, margin: Margin) -> Any:
    """`take_step` for the tableau in the arrays of a run, and for the one that is written out."""

    @backend.hot
    def observe(code: Code, m: Memory, s: Switching) -> int:
        """Whether stability limits the steps, now and then."""
        if s.steps >= s.next_look:
            notice(code, m, s)
        return 0

    attempt: Attempt = make_attempt(backend)
    if backend.attempting is not None:
        attempt = backend.attempting(attempt)
    return make_take_step(
        backend, margin, attempt, make_norm(backend.hot, WRITTEN_OUT), observe, refuse_attempt
    )


@inlined
def ignore(m: Memory, s: Common) -> None:
    pass


def make_take_step(
    backend: Backend,
    margin: Margin,
    attempt: AttemptOf[S],
    error_norm: Callable[[S, Floats, float], float],
    observe: PhaseOf[S],
    refuse: ChangeOf[S],
) -> PhaseAtOf[S]:
    """The next accepted step.

    attempt(code, m, s, t_new, h)   a step to t_new: 0, 1 where a number is not finite, -1 where a block fails
    error_norm(s, x, h)             its error in units of the tolerance
    observe(code, m, s)             what is to be seen of a step that is good; returns what `attempt` does
    refuse(m, s)                    looks at an attempt whose error is too large
    """
    jit, hot = backend.jit, backend.hot

    @hot
    def not_finite(s: S, n: int) -> bool:
        total = 0.0
        x_new, slope = s.x_new, s.K[s.stages - 1]
        for i in range(n):
            total += x_new[i] * 0.0 + slope[i] * 0.0
        return total != 0.0

    @jit
    def fixed_step(code: Code, m: Memory, s: S, target: float) -> int:
        """To the next point of the fixed grid, or to `target` before it."""
        t = s.t
        t_new = s.t_start + s.grid_step * s.h_fixed
        while t_new <= t:
            s.grid_step += 1
            t_new = s.t_start + s.grid_step * s.h_fixed
        near = max(MEETING * s.h_fixed, 4.0 * EPSILON * abs(t_new))
        t_new = target if target < t_new + near else t_new
        regular = abs((t_new - t) - s.h_fixed) <= REGULAR * s.h_fixed
        if not regular:
            s.at_hand = -1  # nor does the slope at its start lie a step behind its end
        failed = attempt(code, m, s, t_new, t_new - t)
        s.t_new = t_new
        if failed < 0:
            return layout.KERNEL_FAILED
        if failed > 0 or not_finite(s, m.x.size):
            s.t_bad = t_new
            return layout.NONFINITE
        return 0

    @hot
    def take_step(code: Code, m: Memory, s: S, target: float) -> int:
        """The next accepted step, at most to `target`: sets t_new and x_new; 0, or the reason of failure."""
        if s.adaptive == 0:
            return int(fixed_step(code, m, s, target))
        t = s.t
        floor = FLOOR * abs(t)  # what time resolves here, wherever the end lies
        h = max(s.h, floor)
        s.forced = 0
        while True:
            remaining = target - t
            h = min(h, s.h_max)
            clipped = False
            if h >= remaining * NEARLY:
                clipped = h > remaining
                h = remaining
            elif 2.0 * h > remaining:
                h = 0.5 * remaining
            t_new = target if h == remaining else t + h
            if remaining <= 2.0 * floor:
                h = remaining
                t_new = target
            if h < floor and h < remaining and s.bad_evaluations > 0:
                h = floor
                t_new = t + h
            if t_new <= t or (h < floor and h < remaining):
                s.t_bad = t
                return layout.COLLAPSED
            failed = attempt(code, m, s, t_new, h)
            if failed < 0:
                return layout.KERNEL_FAILED
            error = error_norm(s, m.x, h)
            if failed == 0 and error <= 1.0:
                failed = observe(code, m, s)
                if failed < 0:
                    return layout.KERNEL_FAILED
            if failed > 0 or not np.isfinite(error) or not_finite(s, m.x.size):
                if s.bad_evaluations == 0 or t_new < s.t_bad:
                    s.t_bad = t_new
                s.bad_evaluations += 1
                s.rejected += 1
                s.rejected_last = 1
                if h <= floor or s.bad_evaluations > MOST_BAD:
                    return int(forced(code, m, s, h))
                h *= RETREAT
                continue
            if error <= 1.0:
                factor = after_success(s, error)
                s.h = max(s.h, h * factor) if clipped else h * factor
                s.rejected_last = 0
                s.bad_evaluations = 0
                s.t_new = t_new
                return 0
            if h == remaining and remaining <= 2.0 * floor:
                s.t_bad = t
                return layout.COLLAPSED
            refuse(m, s)
            h *= after_failure(s, error)
            s.h = h
            s.rejected += 1
            s.rejected_last = 1

    return take_step
