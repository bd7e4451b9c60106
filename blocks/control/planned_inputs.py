"""Planned inputs: the functions of ModelPredictive, as kernels."""

from __future__ import annotations

from ..contract.errors import Refusal
from ..contract.parameter import Array
from .quadratic_program import INFEASIBLE, UNFINISHED, multipliers as multipliers_of

NO_INPUTS = "no inputs within their limits keep y within its own: a finite `violation_cost`, or wider limits"
TOO_LONG = "the limits that are met were not found: more `iterations`, or costs and limits of like sizes"


def planned(
    multipliers: Array, previous: Array, x: Array, x_ref: Array, w: Array, G: Array, free: Array, low: Array,
    high: Array, of_theta: Array, of_limits: Array, least: Array, greatest: Array, most: float, theta: Array,
    now: Array, y: Array, active: Array, aim: Array, factor: Array, u: Array,
) -> None:  # fmt: skip
    _solved(
        multipliers, previous, x, x_ref, w, G, free, low, high, most, theta, now, y, active, aim, factor
    )  # fmt: skip
    _first(of_theta, theta, of_limits, y, least, greatest, u)


def planned_with_slack(
    multipliers: Array, previous: Array, x: Array, x_ref: Array, w: Array, G: Array, free: Array, low: Array,
    high: Array, of_theta: Array, of_limits: Array, least: Array, greatest: Array, most: float, theta: Array,
    now: Array, y: Array, active: Array, aim: Array, factor: Array, give: Array, output: Array, u: Array,
    slack: Array,
) -> None:  # fmt: skip
    _solved(
        multipliers, previous, x, x_ref, w, G, free, low, high, most, theta, now, y, active, aim, factor
    )  # fmt: skip
    _first(of_theta, theta, of_limits, y, least, greatest, u)
    for i in range(slack.shape[0]):
        slack[i] = 0.0
    for i in range(y.shape[0]):
        if give[i] > 0.0:
            k = int(output[i])
            slack[k] = max(slack[k], give[i] * abs(y[i]))


def remembered(
    multipliers: Array, previous: Array, x: Array, x_ref: Array, w: Array, G: Array, free: Array, low: Array,
    high: Array, of_theta: Array, of_limits: Array, least: Array, greatest: Array, most: float,
    samples: float, theta: Array, now: Array, y: Array, active: Array, aim: Array, factor: Array,
    next_multipliers: Array, next_previous: Array,
) -> None:  # fmt: skip
    _solved(
        multipliers, previous, x, x_ref, w, G, free, low, high, most, theta, now, y, active, aim, factor
    )  # fmt: skip
    _first(of_theta, theta, of_limits, y, least, greatest, next_previous)
    count = y.shape[0]
    of_sample = count // int(samples)
    for i in range(count):  # one sample further on; the last one's stay what they were
        next_multipliers[i] = y[i + of_sample] if i + of_sample < count else y[i]


def _solved(
    before: Array, previous: Array, x: Array, x_ref: Array, w: Array, G: Array, free: Array, low: Array,
    high: Array, most: float, theta: Array, now: Array, y: Array, active: Array, aim: Array, factor: Array,
) -> None:  # fmt: skip
    """y of this tick, and theta."""
    k = 0
    for part in (x, x_ref, w, previous):
        for i in range(part.shape[0]):
            theta[k] = part[i]
            k += 1
    for i in range(y.shape[0]):
        y[i] = before[i]
        total = 0.0
        for j in range(theta.shape[0]):
            total += free[i, j] * theta[j]
        now[i] = total
    outcome = multipliers_of(G, now, low, high, int(most), active, aim, factor, y)
    if outcome == INFEASIBLE:
        raise Refusal(NO_INPUTS)
    if outcome == UNFINISHED:
        raise Refusal(TOO_LONG)


def _first(
    of_theta: Array, theta: Array, of_limits: Array, y: Array, least: Array, greatest: Array, u: Array
) -> None:
    """The first of the inputs, which rounding does not take over its limits."""
    for i in range(u.shape[0]):
        total = 0.0
        for j in range(theta.shape[0]):
            total += of_theta[i, j] * theta[j]
        for j in range(y.shape[0]):
            if y[j] != 0.0:
                total -= of_limits[i, j] * y[j]
        u[i] = min(max(total, least[i]), greatest[i])
