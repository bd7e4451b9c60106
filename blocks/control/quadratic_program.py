"""Quadratic programs by a dual active set method, warm-started from a similar program, as a kernel.

Source: Arnström, Bemporad, Axehill, IEEE Trans. Automatic Control 67(8), 2022, 4362-4369,
doi:10.1109/TAC.2022.3176430.
"""

from __future__ import annotations

from math import inf, sqrt

from ..contract.parameter import Array

SOLVED, INFEASIBLE, UNFINISHED = 0, 1, 2
ROUNDING = 1e-11  # relative to the terms of a row: a smaller violation is rounding
DEPENDENT = 1e-11  # relative to its own element of G: the remainder of a row that depends on the others
STILL = 1e-9  # relative to the multiplier of a row that enters: smaller changes of another are rounding
LEAST = 1e-300  # a multiplier whose size is not known yet: its sign marks the active limit


def multipliers(
    G: Array,
    free: Array,
    low: Array,
    high: Array,
    most: int,
    active: Array,
    aim: Array,
    factor: Array,
    y: Array,
) -> int:
    """y, the multipliers of low <= c <= high where c = free - G y: positive at high, negative at low.

    G = C H^-1 C' of the program min U' H U / 2 + f' U with low <= C U <= high, free = -C H^-1 f, and
    U = -H^-1 (f + C' y). The search begins at y, with at most `most` changes of the set of active limits.
    `active`, `aim` and `factor` are workspace for the rows of that set, their multipliers, and its factor.
    """
    count = 0
    for i in range(y.shape[0]):
        if (y[i] > 0.0 and high[i] == inf) or (y[i] < 0.0 and low[i] == -inf):
            y[i] = 0.0
        if y[i] != 0.0:
            active[count] = i
            if _row(G, active, count, factor):
                count += 1
            else:
                y[i] = 0.0
    for _ in range(most):
        _aim(free, low, high, active, count, factor, y, aim)
        blocking = _step(active, count, aim, y)
        if blocking >= 0:
            count = _without(G, active, count, blocking, factor)
            continue
        worst = _worst(G, free, low, high, active, count, y)
        if worst < 0:
            return SOLVED
        row = worst // 2
        side = 1.0 if worst % 2 == 1 else -1.0
        while True:
            active[count] = row
            if _row(G, active, count, factor):
                y[row] = y[row] if y[row] != 0.0 else side * LEAST
                count += 1
                break
            blocking = _exchange(active, count, row, side, factor, aim, y)
            if blocking < 0:
                return INFEASIBLE
            count = _without(G, active, count, blocking, factor)
    return UNFINISHED


def _row(G: Array, active: Array, k: int, factor: Array) -> bool:
    """Row k of the factor, and True if it is independent of the rows above."""
    i = int(active[k])
    left = G[i, i]
    for a in range(k):
        total = G[i, int(active[a])]
        for b in range(a):
            total -= factor[k, b] * factor[a, b]
        total /= factor[a, a]
        factor[k, a] = total
        left -= total * total
    factor[k, k] = sqrt(max(left, DEPENDENT * G[i, i]))
    return bool(left > DEPENDENT * G[i, i])


def _without(G: Array, active: Array, count: int, place: int, factor: Array) -> int:
    """Remove the row at a place from the set; return the new count."""
    for k in range(place, count - 1):
        active[k] = active[k + 1]
        _row(G, active, k, factor)
    return count - 1


def _solve(count: int, factor: Array, x: Array) -> None:
    for k in range(count):
        for b in range(k):
            x[k] -= factor[k, b] * x[b]
        x[k] /= factor[k, k]
    for k in range(count - 1, -1, -1):
        for b in range(k + 1, count):
            x[k] -= factor[b, k] * x[b]
        x[k] /= factor[k, k]


def _aim(
    free: Array, low: Array, high: Array, active: Array, count: int, factor: Array, y: Array, aim: Array
) -> None:
    """The multipliers that put every row of the set on its limit."""
    for k in range(count):
        i = int(active[k])
        aim[k] = free[i] - (high[i] if y[i] > 0.0 else low[i])
    _solve(count, factor, aim)


def _step(active: Array, count: int, aim: Array, y: Array) -> int:
    """Move y towards the aim until a multiplier would change its sign; return its place, or -1."""
    blocking, length = -1, 1.0
    for k in range(count):
        now = y[int(active[k])]
        against = aim[k] <= 0.0 if now > 0.0 else aim[k] >= 0.0
        if against and now / (now - aim[k]) <= length:
            blocking, length = k, now / (now - aim[k])
    for k in range(count):
        i = int(active[k])
        y[i] = aim[k] if blocking < 0 else _move(y[i], length * (aim[k] - y[i]))
    if blocking >= 0:
        y[int(active[blocking])] = 0.0
    return blocking


def _worst(G: Array, free: Array, low: Array, high: Array, active: Array, count: int, y: Array) -> int:
    """The row farthest beyond a limit, times 2, plus 1 for an upper limit; -1 without such a row."""
    worst, most = -1, 0.0
    for i in range(y.shape[0]):
        if y[i] == 0.0:
            value, size = free[i], abs(free[i])
            for k in range(count):
                j = int(active[k])
                value -= G[i, j] * y[j]
                size += abs(G[i, j] * y[j])
            above, below = value - high[i], low[i] - value
            excess, limit = max(above, below), high[i] if above > below else low[i]
            far = excess / sqrt(G[i, i]) if G[i, i] > 0.0 else inf
            if excess > ROUNDING * (size + abs(limit)) and far > most:
                worst, most = 2 * i + (1 if above > below else 0), far
    return worst


def _exchange(active: Array, count: int, row: int, side: float, factor: Array, aim: Array, y: Array) -> int:
    """Move y in the direction in which values stay and the dual cost falls, if `row` depends on the set.

    It stops when a multiplier is 0; returns the place of that multiplier, or -1 if nothing stops it.
    """
    for k in range(count):  # L' aim = -side * (row of the factor): the solution of G aim = -side * G[:, row]
        aim[k] = -side * factor[count, k]
    for k in range(count - 1, -1, -1):
        for b in range(k + 1, count):
            aim[k] -= factor[b, k] * aim[b]
        aim[k] /= factor[k, k]
    blocking, length = -1, inf
    for k in range(count):
        now = y[int(active[k])]
        against = aim[k] < -STILL if now > 0.0 else aim[k] > STILL
        if against and -now / aim[k] < length:
            blocking, length = k, -now / aim[k]
    if blocking >= 0:
        for k in range(count):
            y[int(active[k])] = _move(y[int(active[k])], length * aim[k])
        y[int(active[blocking])] = 0.0
        y[row] += side * length
    return blocking


def _move(now: float, by: float) -> float:
    """now + by, but rounding does not carry it across 0."""
    value = now + by
    if now > 0.0:
        return max(value, LEAST)
    return min(value, -LEAST)
