"""Planned inputs: the functions of ModelPredictive, as kernels."""

from __future__ import annotations

from typing import NamedTuple

from ..contract.errors import Refusal
from ..contract.parameter import Array
from .quadratic_program import INFEASIBLE, UNFINISHED, multipliers as multipliers_of

NO_INPUTS = "no inputs within their limits keep y within its own: a finite `violation_cost`, or wider limits"
TOO_LONG = "the active limits were not found: more `iterations`, or costs and limits of similar magnitude"


class QuadraticProgram(NamedTuple):
    """The quadratic program of a tick: measured signals, matrices and limits."""

    multipliers: Array
    previous: Array
    x: Array
    x_ref: Array
    w: Array
    G: Array
    free: Array
    low: Array
    high: Array
    most: float


class Workspace(NamedTuple):
    """Arrays of the search, with its result: theta, and the multipliers y."""

    theta: Array
    now: Array
    y: Array
    active: Array
    aim: Array
    factor: Array


class FirstInputs(NamedTuple):
    """The first inputs as a function of theta and the multipliers, and their limits."""

    of_theta: Array
    of_limits: Array
    least: Array
    greatest: Array


def plan_inputs(program: QuadraticProgram, first: FirstInputs, work: Workspace, u: Array) -> None:
    solve(program, work)
    write_first_inputs(first, work, u)


def plan_inputs_with_slack(
    program: QuadraticProgram,
    first: FirstInputs,
    work: Workspace,
    give: Array,
    output: Array,
    u: Array,
    slack: Array,
) -> None:
    plan_inputs(program, first, work, u)
    y = work.y
    for i in range(slack.shape[0]):
        slack[i] = 0.0
    for i in range(y.shape[0]):
        if give[i] > 0.0:
            k = int(output[i])
            slack[k] = max(slack[k], give[i] * abs(y[i]))


def remember_plan(
    program: QuadraticProgram, first: FirstInputs, work: Workspace, samples: float,
    next_multipliers: Array, next_previous: Array,
) -> None:  # fmt: skip
    plan_inputs(program, first, work, next_previous)
    y, count = work.y, work.y.shape[0]
    of_sample = count // int(samples)
    for i in range(count):  # shifted by one sample; the values of the last sample are repeated
        next_multipliers[i] = y[i + of_sample] if i + of_sample < count else y[i]


def solve(program: QuadraticProgram, work: Workspace) -> None:
    """Compute theta and y of this tick."""
    k, theta, y = 0, work.theta, work.y
    for part in (program.x, program.x_ref, program.w, program.previous):
        for i in range(part.shape[0]):
            theta[k] = part[i]
            k += 1
    for i in range(y.shape[0]):
        y[i] = program.multipliers[i]
        total = 0.0
        for j in range(theta.shape[0]):
            total += program.free[i, j] * theta[j]
        work.now[i] = total
    outcome = multipliers_of(
        program.G, work.now, program.low, program.high, int(program.most),
        work.active, work.aim, work.factor, y,
    )  # fmt: skip
    if outcome == INFEASIBLE:
        raise Refusal(NO_INPUTS)
    if outcome == UNFINISHED:
        raise Refusal(TOO_LONG)


def write_first_inputs(first: FirstInputs, work: Workspace, u: Array) -> None:
    """Write the first of the inputs, clipped because rounding may exceed their limits."""
    theta, y = work.theta, work.y
    for i in range(u.shape[0]):
        total = 0.0
        for j in range(theta.shape[0]):
            total += first.of_theta[i, j] * theta[j]
        for j in range(y.shape[0]):
            if y[j] != 0.0:
                total -= first.of_limits[i, j] * y[j]
        u[i] = min(max(total, first.least[i]), first.greatest[i])
