"""Quadratic programs within a box, by the projected Newton method, as a kernel.

Source: Bertsekas, SIAM J. Control and Optimization 20(2), 1982, 221-246, doi:10.1137/0320018.
"""

from __future__ import annotations

from math import sqrt

from ..contract.parameter import Array

ROUNDS = 200  # of Newton steps: a few are usual, as the set of limits met settles
ENOUGH = 0.1  # of the decrease that the slope promises (Armijo)
HALVES = 40  # of a step
SMALL = 1e-13  # of its largest number: a change of U that is none


def least_in_box(
    H: Array, f: Array, low: Array, high: Array, U: Array, slope: Array, trial: Array, factor: Array
) -> None:
    """U with low <= U <= high that makes U' H U / 2 + f' U least, from U on; H is symmetric and positive."""
    n = U.shape[0]
    for i in range(n):
        U[i] = min(max(U[i], low[i]), high[i])
    for _ in range(ROUNDS):
        _slope(H, f, U, slope)
        _newton(H, low, high, U, slope, trial, factor)
        target = factor[0]  # room: the factor is done with
        step = 1.0
        moved = 0.0
        for _ in range(HALVES):
            moved, size, promised = 0.0, 1e-300, 0.0
            for i in range(n):
                to = min(max(U[i] + step * trial[i], low[i]), high[i])
                target[i] = to
                moved = max(moved, abs(to - U[i]))
                size = max(size, abs(to))
                promised += slope[i] * (to - U[i])
            if moved <= SMALL * size:
                moved = 0.0
                break
            if _change(H, slope, U, target) <= ENOUGH * promised:
                break
            step *= 0.5
        if moved == 0.0:
            return
        for i in range(n):
            U[i] = target[i]


def _slope(H: Array, f: Array, U: Array, slope: Array) -> None:
    """slope = H U + f."""
    for i in range(U.shape[0]):
        total = f[i]
        for j in range(U.shape[0]):
            total += H[i, j] * U[j]
        slope[i] = total


def _change(H: Array, slope: Array, U: Array, to: Array) -> float:
    """By how much the cost changes from U to another place, without the digits that both have."""
    total = 0.0
    for i in range(U.shape[0]):
        if to[i] != U[i]:
            s = slope[i]
            for j in range(U.shape[0]):
                s += 0.5 * H[i, j] * (to[j] - U[j])
            total += s * (to[i] - U[i])
    return total


def _newton(H: Array, low: Array, high: Array, U: Array, slope: Array, d: Array, factor: Array) -> None:
    """d = -H^-1 slope of those that are free; 0 for those held at a limit."""
    n = U.shape[0]
    for i in range(n):
        held = (U[i] <= low[i] and slope[i] > 0.0) or (U[i] >= high[i] and slope[i] < 0.0)
        d[i] = 0.0 if held else -slope[i]
        for k in range(i + 1):
            other = (U[k] <= low[k] and slope[k] > 0.0) or (U[k] >= high[k] and slope[k] < 0.0)
            total = H[i, k] if not (held or other) else (1.0 if i == k else 0.0)
            for j in range(k):
                total -= factor[i, j] * factor[k, j]
            factor[i, k] = sqrt(total) if i == k else total / factor[k, k]
    for i in range(n):
        for j in range(i):
            d[i] -= factor[i, j] * d[j]
        d[i] /= factor[i, i]
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, n):
            d[i] -= factor[j, i] * d[j]
        d[i] /= factor[i, i]
