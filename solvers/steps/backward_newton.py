"""The equations of a backward step: simplified Newton's method with a sparse Jacobian, kept while it serves.

Source: Shampine and Reichelt, The MATLAB ODE Suite, SIAM Journal on Scientific Computing 18(1) (1997), 1-22,
doi:10.1137/S1064827594276424; Hairer and Wanner, Solving Ordinary Differential Equations II (1996), section
IV.8.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import layout
from ..backend import Code
from ..fields import Floats
from ..layout import Backward, Memory
from ..linear_algebra.sparse import factor_sparse, solve_sparse
from ..methods.bdf import NUMBERS
from ..program import derivative
from .coloured import MISSING, coloured_jacobian
from .unstable import is_unstable_sparse

ITERATIONS = 4  # of Newton's method, until a new Jacobian or a shorter step is better
NEWTON = 0.03  # of the tolerance: how exact Newton's method is
ROUNDING = 10.0 * 2.0**-52  # over rtol: no iteration is more exact
SLOWER = 0.8  # the power of the rate of convergence of the step before (Hairer and Wanner, equation 8.11)
LEAST_RATE = 2.0**-52
PREDICTED, CONSTANT, CHANGE, RIGHT = range(4)  # rows of U


def constant_of(numbers: tuple[float, ...]) -> Callable[[int], float]:
    """The number of an order, as code."""
    lines = ["def constant(order):"]
    for k, value in enumerate(numbers[:-1]):
        lines += [f"    if order == {k}:", f"        return {float(value)!r}"]
    lines.append(f"    return {float(numbers[-1])!r}")
    space: dict[str, Any] = {"__name__": __name__}
    exec("\n".join(lines), space)  # nothing but the method's numbers
    constant: Callable[[int], float] = space["constant"]
    return constant


alpha_of, gamma_of = constant_of(NUMBERS.alpha), constant_of(NUMBERS.gamma)


def ready(code: Code, m: Memory, s: Backward, t_new: float, h: float) -> int:
    """Solve for the step with the Jacobian at hand, or a new one: 0, 1 where that fails, -1 where a
    block fails, or UNSTRUCTURED.
    """
    c = h / alpha_of(s.bdf_order)
    predict(m, s)
    while True:
        if s.c_factored == 0.0:
            failed = coloured_jacobian(code, m, s, t_new, s.U[PREDICTED])
            s.renewed = 1
            if failed < 0:
                s.detail = failed
                return -1
            if failed == MISSING and s.structured == 1:
                s.structured = 0
                return layout.UNSTRUCTURED
            s.structured = min(s.structured, 1)
        failed = 0
        if c != s.c_factored:
            failed = 0 if factor_sparse(s, c) and not is_unstable_sparse(s) else 1
            s.c_factored = c
            s.rate = 1.0
        if failed == 0:
            failed = newton(code, m, s, t_new, c)
        if failed <= 0:
            return int(failed)
        if s.renewed == 1:
            return 1
        s.c_factored = 0.0


def mean(s: Backward, change: Floats, x: Floats, other: Floats) -> float:
    """The root mean square of a change in units of atol + rtol max(|x|, |other|).

    Four sums side by side: one would wait for each of its additions.
    """
    n, atol, rtol = x.size, s.atol, s.rtol
    a = b = c = d = 0.0
    whole = n - n % 4
    for i in range(0, whole, 4):
        a += (change[i] / (atol[i] + rtol[i] * max(abs(x[i]), abs(other[i])))) ** 2
        b += (change[i + 1] / (atol[i + 1] + rtol[i + 1] * max(abs(x[i + 1]), abs(other[i + 1])))) ** 2
        c += (change[i + 2] / (atol[i + 2] + rtol[i + 2] * max(abs(x[i + 2]), abs(other[i + 2])))) ** 2
        d += (change[i + 3] / (atol[i + 3] + rtol[i + 3] * max(abs(x[i + 3]), abs(other[i + 3])))) ** 2
    for i in range(whole, n):
        a += (change[i] / (atol[i] + rtol[i] * max(abs(x[i]), abs(other[i])))) ** 2
    return float(np.sqrt((a + b + c + d) / max(n, 1)))


def settled(m: Memory, s: Backward) -> bool:
    """True if a single iteration was enough, by the residual with the known slope at the step's end.

    A rate of before said so. Where the Jacobian has begun to change it is wrong, and the corrections of a
    matrix that is far too large are small whatever the solution does: steps leapt over the jumps of
    Van der Pol's oscillator. What is left over is small itself, as a rule, or its correction is.
    """
    U, slope, n = s.U, s.K[s.stages - 1], m.x.size
    predicted, constant, change, right = U[PREDICTED], U[CONSTANT], U[CHANGE], U[RIGHT]
    for i in range(n):
        right[i] = s.c_factored * slope[i] - constant[i] - change[i]
    for corrected in range(2):
        if corrected == 1:
            solve_sparse(s, right)
        first, second = mean(s, change, predicted, predicted), mean(s, right, predicted, predicted)
        s.rate = second / first if second < first else 1.0
        if second == 0.0 or second < (1.0 - s.rate) * max(ROUNDING / s.tightest, NEWTON):
            return True
    return False


def predict(m: Memory, s: Backward) -> None:
    """The prediction for the step's end by differences, and their part in its equations, into U."""
    n, order, table = m.x.size, s.bdf_order, s.differences
    predicted, constant, alpha = s.U[PREDICTED], s.U[CONSTANT], alpha_of(order)
    for i in range(n):
        predicted[i] = table[0, i]
        constant[i] = 0.0
    for j in range(1, order + 1):
        weight = gamma_of(j) / alpha
        for i in range(n):
            predicted[i] += table[j, i]
            constant[i] += weight * table[j, i]


def newton(code: Code, m: Memory, s: Backward, t_new: float, c: float) -> int:
    """The change from the prediction, into U: 0, 1 if it does not converge, or a failure."""
    n, U, x_trial = m.x.size, s.U, s.x_trial
    predicted, constant, change, right = U[PREDICTED], U[CONSTANT], U[CHANGE], U[RIGHT]
    slope, tolerance = s.scratch, max(ROUNDING / s.tightest, NEWTON)
    for i in range(n):
        change[i] = 0.0
        x_trial[i] = predicted[i]
    before, rate = 0.0, max(s.rate, LEAST_RATE) ** SLOWER
    for iteration in range(ITERATIONS):
        failed = derivative(code, t_new, x_trial, slope, m)
        s.evaluations += 1
        if failed != 0:
            s.detail = failed
            return int(failed)
        for i in range(n):
            right[i] = c * slope[i] - constant[i] - change[i]
        solve_sparse(s, right)
        for i in range(n):
            change[i] += right[i]
            x_trial[i] = predicted[i] + change[i]
        size = mean(s, right, predicted, predicted)
        if not size < np.inf:
            return 1
        if iteration > 0:
            rate = size / before
            if rate >= 1.0 or rate ** (ITERATIONS - 1 - iteration) / (1.0 - rate) * size > tolerance:
                return 1
        s.iterations = iteration + 1
        if size == 0.0 or (rate < 1.0 and rate / (1.0 - rate) * size < tolerance):
            s.rate = min(rate, 1.0)
            return 0
        before = size
    return 1
