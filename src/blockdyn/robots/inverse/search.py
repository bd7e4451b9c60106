"""The search: damped Gauss-Newton steps from one start after the other, until the tool is at its goal."""

from __future__ import annotations

from ..mechanics.cholesky import factor, solve
from ..mechanics.work import Array
from .limits import inside, nearest_turn
from .normal import damp, normal_equations
from .settle import settle
from .task import Room, Task, error_at, task_jacobian

PATIENCE = 10  # steps without gain, after which a start is given up
GAIN = 0.9  # a residual below this part of the last best one is a gain


def ikine(arm: Array, task: Task, starts: Array, near: Array, q: Array, room: Room, report: Array) -> int:
    """q with the tool at the goal: 1 where a search reached it, otherwise 0 and the q that comes nearest.

    The first search begins at `near`, the others at the rows of `starts` (k, n); `search` says the rest.
    Where none succeeds, the best is drawn on to where its residual is least. report (3,): residual, steps
    taken in all, searches.
    """
    rule, limited, trial = task.rule, task.limited, room.trial
    n = arm.shape[0] - 1
    best, taken, done = 1e300, 0, 0
    report[2] = 0.0
    for i in range(n):
        q[i] = near[i]
    for k in range(starts.shape[0] + 1):
        for i in range(n):
            trial[i] = near[i] if k == 0 else starts[k - 1, i]
            if limited != 0:
                trial[i] = inside(arm, i, trial[i])
        residual, used = search(arm, task, trial, room)
        taken += used
        report[2] += 1.0
        if residual < best:
            best = residual
            for i in range(n):
                q[i] = trial[i]
        if residual <= rule[3]:
            done = 1
            break
    if done == 0:
        best, used = settle(arm, task, q, room)
        taken += used
        if best <= rule[3]:
            done = 1
    for i in range(n):
        q[i] = nearest_turn(arm, limited, i, q[i], near[i])
    report[0], report[1] = best, taken
    return done


def search(arm: Array, task: Task, q: Array, room: Room) -> tuple[float, int]:
    """From q towards the goal, in place: the residual found and the steps taken.

    (J^T J + damping I) dq = J^T e, where damping = rule[0] + rule[1] e^T e / 2 + rule[2] trace(J^T J) / n.
    rule[3] is the residual to reach. Joints that stand at a limit and are pushed against it stay; the others
    are kept within theirs. A search that gains nothing for some steps rests elsewhere and is given up.
    """
    n = arm.shape[0] - 1
    rule, limited = task.rule, task.limited
    work, J, e, normal, step = room.work, room.J, room.e, room.normal, room.step
    best, wait, taken = 1e300, 0, 0
    while True:
        residual = error_at(arm, q, task, room)
        wait += 1
        if residual < GAIN * best:
            best, wait = residual, 0
        if residual <= rule[3] or taken == task.steps or wait == PATIENCE:
            return residual, taken
        task_jacobian(arm, task.mask, task.frame, work, e, J)
        mean = normal_equations(J, e, normal, step)
        damp(arm, q, limited, rule[0] + rule[1] * 0.5 * residual * residual + rule[2] * mean, normal, step)
        if factor(normal, 0, n) >= 0:
            return residual, taken
        solve(normal, 0, n, step)
        for i in range(n):
            q[i] += step[i]
            if limited != 0:
                q[i] = inside(arm, i, q[i])
        taken += 1
