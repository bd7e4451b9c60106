"""Settle: to the joint coordinates of least residual near given ones, for goals that nothing reaches."""

from __future__ import annotations

from ..mechanics.cholesky import factor, solve
from ..mechanics.work import Array
from .limits import inside
from .normal import damp, normal_equations
from .task import task_error, task_jacobian

STEPS = 200
ENOUGH = 1e-7  # a relative gain of a step below this ends it
MORE, LESS = 4.0, 0.25


def settle(
    arm: Array, goal: Array, mask: Array, frame: int, rule: Array, limited: int,
    q: Array, work: Array, pose: Array, J: Array, e: Array, normal: Array, step: Array, trial: Array,
) -> tuple[float, int]:  # fmt: skip
    """q to a minimum of the residual, in place: the residual and the steps tried.

    Damping that follows success, so that each step is a gain however large the residual: Marquardt, J. SIAM
    11(2), 1963, 431-441. Arguments as for `search.search`.
    """
    n = arm.shape[0] - 1
    residual = task_error(arm, q, goal, mask, frame, work, pose, e)
    damping = residual
    for taken in range(STEPS):
        if residual <= rule[3]:
            return residual, taken
        task_jacobian(arm, mask, frame, work, e, J)
        mean = normal_equations(J, e, normal, step)
        damp(arm, q, limited, damping, normal, step)
        if damping > 1e8 * mean or factor(normal, 0, n) >= 0:
            return residual, taken
        solve(normal, 0, n, step)
        for i in range(n):
            trial[i] = q[i] + step[i]
            if limited != 0:
                trial[i] = inside(arm, i, trial[i])
        found = task_error(arm, trial, goal, mask, frame, work, pose, e)
        if found < residual:
            gain = residual - found
            residual = found
            damping *= LESS
            for i in range(n):
                q[i] = trial[i]
            if gain < ENOUGH * residual:
                return residual, taken + 1
        else:
            damping *= MORE
            task_error(arm, q, goal, mask, frame, work, pose, e)
    return residual, STEPS
