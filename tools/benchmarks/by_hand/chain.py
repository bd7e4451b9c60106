"""The mass-spring chain by hand: 50 positions, then 50 velocities; one buffer of constant offsets.

In one buffer, with sizes known to the compiler, the loops become SIMD code; in separate arrays they do not,
because the compiler cannot show that eight of them never overlap.
"""

from __future__ import annotations

from math import sqrt

import numpy as np
from numba import njit

from .tableau import (  # isort: skip
    A21, A31, A32, A41, A42, A43, A51, A52, A53, A54, A61, A62, A63, A64, A65, ALPHA, B1, B3, B4, B5, B6,
    BETA, E1, E3, E4, E5, E6, E7, GROW, SAFETY, SHRINK,
)  # fmt: skip

CAPACITY = 20_000
MASSES = 50
N = 2 * MASSES
S, U = 0, 8 * N  # state and trial state; stage j at j N


@njit(cache=True, inline="always")  # type: ignore[untyped-decorator,unused-ignore]
def derivative(stiffness, damping, w, s, out):  # type: ignore[no-untyped-def]
    """out = ds/dt, both places in the buffer w."""
    for k in range(MASSES):
        w[out + k] = w[s + MASSES + k]
    for k in range(1, MASSES - 1):
        pull = w[s + k - 1] + w[s + k + 1] - 2.0 * w[s + k]
        w[out + MASSES + k] = stiffness * pull - damping * w[s + MASSES + k]
    w[out + MASSES] = stiffness * (w[s + 1] - 2.0 * w[s]) - damping * w[s + MASSES]
    k = MASSES - 1
    w[out + N - 1] = stiffness * (w[s + k - 1] - 2.0 * w[s + k]) - damping * w[s + N - 1]


@njit(cache=True)  # type: ignore[untyped-decorator,unused-ignore]
def solve(stiffness, damping, initial, stop, rtol, atol):  # type: ignore[no-untyped-def]
    """Times and states of all accepted steps."""
    times, states = np.empty(CAPACITY), np.empty((CAPACITY, N))
    w = np.empty(9 * N)
    t, n = 0.0, 1
    times[0] = t
    for i in range(N):
        w[S + i] = initial[i]
        states[0, i] = initial[i]
    derivative(stiffness, damping, w, S, 1 * N)
    h, before = 1e-3, 1e-4
    while t < stop:
        last = t + 1.01 * h >= stop
        if last:
            h = stop - t
        for i in range(N):
            w[U + i] = w[i] + h * A21 * w[N + i]
        derivative(stiffness, damping, w, U, 2 * N)
        for i in range(N):
            w[U + i] = w[i] + h * (A31 * w[N + i] + A32 * w[2 * N + i])
        derivative(stiffness, damping, w, U, 3 * N)
        for i in range(N):
            w[U + i] = w[i] + h * (A41 * w[N + i] + A42 * w[2 * N + i] + A43 * w[3 * N + i])
        derivative(stiffness, damping, w, U, 4 * N)
        for i in range(N):
            w[U + i] = w[i] + h * (
                A51 * w[N + i] + A52 * w[2 * N + i] + A53 * w[3 * N + i] + A54 * w[4 * N + i]
            )
        derivative(stiffness, damping, w, U, 5 * N)
        for i in range(N):
            w[U + i] = w[i] + h * (
                A61 * w[N + i]
                + A62 * w[2 * N + i]
                + A63 * w[3 * N + i]
                + A64 * w[4 * N + i]
                + A65 * w[5 * N + i]
            )
        derivative(stiffness, damping, w, U, 6 * N)
        for i in range(N):
            w[U + i] = w[i] + h * (
                B1 * w[N + i] + B3 * w[3 * N + i] + B4 * w[4 * N + i] + B5 * w[5 * N + i] + B6 * w[6 * N + i]
            )
        derivative(stiffness, damping, w, U, 7 * N)
        total = 0.0
        for i in range(N):
            e = E1 * w[N + i] + E3 * w[3 * N + i] + E4 * w[4 * N + i]
            e += E5 * w[5 * N + i] + E6 * w[6 * N + i] + E7 * w[7 * N + i]
            e *= h / (atol + rtol * max(abs(w[i]), abs(w[U + i])))
            total += e * e
        error = sqrt(total / N)
        if error <= 1.0:
            t = stop if last else t + h
            times[n] = t
            for i in range(N):
                w[i] = w[U + i]
                w[N + i] = w[7 * N + i]
            for i in range(N):
                states[n, i] = w[i]
            n += 1
            error = max(error, 1e-4)
            h *= min(GROW, max(SHRINK, SAFETY * error**-ALPHA * before**BETA))
            before = error
        else:
            h *= max(SHRINK, SAFETY * error**-ALPHA)
    return times[:n], states[:n]
