"""Linearly implicit steps: one Jacobian, one matrix, and its solution for a few right sides.

The dense output of a stiff system is of lower order than the step. Its error is estimated at the place where
it is worst, from the defect there, e = (1 / (h gamma) I - J)^-1 (f(p) - p'), and kept below the tolerance.

Solutions are refined where a run would keep their rounding errors. Reactions keep sums w'x of states: w'J =
0. The equations (1 / (h gamma) I - J) u = r leave an error of h gamma times the rounding error of |J| |u|
in w'u: for long steps it is far larger than a rounding error of u, and no later step takes it back. Where
it is not small in the smallest absolute tolerance, residuals are summed up in pairs of doubles and solved
for as well.

Sources: Hairer and Wanner, Solving Ordinary Differential Equations II (1996), sections IV.7 and IV.8;
T. J. Dekker, Numerische Mathematik 18 (1971) 224-242, doi:10.1007/BF01397083 (exact products);
N. J. Higham, Accuracy and Stability of Numerical Algorithms (2002), chapter 12 (iterative refinement).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...native.pieces import mark_cold
from .. import layout
from ..backend import AttemptOf, Backend, Code, Function, Jit, Margin
from ..fields import Floats
from ..layout import DenseJacobian, Memory
from ..linear_algebra.dense import factor, solve
from ..methods.method import Steps
from ..methods.rodas5p import NUMBERS
from ..methods.rosenbrock import Rosenbrock
from .along import go_on, observe, undisturbed
from .control import Control, accept, fit_evenly, make_within_tolerance, shorten, with_error
from .jacobian import jacobian
from .switching import ease
from .unstable import is_unstable

ROUNDING = 2.0**-53
SHARE = 0.01  # of the smallest absolute tolerance: smaller rounding errors are lost in the method's error
TIMES = 2  # the first residual has an error of h |J| roundings, the second of one rounding
SPLIT = 2.0**27 + 1.0  # a double's halves have 26 bits each, whose products are exact


def make_steps(backend: Backend, margin: Margin) -> Steps:
    """The steps of Rodas5P, with the loop's control of their length."""
    prepare, interpolate = make_interpolate(backend, NUMBERS)
    attempt = with_error(make_attempt(backend, NUMBERS), make_norm(backend.hot, NUMBERS), observe)
    within_tolerance = make_within_tolerance(Control(attempt, fit_evenly, accept, shorten))

    @backend.hot
    def take(code: Code, m: Memory, s: DenseJacobian, target: float) -> int:
        """The Jacobian once, then attempts of which each has a matrix of its own.

        Just after an instant the first attempt is as long as was right after the instant before: ticks
        excite the same fast states again and again.
        """
        behind_instant = s.at_hand == 0
        s.at_hand = 1
        if undisturbed(code, m, s):
            return int(go_on(code, m, s, target))
        if m.x.size > 0:
            failed = jacobian(code, m, s)
            if failed < 0:
                s.detail = failed
                return layout.KERNEL_FAILED
        if behind_instant and s.h_after > 0.0:
            s.h = min(s.h, s.h_after)
        status = within_tolerance(code, m, s, target)
        if status == 0 and behind_instant and s.steps > 0:
            s.h_after = s.h
        if status == 0 and s.switching == 1 and m.x.size > 0:
            ease(m, s)
        return int(status)

    return Steps(take, prepare, interpolate)


