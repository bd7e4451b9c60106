"""The search: damped Gauss-Newton steps from a start to a pose, then from other starts, all of them known."""

from __future__ import annotations

from math import floor

from ..mechanics.cholesky import factor, solve
from ..mechanics.work import Array
from .limits import held, inside, nearest_turn
from .task import task_error, task_jacobian

PATIENCE = 10  # steps without gain, after which a start is given up
GAIN = 0.9  # a residual below this part of the last best one is a gain


def ikine(
    arm: Array, goal: Array, mask: Array, axes: int, rule: Array, limited: int, tolerance: float, steps: int,
    searches: int, starts: Array, near: Array,
    q: Array, work: Array, pose: Array, J: Array, e: Array, normal: Array, step: Array, trial: Array,
    report: Array,
) -> int:  # fmt: skip
    """q with the tool at the goal: 1 where a search reached it, otherwise 0 and the best q found.

    The first search begins at `near`, the others at the points of `starts`; `search` says the rest. report
    (3,): residual, steps taken in all, searches. Scratch: work, pose (4, 4), J (6, n), e (6,), normal (n,
    n), step (n,), trial (n,).
    """
    n = arm.shape[0] - 1
    report[0], report[1], report[2] = 1e300, 0.0, 0.0
    for k in range(searches):
        for i in range(n):
            trial[i] = near[i] if k == 0 else start_of(starts, k, i)
            if limited != 0:
                trial[i] = inside(arm, i, trial[i])
        residual, taken = search(
            arm, goal, mask, axes, rule, limited, tolerance, steps, trial, work, pose, J, e, normal, step
        )
        report[1] += taken
        report[2] += 1.0
        if residual < report[0]:
            report[0] = residual
            for i in range(n):
                q[i] = nearest_turn(arm, limited, i, trial[i], near[i])
        if residual <= tolerance:
            return 1
    return 0


def start_of(starts: Array, k: int, i: int) -> float:
    """Coordinate i of start k: starts[0, i] + starts[1, i] frac(starts[2, i] + k starts[3, i])."""
    u = starts[2, i] + k * starts[3, i]
    return float(starts[0, i] + starts[1, i] * (u - floor(u)))


def search(
    arm: Array, goal: Array, mask: Array, axes: int, rule: Array, limited: int, tolerance: float, steps: int,
    q: Array, work: Array, pose: Array, J: Array, e: Array, normal: Array, step: Array,
) -> tuple[float, int]:  # fmt: skip
    """From q towards the goal, in place: the residual found and the steps taken.

    (J^T J + damping I) dq = J^T e, where damping = rule[0] + rule[1] e^T e / 2 + rule[2] trace(J^T J) / n.
    Joints that stand at a limit and are pushed against it stay; the others are kept within theirs. A search
    that gains nothing for some steps is at rest elsewhere and is given up.
    """
    n = arm.shape[0] - 1
    best, wait, taken = 1e300, 0, 0
    while True:
        residual = task_error(arm, q, goal, mask, axes, work, pose, e)
        wait += 1
        if residual < GAIN * best:
            best, wait = residual, 0
        if residual <= tolerance or taken == steps or wait == PATIENCE:
            return residual, taken
        task_jacobian(arm, mask, axes, work, e, J)
        normal_equations(arm, q, limited, rule, residual, J, e, normal, step)
        if factor(normal, 0, n) >= 0:
            return residual, taken
        solve(normal, 0, n, step)
        for i in range(n):
            q[i] += step[i]
            if limited != 0:
                q[i] = inside(arm, i, q[i])
        taken += 1


def normal_equations(
    arm: Array, q: Array, limited: int, rule: Array, residual: float, J: Array, e: Array, normal: Array,
    push: Array,
) -> None:  # fmt: skip
    """The damped matrix, lower triangle, in normal; the right side in push."""
    n = J.shape[1]
    trace = 0.0
    for i in range(n):
        for j in range(i + 1):
            total = 0.0
            for k in range(6):
                total += J[k, i] * J[k, j]
            normal[i, j] = total
        trace += normal[i, i]
        total = 0.0
        for k in range(6):
            total += J[k, i] * e[k]
        push[i] = total
    damping = rule[0] + rule[1] * 0.5 * residual * residual + rule[2] * trace / n
    for i in range(n):
        normal[i, i] += damping
    if limited != 0:
        for i in range(n):
            if held(arm, i, q[i], push[i]):
                for j in range(n):
                    normal[i, j] = 0.0
                    normal[j, i] = 0.0
                normal[i, i] = 1.0
                push[i] = 0.0
