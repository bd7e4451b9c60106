"""Kernels of an Integrator whose limits are signals.

While y is held at a limit, x continues as the integral of u alone. y leaves the limit when u points away from
it faster than the limit itself moves: that is, when the distance from x to the limit begins to shrink.
Source: Skorokhod, Theory of Probability and its Applications 6(3), 1961, 264-274, doi:10.1137/1106035.
"""

from __future__ import annotations

SAME = 1e-12  # relative to two signals: a smaller jump, or a smaller excess over a limit, is rounding


def output(mode: int, x: float, lower_limit: float, upper_limit: float) -> float:
    return upper_limit if mode > 0 else (lower_limit if mode < 0 else x)


def excess(x: float, limit: float) -> float:
    """The amount by which x exceeds a limit, 0 within rounding: the two are equal when x leaves the limit."""
    return x - limit - SAME * (abs(x) + abs(limit))


def crossing(mode: int, x: float, lower_limit: float, upper_limit: float) -> tuple[float, float, float]:
    if mode == 0:
        return excess(x, upper_limit), excess(-x, -lower_limit), 0.0
    return -1.0, -1.0, (upper_limit - x if mode > 0 else x - lower_limit)


def crossing_with_edge(
    mode: int, x: float, trigger: float, level: float, lower_limit: float, upper_limit: float
) -> tuple[float, float, float, float]:
    upper, lower, leaves = crossing(mode, x, lower_limit, upper_limit)
    return trigger - level, upper, lower, leaves


def branch(
    x: float, side: float, last: float, lower_limit: float, upper_limit: float, crossed_leaves: int
) -> int:
    """1 while held at the upper limit, -1 at the lower, 0 free."""
    y = last if side != 0.0 else x
    limit = upper_limit if side > 0.0 else lower_limit
    beyond = side * (y - limit)
    if side != 0.0 and crossed_leaves == 0 and beyond >= -SAME * (abs(y) + abs(limit)):
        return 1 if side > 0.0 else -1
    return 1 if excess(y, upper_limit) > 0.0 else (-1 if excess(-y, -lower_limit) > 0.0 else 0)


def jump(
    mode: int, x: float, side: float, last: float, lower_limit: float, upper_limit: float
) -> tuple[float, float, float]:
    if mode == 0 and side != 0.0:
        x = last
    elif mode != 0 and side == 0.0:
        x = upper_limit if mode > 0 else lower_limit
    return x, float(mode), last


def jump_with_reset(
    mode: int, x: float, side: float, last: float, value: float, lower_limit: float, upper_limit: float,
    crossed_reset: int,
) -> tuple[float, float, float]:  # fmt: skip
    if crossed_reset == 1:
        return min(max(value, lower_limit), upper_limit), 0.0, last
    return jump(mode, x, side, last, lower_limit, upper_limit)