def make_attempt(backend: Backend, numbers: Rosenbrock) -> AttemptOf[DenseJacobian]:
    hot, derivative, evaluate = backend.hot, backend.derivative, backend.evaluate
    stages = make_stages(hot, derivative, numbers)
    gamma = numbers.gamma

    @backend.jit
    def matrix(s: DenseJacobian, n: int, h: float) -> bool:
        """The factors of 1 / (h gamma) I - J; False where h is too long for a growing mode."""
        J, LU = s.J, s.LU
        diagonal = 1.0 / (h * gamma)
        for j in range(n):
            for i in range(n):
                LU[j, i] = -J[j, i]
            LU[j, j] += diagonal
        s.factorizations += 1
        return bool(factor(LU, s.pivots)) and not is_unstable(s, n, diagonal)

    @hot
    def attempt(code: Code, m: Memory, s: DenseJacobian, t_new: float, h: float) -> int:
        """One step from (T, x), whose slope is K[0], to (t_new, x_new)."""
        n = m.x.size
        s.h_taken = s.h_dense = h
        s.t_dense, s.end_dense = s.t, t_new
        s.dense = 0
        s.back_used = 0
        failed = 0
        if n > 0:
            failed = stages(code, m, s, h) if matrix(s, n, h) else 1
        if failed == 0:
            failed = evaluate(code, t_new, s.x_new, s.K[s.stages - 1], m)
            s.evaluations += 1
        if failed < 0:
            s.detail = failed
            return -1
        return int(failed)

    return attempt


def make_stages(hot: Jit, derivative: Function, numbers: Rosenbrock) -> Any:
    """All increments and x_new, the method's numbers in the code."""
    lines = ["def stages(code, m, s, h):", "    t, n, timed = s.t, m.x.size, s.timed"]
    lines.append("    x, x_trial, x_new, K, U, slope = m.x, s.x_trial, s.x_new, s.K, s.U, s.scratch")
    lines.append("    LU, pivots, slopes_t = s.LU, s.pivots, s.slopes_t")
    lines.append(f"    diagonal = 1.0 / (h * {numbers.gamma!r})")
    before: tuple[float, ...] = ()
    for j, (row, c) in enumerate(zip(numbers.a, numbers.c, strict=True)):
        if j > 0:
            same = row[:-1] == before and row[-1] == 1.0
            moved = f"x_trial[i] + U[{j - 1}, i]" if same else f"x[i] + ({_sum(row)})"
            lines += ["    for i in range(n):", f"        x_trial[i] = {moved}"]
            time = f"t + {numbers.nodes[j]!r} * h"
            lines.append(f"    failed = derivative(code, {time}, x_trial, slope, m)")
            lines += ["    if failed != 0:", "        return failed"]
        right = f"slope[i] + ({_sum(c)}) / h" if j > 0 else "K[0, i]"
        lines += ["    for i in range(n):", f"        U[{j}, i] = {right}"]
        if numbers.time[j]:
            lines += ["    if timed == 1:", "        for i in range(n):"]
            lines.append(f"            U[{j}, i] += {numbers.time[j]!r} * h * slopes_t[i]")
        lines += ["    for i in range(n):", f"        slope[i] = U[{j}, i]"]
        lines.append(f"    solve(LU, pivots, U, {j}, 0)")
        lines += ["    refined = is_rough(m, s, diagonal)"] if j == 0 else []
        lines += ["    if refined:", f"        refine(m, s, {j}, diagonal)"]
        before = tuple(row)
    count = numbers.stages
    lines += ["    for i in range(n):", f"        x_new[i] = x_trial[i] + U[{count - 1}, i]"]
    values, slopes = numbers.within(numbers.worst)
    lines += ["    for i in range(n):", f"        x_trial[i] = x[i] + ({_sum(values)})"]
    lines.append(f"    failed = derivative(code, t + {numbers.worst!r} * h, x_trial, slope, m)")
    lines += ["    if failed != 0:", "        return failed"]
    lines += ["    for i in range(n):", f"        U[{count}, i] = slope[i] - ({_sum(slopes)}) / h"]
    lines += [f"    solve(LU, pivots, U, {count}, 0)", f"    s.evaluations += {count}", "    return 0"]
    space: dict[str, Any] = {"derivative": derivative, "solve": solve, "is_rough": is_rough, "refine": refine}
    exec("\n".join(lines), space)  # nothing but the method's numbers
    return hot(space["stages"])


def _sum(weights: tuple[float, ...]) -> str:
    """The sum of weighed increments of one state."""
    return " + ".join(f"{w!r} * U[{j}, i]" for j, w in enumerate(weights) if w)


