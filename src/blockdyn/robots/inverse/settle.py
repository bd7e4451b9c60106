"""Settle: to the joint coordinates of least residual near given ones, for goals that nothing reaches."""

from __future__ import annotations

from ..mechanics.cholesky import factor, solve
from ..mechanics.work import Array
from .limits import inside
from .normal import damp, normal_equations
from .task import Room, Task, error_at, task_jacobian

STEPS = 200
ENOUGH = 1e-7  # a relative gain of a step below this ends it
MORE, LESS = 4.0, 0.25


def settle(arm: Array, task: Task, q: Array, room: Room) -> tuple[float, int]:
    """q to a minimum of the residual, in place: the residual and the steps tried.

    Damping that follows success, so that each step is a gain however large the residual: Marquardt, J. SIAM
    11(2), 1963, 431-441.
    """
    n = arm.shape[0] - 1
    rule, limited = task.rule, task.limited
    work, J, e, normal, step, trial = room.work, room.J, room.e, room.normal, room.step, room.trial
    residual = error_at(arm, q, task, room)
    damping = residual
    for taken in range(STEPS):
        if residual <= rule[3]:
            return residual, taken
        task_jacobian(arm, task.mask, task.frame, work, e, J)
        mean = normal_equations(J, e, normal, step)
        damp(arm, q, limited, damping, normal, step)
        if damping > 1e8 * mean or factor(normal, 0, n) >= 0:
            return residual, taken
        solve(normal, 0, n, step)
        for i in range(n):
            trial[i] = q[i] + step[i]
            if limited != 0:
                trial[i] = inside(arm, i, trial[i])
        attempt = error_at(arm, trial, task, room)
        if attempt < residual:
            gain = residual - attempt
            residual = attempt
            damping *= LESS
            for i in range(n):
                q[i] = trial[i]
            if gain < ENOUGH * residual:
                return residual, taken + 1
        else:
            damping *= MORE
            error_at(arm, q, task, room)
    return residual, STEPS
