"""Damped Gauss-Newton steps from many starts search for joint coordinates within joint limits."""

from __future__ import annotations

from functools import lru_cache
from math import ceil, floor, pi

import numpy as np

from ..mechanics.bodies import Array
from ..mechanics.mass_matrix import factor, solve
from ..model.robot import Robot
from ..model.table import LOWER, PERIODIC, UPPER
from .task import SearchArrays, Task, error_at, task_jacobian


def normal_equations(J: Array, e: Array, normal: Array, push: Array) -> float:
    """normal = J^T J, its lower triangle, and push = J^T e; the mean of the diagonal."""
    n = J.shape[1]
    trace = 0.0
    for i in range(n):
        for j in range(i + 1):
            total = 0.0
            for k in range(6):
                total += J[k, i] * J[k, j]
            normal[i, j] = total
        trace += float(normal[i, i])
        total = 0.0
        for k in range(6):
            total += J[k, i] * e[k]
        push[i] = total
    return float(trace / n)


def damp(arm: Array, q: Array, limited: int, damping: float, normal: Array, push: Array) -> None:
    """Add damping I to normal; joints at a limit that are pushed against it get the step 0."""
    n = normal.shape[0]
    for i in range(n):
        normal[i, i] += damping
    if limited != 0:
        for i in range(n):
            if is_at_limit(arm, i, q[i], push[i]):
                for j in range(n):
                    normal[i, j] = 0.0
                    normal[j, i] = 0.0
                normal[i, i] = 1.0
                push[i] = 0.0


TURN = 2.0 * pi


def inside(arm: Array, i: int, x: float) -> float:
    """The coordinate of joint i nearest to x within its limits, or one equal to x up to whole turns."""
    low, high = float(arm[i, LOWER]), float(arm[i, UPPER])
    if low <= x <= high:
        return x
    if arm[i, PERIODIC] != 0.0:
        if x < low:
            y = x + TURN * ceil((low - x) / TURN)
            if y <= high:
                return y
        else:
            y = x - TURN * ceil((x - high) / TURN)
            if y >= low:
                return y
    if x < low:
        return low
    return high


def is_at_limit(arm: Array, i: int, x: float, push: float) -> bool:
    """True if joint i is at a limit and is pushed against it."""
    return (x <= arm[i, LOWER] and push < 0.0) or (x >= arm[i, UPPER] and push > 0.0)


def nearest_turn(arm: Array, limited: int, i: int, x: float, near: float) -> float:
    """The angle x plus whole turns that is nearest to `near`, within the limits if possible."""
    if arm[i, PERIODIC] == 0.0:
        return x
    x -= TURN * floor((x - near) / TURN + 0.5)
    if limited != 0:
        low, high = arm[i, LOWER], arm[i, UPPER]
        y = x
        if x > high:
            y = x - TURN * ceil((x - high) / TURN)
        elif x < low:
            y = x + TURN * ceil((low - x) / TURN)
        if low <= y <= high:
            x = y
    return x


def is_in_limits(arm: Array, q: Array, slack: float) -> bool:
    """True if every coordinate is within its limits, with the tolerance `slack`."""
    for i in range(q.shape[0]):
        low, high = arm[i, LOWER] - slack, arm[i, UPPER] + slack
        if q[i] < low or q[i] > high:
            return False
    return True


METRE = 1.0  # the search range of a slide without limits, m
BOUNDLESS = 100.0  # rad or m: wider limits, such as -999999 and 999999 in files, mean no limits


@lru_cache(maxsize=256)
def starts(robot: Robot, count: int, seed: int, limited: bool) -> Array:
    """`count` points of the joint space, (count, n): a Latin hypercube from a counter-based generator.

    Each coordinate has one point in each of `count` equal parts of its range.
    Source: McKay, Beckman, Conover, Technometrics 21(2), 1979, 239-245.
    """
    low, high = ranges(robot, limited)
    raw = np.random.Philox(key=seed).random_raw(2 * count * robot.n)
    order, inside = (raw >> np.uint64(11)).astype(np.float64).reshape(2, count, robot.n) * 2.0**-53
    share = (np.argsort(order, axis=0) + inside) / max(count, 1)
    points = np.ascontiguousarray(low + (high - low) * share)
    points.flags.writeable = False
    return points


@lru_cache(maxsize=256)
def middle(robot: Robot) -> Array:
    """The middle of the joint limits, (n,); without limits 0 or the admissible value nearest to 0."""
    low, high = ranges(robot, True)
    centre = np.asarray(0.5 * (low + high))
    centre.flags.writeable = False
    return centre


def ranges(robot: Robot, limited: bool) -> tuple[Array, Array]:
    """Search ranges: within the limits, one turn at most; one metre for slides without limits.

    Limits with a range above BOUNDLESS count as none; the range is then around 0, or next to it.
    """
    arm = robot.table()[: robot.n]
    slides = np.array([joint.kind == "prismatic" for joint in robot.moving], bool)
    half = np.where(slides, 0.5 * METRE, np.pi)
    if not limited:
        return -half, half
    low, high = arm[:, LOWER], arm[:, UPPER]
    boundless = high - low > BOUNDLESS
    wide = boundless | (~slides & (high - low > 2.0 * np.pi))
    centre = np.clip(0.0, low + half, high - half)
    centre[~boundless] = 0.5 * (low[~boundless] + high[~boundless])
    return np.where(wide, centre - half, low), np.where(wide, centre + half, high)


STEPS = 200
ENOUGH = 1e-7  # a relative gain of a step below this ends the search
MORE, LESS = 4.0, 0.25


def settle(arm: Array, task: Task, q: Array, room: SearchArrays) -> tuple[float, int]:
    """Move q to a minimum of the residual, in place; returns the residual and the number of steps tried.

    Damping adapts to success, so each step is a gain for any residual: Marquardt, J. SIAM
    11(2), 1963, 431-441.
    """
    n = q.shape[0]
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


PATIENCE = 10  # steps without gain after which a search ends
GAIN = 0.9  # a residual below this fraction of the last best one is a gain


def ikine(
    arm: Array, task: Task, starts: Array, near: Array, q: Array, room: SearchArrays, report: Array
) -> int:
    """q with the tool at the goal: 1 if a search reached it, otherwise 0 and the q that comes nearest.

    The first search begins at `near`, the others at the rows of `starts` (k, n); `search` has the details.
    If none succeeds, the best is continued to the least residual. report (3,): residual, total steps,
    searches.
    """
    rule, limited, trial = task.rule, task.limited, room.trial
    n = q.shape[0]
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


def search(arm: Array, task: Task, q: Array, room: SearchArrays) -> tuple[float, int]:
    """Search from q towards the goal, in place; returns the residual and the number of steps.

    (J^T J + damping I) dq = J^T e, where damping = rule[0] + rule[1] e^T e / 2 + rule[2] trace(J^T J) / n.
    rule[3] is the residual to reach. Joints that are at a limit and pushed against it do not move; the others
    stay within theirs. A search without gain for some steps is at another minimum and ends.
    """
    n = q.shape[0]
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