def make_norm(jit: Jit, numbers: Rosenbrock) -> Callable[[DenseJacobian, Floats, float], float]:
    end, within = numbers.stages - 1, numbers.stages
    power = (numbers.error_order + 1) / numbers.error_order  # an error of h^4 then shrinks like one of h^5

    @jit
    def error_norm(s: DenseJacobian, x: Floats, h: float) -> float:
        """Root mean square of the error in units of atol + rtol |x|, of the step or within it; the largest
        part of that of the step is noted.
        """
        n = x.size
        if n == 0:
            return 0.0
        total, inside, worst, culprit = 0.0, 0.0, -1.0, 0
        U, x_new, atol, rtol = s.U, s.x_new, s.atol, s.rtol
        for i in range(n):
            scale = atol[i] + rtol[i] * max(abs(x[i]), abs(x_new[i]))
            e = U[end, i] / scale
            total += e * e
            inside += (U[within, i] / scale) ** 2
            if not abs(e) <= worst:
                worst = abs(e)
                culprit = i
        s.bad_state = culprit
        error = np.sqrt(total / n)
        if not total >= inside:
            error = max(error, np.sqrt(inside / n) ** power)
        return float(error)

    return error_norm


def make_interpolate(backend: Backend, numbers: Rosenbrock) -> tuple[Any, Any]:
    vectors = [numbers.weights, *numbers.dense]
    lines = ["def prepare(code, m, s):", "    if s.dense > 0:", "        return 0"]
    lines += ["    x, x_new, U, D = m.x, s.x_new, s.U, s.D", "    for i in range(x.size):"]
    lines += [f"        D[{k}, i] = {_sum(weights)}" for k, weights in enumerate(vectors)]
    lines += [f"        D[{len(vectors)}, i] = x[i]", f"        D[{len(vectors) + 1}, i] = x_new[i]"]
    lines += ["    s.dense = 1", "    return 0"]
    space: dict[str, Any] = {}
    exec("\n".join(lines), space)  # nothing but the method's numbers
    prepare = backend.jit(space["prepare"])

    @backend.jit
    def interpolate(m: Memory, s: DenseJacobian, theta: float, out: Floats) -> None:
        """x(t + theta h) by the polynomial of the step that is gone along; `prepare` comes first."""
        D = s.D
        theta = (s.t - s.t_dense) / s.h_dense + theta * (s.h_taken / s.h_dense)
        back = 1.0 - theta
        for i in range(m.x.size):
            out[i] = D[4, i] + theta * (D[0, i] + back * (D[1, i] + theta * (D[2, i] + theta * D[3, i])))

    return prepare, interpolate


def add_product(high: float, low: float, a: float, b: float) -> tuple[float, float]:
    """The pair of doubles that is a pair plus a product."""
    product = a * b
    a_high = SPLIT * a - (SPLIT * a - a)
    b_high = SPLIT * b - (SPLIT * b - b)
    a_low, b_low = a - a_high, b - b_high
    error = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low
    total = high + product
    part = total - high
    error += (high - (total - part)) + (product - part)
    return total, low + error


def is_rough(m: Memory, s: DenseJacobian, diagonal: float) -> bool:
    """True if the rounding error of the first increment may matter."""
    n, J, U, atol = m.x.size, s.J, s.U, s.atol
    largest, least = 0.0, np.inf
    for i in range(n):
        total = 0.0
        for j in range(n):
            total += abs(J[j, i] * U[0, j])
        largest = max(largest, total)
        if atol[i] > 0.0:
            least = min(least, atol[i])
    return bool(ROUNDING * largest > SHARE * least * diagonal)


@mark_cold
def refine(m: Memory, s: DenseJacobian, row: int, diagonal: float) -> None:
    """Refine the increment in U[row], whose right side is in scratch."""
    n, J, U, right = m.x.size, s.J, s.U, s.scratch
    spare = U.shape[0] - 1
    for _ in range(TIMES):
        for i in range(n):
            high, low = add_product(right[i], 0.0, -diagonal, U[row, i])
            for j in range(n):
                high, low = add_product(high, low, J[j, i], U[row, j])
            U[spare, i] = high + low
        solve(s.LU, s.pivots, U, spare, 0)
        for i in range(n):
            U[row, i] += U[spare, i]
