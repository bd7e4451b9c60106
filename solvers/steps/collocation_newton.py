"""The equations of a step of Radau IIA: simplified Newton's method in the variables in which they fall apart.

Source: Hairer and Wanner, Solving Ordinary Differential Equations II (1996), section IV.8.
"""

from __future__ import annotations

import numpy as np

from ..backend import Code
from ..layout import Collocation, Memory
from ..methods.radau5 import NUMBERS
from ..program import derivative
from .backward_newton import LEAST_RATE, NEWTON, ROUNDING, SLOWER
from .collocation_system import IM, RE, REAL, factor_matrices, renew, solve_pair, solve_real

ITERATIONS = 7  # of Newton's method, until a new Jacobian or a shorter step is better
W, Z, RIGHT, ERROR, INSIDE = 0, 3, 6, 9, 10  # rows of U: three of each of the first three
(I11, I12, I13), (I21, I22, I23), (I31, I32, I33) = NUMBERS.inverse
(T11, T12, T13), (T21, T22, T23), (T31, T32, T33) = NUMBERS.transform
C1, C2, _ = NUMBERS.nodes


def ready(code: Code, m: Memory, s: Collocation, h: float) -> int:
    """Solve for the stages with the Jacobian at hand, or a new one: 0, 1 where that fails, -1 where a
    block fails, or UNSTRUCTURED.
    """
    while True:
        if s.c_factored == 0.0:
            failed = renew(code, m, s)
            s.renewed = 1
            if failed != 0:
                return int(failed)
        failed = 0
        if h != s.c_factored:
            failed = 0 if factor_matrices(s, m.x.size, h) else 1
            s.c_factored = h
            s.rate = 1.0
        if failed == 0:
            failed = newton(code, m, s, h)
        if failed <= 0:
            return int(failed)
        if s.renewed == 1:
            return 1
        s.c_factored = 0.0


def slopes(code: Code, m: Memory, s: Collocation, h: float) -> int:
    """Slopes of the three stages, into the right sides; 0, or the program's status."""
    x, x_trial, U = m.x, s.x_trial, s.U
    for k in range(3):
        for i in range(x.size):
            x_trial[i] = x[i] + U[Z + k, i]
        c = C1 if k == 0 else (C2 if k == 1 else 1.0)
        failed = derivative(code, s.t + c * h, x_trial, U[RIGHT + k], m)
        s.evaluations += 1
        if failed != 0:
            return int(failed)
    return 0


def newton(code: Code, m: Memory, s: Collocation, h: float) -> int:
    """The stages, into U: 0, 1 where it does not converge, or a failure."""
    n, U, atol, rtol, x = m.x.size, s.U, s.atol, s.rtol, m.x
    first, second, third = U[RIGHT], U[RIGHT + 1], U[RIGHT + 2]
    tolerance = max(ROUNDING / s.tightest, min(NEWTON, np.sqrt(s.tightest)))
    start(m, s, h)
    before, rate = 0.0, max(s.rate, LEAST_RATE) ** SLOWER
    for iteration in range(ITERATIONS):
        failed = slopes(code, m, s, h)
        if failed != 0:
            s.detail = failed
            return int(failed)
        for i in range(n):
            a, b, c, v, w = first[i], second[i], third[i], U[W + 1, i], U[W + 2, i]
            first[i] = I11 * a + I12 * b + I13 * c - REAL / h * U[W, i]
            second[i] = I21 * a + I22 * b + I23 * c - (RE * v - IM * w) / h
            third[i] = I31 * a + I32 * b + I33 * c - (IM * v + RE * w) / h
        solve_real(s, h, RIGHT)
        solve_pair(s, h, second, third)
        total = 0.0
        for i in range(n):
            scale = atol[i] + rtol[i] * abs(x[i])
            total += (first[i] / scale) ** 2 + (second[i] / scale) ** 2 + (third[i] / scale) ** 2
            U[W, i] += first[i]
            U[W + 1, i] += second[i]
            U[W + 2, i] += third[i]
        back(m, s)
        size = np.sqrt(total / (3 * n))
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


def start(m: Memory, s: Collocation, h: float) -> None:
    """Values of the previous step's polynomial at the stages, or 0 after an event."""
    U, D, x = s.U, s.D, m.x
    for k in range(3):
        c = C1 if k == 0 else (C2 if k == 1 else 1.0)
        if s.predictable == 1:
            theta = (s.t - s.t_dense + c * h) / s.h_dense
            for i in range(x.size):
                bump = D[1, i] + theta * D[2, i]
                U[Z + k, i] = D[4, i] - x[i] + theta * (D[0, i] + (1.0 - theta) * bump)
        else:
            for i in range(x.size):
                U[Z + k, i] = 0.0
    for i in range(x.size):
        a, b, c = U[Z, i], U[Z + 1, i], U[Z + 2, i]
        U[W, i] = I11 * a + I12 * b + I13 * c
        U[W + 1, i] = I21 * a + I22 * b + I23 * c
        U[W + 2, i] = I31 * a + I32 * b + I33 * c


def back(m: Memory, s: Collocation) -> None:
    """Z = T W."""
    U = s.U
    for i in range(m.x.size):
        a, b, c = U[W, i], U[W + 1, i], U[W + 2, i]
        U[Z, i] = T11 * a + T12 * b + T13 * c
        U[Z + 1, i] = T21 * a + T22 * b + T23 * c
        U[Z + 2, i] = T31 * a + T32 * b + T33 * c
