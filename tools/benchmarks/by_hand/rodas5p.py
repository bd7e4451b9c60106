"""Rodas5P by hand: one compiled loop over a system's own functions, no log, no events.

Coefficients: those of blockdyn.solvers.methods.rodas5p, whose source they name.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from blockdyn.solvers.methods.rodas5p import NUMBERS

STAGES = NUMBERS.stages
A, C = np.zeros((2, STAGES, STAGES))
for _i in range(STAGES):
    A[_i, :_i], C[_i, :_i] = NUMBERS.a[_i], NUMBERS.c[_i]
GAMMA = NUMBERS.gamma


def solver(slope: Any, jacobian: Any) -> Any:
    """solve(x, stop, h, rtol, atol) -> x(stop), for slope(x, dx) and jacobian(x, J)."""

    @njit(error_model="numpy")  # type: ignore[untyped-decorator,unused-ignore]
    def solve(start, stop, h, rtol, atol):  # type: ignore[no-untyped-def]
        n = start.size
        x, J, W, K = start.copy(), np.zeros((n, n)), np.zeros((n, n)), np.zeros((STAGES, n))
        u, d, pivots = np.zeros(n), np.zeros(n), np.zeros(n, np.int64)
        t, steps = 0.0, 0
        jacobian(x, J)
        while t < stop:
            h = min(h, stop - t)
            for i in range(n):
                for j in range(n):
                    W[i, j] = -J[i, j]
                W[i, i] += 1.0 / (h * GAMMA)
            for k in range(n):
                p = k
                for i in range(k + 1, n):
                    if abs(W[i, k]) > abs(W[p, k]):
                        p = i
                pivots[k] = p
                if p != k:
                    for j in range(n):
                        W[k, j], W[p, j] = W[p, j], W[k, j]
                for i in range(k + 1, n):
                    W[i, k] /= W[k, k]
                    for j in range(k + 1, n):
                        W[i, j] -= W[i, k] * W[k, j]
            for s in range(STAGES):
                for i in range(n):
                    total = x[i]
                    for r in range(s):
                        total += A[s, r] * K[r, i]
                    u[i] = total
                slope(u, d)
                for i in range(n):
                    for r in range(s):
                        d[i] += C[s, r] / h * K[r, i]
                for k in range(n):
                    p = pivots[k]
                    d[k], d[p] = d[p], d[k]
                for k in range(n):
                    for i in range(k + 1, n):
                        d[i] -= W[i, k] * d[k]
                for k in range(n - 1, -1, -1):
                    for j in range(k + 1, n):
                        d[k] -= W[k, j] * d[j]
                    d[k] /= W[k, k]
                for i in range(n):
                    K[s, i] = d[i]
            error = 0.0
            for i in range(n):
                end = u[i] + K[STAGES - 1, i]
                error += (K[STAGES - 1, i] / (atol + rtol * max(abs(x[i]), abs(end)))) ** 2
            error = np.sqrt(error / n)
            steps += 1
            if error <= 1.0:
                t += h
                for i in range(n):
                    x[i] = u[i] + K[STAGES - 1, i]
                jacobian(x, J)
                h *= min(6.0, max(0.2, 0.9 * max(error, 1e-10) ** -0.2))
            else:
                h *= max(0.2, 0.9 * error**-0.2)
        return x, steps

    return solve
