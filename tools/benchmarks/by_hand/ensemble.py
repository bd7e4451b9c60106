"""Many Van der Pol oscillators by hand: one after another on every thread, the last state of each kept."""

from __future__ import annotations

from math import sqrt

import numpy as np
from numba import njit, prange

from .tableau import (  # isort: skip
    A21, A31, A32, A41, A42, A43, A51, A52, A53, A54, A61, A62, A63, A64, A65, ALPHA, B1, B3, B4, B5, B6,
    BETA, E1, E3, E4, E5, E6, E7, GROW, SAFETY, SHRINK,
)  # fmt: skip


@njit(cache=True)  # type: ignore[untyped-decorator,unused-ignore]
def last_state(mu, x, y, stop, rtol, atol):  # type: ignore[no-untyped-def]
    """The state at the time `stop`."""
    t = 0.0
    p1, q1 = y, mu * (1.0 - x * x) * y - x
    h, before = 1e-3, 1e-4
    while t < stop:
        last = t + 1.01 * h >= stop
        if last:
            h = stop - t
        u, v = x + h * A21 * p1, y + h * A21 * q1
        p2, q2 = v, mu * (1.0 - u * u) * v - u
        u, v = x + h * (A31 * p1 + A32 * p2), y + h * (A31 * q1 + A32 * q2)
        p3, q3 = v, mu * (1.0 - u * u) * v - u
        u = x + h * (A41 * p1 + A42 * p2 + A43 * p3)
        v = y + h * (A41 * q1 + A42 * q2 + A43 * q3)
        p4, q4 = v, mu * (1.0 - u * u) * v - u
        u = x + h * (A51 * p1 + A52 * p2 + A53 * p3 + A54 * p4)
        v = y + h * (A51 * q1 + A52 * q2 + A53 * q3 + A54 * q4)
        p5, q5 = v, mu * (1.0 - u * u) * v - u
        u = x + h * (A61 * p1 + A62 * p2 + A63 * p3 + A64 * p4 + A65 * p5)
        v = y + h * (A61 * q1 + A62 * q2 + A63 * q3 + A64 * q4 + A65 * q5)
        p6, q6 = v, mu * (1.0 - u * u) * v - u
        u = x + h * (B1 * p1 + B3 * p3 + B4 * p4 + B5 * p5 + B6 * p6)
        v = y + h * (B1 * q1 + B3 * q3 + B4 * q4 + B5 * q5 + B6 * q6)
        p7, q7 = v, mu * (1.0 - u * u) * v - u
        p = E1 * p1 + E3 * p3 + E4 * p4 + E5 * p5 + E6 * p6 + E7 * p7
        q = E1 * q1 + E3 * q3 + E4 * q4 + E5 * q5 + E6 * q6 + E7 * q7
        a = h * p / (atol + rtol * max(abs(x), abs(u)))
        b = h * q / (atol + rtol * max(abs(y), abs(v)))
        error = sqrt(0.5 * (a * a + b * b))
        if error <= 1.0:
            t = stop if last else t + h
            x, y, p1, q1 = u, v, p7, q7
            error = max(error, 1e-4)
            h *= min(GROW, max(SHRINK, SAFETY * error**-ALPHA * before**BETA))
            before = error
        else:
            h *= max(SHRINK, SAFETY * error**-ALPHA)
    return x, y


@njit(cache=True, parallel=True)  # type: ignore[untyped-decorator,unused-ignore]
def last_states(mu, x, stop, rtol, atol):  # type: ignore[no-untyped-def]
    """(n, 2): the last states of oscillators that start at rest."""
    states = np.empty((mu.size, 2))
    for k in prange(mu.size):
        states[k, 0], states[k, 1] = last_state(mu[k], x[k], 0.0, stop, rtol, atol)
    return states
