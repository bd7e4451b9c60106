"""An algebraic loop solved in Python, with the same method as compiled ones."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from ...solvers.layout import Memory
from ...solvers.steps.newton import AGAIN, SOLVED, make_newton, workspace
from .plan.layout import Plan
from .plan.loops import Loop
from .plan.order import Task

Values = dict[tuple[int, str], Any]

_newton = make_newton(lambda function: function)


def solve_loop(
    plan: Plan, loop: Loop, tasks: list[Task], t: float, m: Memory, values: Values,
    evaluate: Callable[[Task, Values], Values], *, keep: bool,
) -> bool:  # fmt: skip
    """Put the cut signals that some tasks of a loop give into `values`: NaN, and False, when there are none.

    `evaluate` gives the signals of one task; `keep` makes the solution the next start value.
    """
    unknowns = loop.unknowns(plan.units, tasks)
    starts = m.w[loop.starts_at + 1 :]
    v = np.concatenate([np.zeros(0), *(starts[place : place + count] for _, place, count in unknowns)])
    work = np.zeros(workspace(v.size))
    action = AGAIN if unknowns else SOLVED
    while action == AGAIN:
        trial = values | _signals(plan, unknowns, v)
        for task in tasks:
            trial |= evaluate(task, trial)
        computed = np.concatenate([np.ravel(trial[source]) for source, _, _ in unknowns])
        with np.errstate(all="ignore"):
            action = _newton(computed, v, work, int(m.w[loop.starts_at]))
    values |= _signals(plan, unknowns, v)
    if action != SOLVED:
        m.w[plan.unsolved_at : plan.unsolved_at + 3] = 1.0, plan.loops.index(loop) + 1.0, t
    elif keep:
        m.w[loop.starts_at] = 1.0
        at = 0
        for _, place, count in unknowns:
            starts[place : place + count] = v[at : at + count]
            at += count
    return bool(action == SOLVED)


def _signals(plan: Plan, unknowns: list[Any], v: Any) -> Values:
    """The unknowns as signals."""
    found: Values = {}
    at = 0
    for source, _, count in unknowns:
        shape = plan.units[source.unit].out_sizes[source.port].shape
        found[source] = v[at : at + prod(shape)].copy().reshape(shape)
        at += count
    return found
