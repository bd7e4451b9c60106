"""An algebraic loop solved in Python, with the same method as compiled ones."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from ...solvers.layout import Memory
from ...solvers.steps.newton import AGAIN, SOLVED, make_newton, workspace
from .instructions.instruction import Solve
from .plan.layout import Plan
from .plan.unit import Source

Values = dict[Source, Any]

_newton = make_newton(lambda function: function)


def solve_loop(
    plan: Plan, instruction: Solve, t: float, m: Memory, evaluate: Callable[[Values], Values]
) -> tuple[Values, bool]:
    """The cut signals of a loop, and whether they are its solution: NaN where there is none.

    `evaluate` gives the signals of the loop's body for a trial.
    """
    loop, unknowns = instruction.loop, instruction.unknowns
    starts = m.w[loop.starts_at + 1 :]
    v = np.concatenate([starts[place : place + count] for _, place, count in unknowns])
    work = np.zeros(workspace(v.size))
    action = AGAIN
    while action == AGAIN:
        trial = evaluate(_signals(plan, unknowns, v))
        computed = np.concatenate([np.ravel(trial[source]) for source, _, _ in unknowns])
        with np.errstate(all="ignore"):
            action = _newton(computed, v, work, int(m.w[loop.starts_at]))
    if action != SOLVED:
        m.w[plan.unsolved_at : plan.unsolved_at + 3] = 1.0, float(instruction.number), t
    elif instruction.stored:
        m.w[loop.starts_at] = 1.0
        at = 0
        for _, place, count in unknowns:
            starts[place : place + count] = v[at : at + count]
            at += count
    return _signals(plan, unknowns, v), action == SOLVED


def _signals(plan: Plan, unknowns: tuple[Any, ...], v: Any) -> Values:
    """The unknowns as signals."""
    signals: Values = {}
    at = 0
    for source, _, count in unknowns:
        shape = plan.units[source.unit].out_sizes[source.port].shape
        signals[source] = v[at : at + prod(shape)].copy().reshape(shape)
        at += count
    return signals
