"""One step of an explicit Runge-Kutta or Adams-Bashforth method."""

from __future__ import annotations

from typing import Any

from ...native.pieces import mark_inline
from .. import layout
from ..backend import Attempt, AttemptOf, Backend, Code, Function, Jit, Margin, PhaseAtOf, S
from ..layout import Explicit, Memory, Switching, Work
from ..methods import WRITTEN_OUT
from ..methods.method import Steps
from ..methods.tableau import Tableau
from .control import (
    EPSILON,
    Control,
    accept,
    fit_evenly,
    is_finite,
    make_norm,
    make_within_tolerance,
    shorten,
    with_error,
)
from .dense import make_interpolate
from .stability import notice
from .stages import make_stages
from .switching import refuse

MEETING = 1e-9  # of the fixed step, and 4 spacings of t: a target, or t, so near to a grid point is it
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


@mark_inline
def observe(code: Code, m: Memory, s: Switching) -> int:
    """Look now and then whether stability limits the steps."""
    if s.steps >= s.next_look:
        notice(code, m, s)
    return 0


@mark_inline
def refuse_and_shorten(m: Memory, s: Switching, h: float, error: float, failed: bool) -> float:
    """Look at an attempt whose error is too large, and shorten it."""
    if not failed:
        refuse(m, s)
    return shorten(m, s, h, error, failed)


def make_fixed_step(backend: Backend, attempt: AttemptOf[S]) -> PhaseAtOf[S]:
    """Make the step of methods without an error estimate."""

    @backend.jit
    def fixed_step(code: Code, m: Memory, s: S, target: float) -> int:
        """Step to the next point of the fixed grid, or to `target` before it."""
        t = s.t
        near = max(MEETING * s.h_fixed, 4.0 * EPSILON * (abs(t) + s.h_fixed))
        t_new = s.t_start + s.grid_step * s.h_fixed
        while t_new <= t + near:
            s.grid_step += 1
            t_new = s.t_start + s.grid_step * s.h_fixed
        t_new = target if target < t_new + near else t_new
        regular = abs((t_new - t) - s.h_fixed) <= REGULAR * s.h_fixed
        if not regular:
            s.at_hand = -1  # nor does the slope at its start lie a step after its end
        failed = attempt(code, m, s, t_new, t_new - t)
        s.t_new = t_new
        if failed < 0:
            return layout.KERNEL_FAILED
        if failed > 0 or not is_finite(m, s):
            s.t_bad = t_new
            return layout.NONFINITE
        return 0

    return fixed_step


def make_steps(backend: Backend, margin: Margin) -> Steps:
    """The steps by the tableau in the arrays of a run, and by the one that is written out."""
    attempt: Attempt = make_attempt(backend)
    if backend.attempting is not None:
        attempt = backend.attempting(attempt)
    fixed_step = make_fixed_step(backend, attempt)
    attempt_with_error = with_error(attempt, make_norm(backend.hot, WRITTEN_OUT), observe)
    within_tolerance = make_within_tolerance(
        Control(attempt_with_error, fit_evenly, accept, refuse_and_shorten)
    )

    @backend.hot
    def take(code: Code, m: Memory, s: Work, target: float) -> int:
        """Take the next step, at most to `target`."""
        if s.adaptive == 0:
            return int(fixed_step(code, m, s, target))
        return within_tolerance(code, m, s, target)

    prepare, interpolate = make_interpolate(backend)
    return Steps(take, prepare, interpolate, explicit=True)
