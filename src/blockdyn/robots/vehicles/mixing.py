"""Rotor speeds are computed for torques and thrust, within limits, in compiled code."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

from ..mechanics.bodies import Array

SAME = 1e-9  # of a wrench's size: closer bounds do not alternate
STEPS = 60
HALVINGS = 40
FIRM = 1e-12  # added to the matrix of Newton's method, which is singular on the limits
MET = 1e-13

Wrench = tuple[float, float, float, float]


class Limits(NamedTuple):
    """The fields of `Attainable` that bound a wrench."""

    tilt: Array
    thrust_bounds: Array
    yaw_bounds: Array


class Allocation(NamedTuple):
    """The fields that distribute a wrench to the rotors, and scratch arrays."""

    matrix: Array  # (4, n), a zero row for an axis that is left out
    inverse: Array  # (n, 4)
    axes: float  # number of axes that are not left out
    lower: Array
    upper: Array
    first: Array  # (n,), the shortest u that gives the wrench
    work: Array  # (8, 4)


# A wrench is (roll, pitch, thrust, yaw), in units of its sizes. Each of the three stages has a number: 0
# if its demand is met, k if the bound k - 1 is active. A mode combines the three, so that a step of the
# solver uses the bounds that are active at its start. Bounds that coincide, as all do at full thrust,
# alternate only if they differ by more than SAME.


def tilt_part(limits: Limits, stage: int, roll: float, pitch: float) -> float:
    """Ratio of (roll, pitch) to a bound; 1 if no bound is active."""
    if stage == 0:
        return 1.0
    return limits.tilt[stage - 1, 0] * roll + limits.tilt[stage - 1, 1] * pitch  # type: ignore[no-any-return]


def thrust_bound(limits: Limits, k: int, roll: float, pitch: float) -> float:
    """The greatest or least thrust by bound k."""
    c = limits.thrust_bounds
    return c[k, 0] + c[k, 1] * roll + c[k, 2] * pitch  # type: ignore[no-any-return]


def yaw_bound(limits: Limits, k: int, roll: float, pitch: float, thrust: float) -> float:
    """The greatest or least yaw by bound k."""
    c = limits.yaw_bounds
    return c[k, 0] + c[k, 1] * roll + c[k, 2] * pitch + c[k, 3] * thrust  # type: ignore[no-any-return]


def split(limits: Limits, mode: int) -> tuple[int, int, int]:
    """The numbers of the three stages."""
    tilts, thrusts = limits.tilt.shape[0] + 1, limits.thrust_bounds.shape[0] + 1
    return mode % tilts, (mode // tilts) % thrusts, mode // (tilts * thrusts)


def join_mode(limits: Limits, tilt: int, thrust: int, yaw: int) -> int:
    """The mode of the three numbers."""
    tilts, thrusts = limits.tilt.shape[0] + 1, limits.thrust_bounds.shape[0] + 1
    return int(tilt + tilts * (thrust + thrusts * yaw))


def limit_wrench(limits: Limits, mode: int, wrench: Wrench) -> Wrench:
    """The wrench by the bounds of the mode."""
    tilt, thrust, yaw = split(limits, mode)
    roll, pitch, T, turn = wrench
    part = 1.0 / max(tilt_part(limits, tilt, roll, pitch), 0.5)  # a trial step may reduce it below 1
    roll, pitch = part * roll, part * pitch
    if thrust > 0:
        T = thrust_bound(limits, thrust - 1, roll, pitch)
    if yaw > 0:
        turn = yaw_bound(limits, yaw - 1, roll, pitch, T)
    return roll, pitch, T, turn


def mixing_mode(limits: Limits, wrench: Wrench) -> int:
    """The active bounds: roll and pitch are scaled together, then thrust is limited, then yaw."""
    roll, pitch, T, turn = wrench
    tilt, worst = 0, 1.0
    for k in range(limits.tilt.shape[0]):
        part = tilt_part(limits, k + 1, roll, pitch)
        if part > worst:
            tilt, worst = k + 1, part
    roll, pitch = roll / worst, pitch / worst
    # The excess of the demand over a bound decides, not the order of bounds: at the limits of the previous
    # stage, upper and lower bounds coincide.
    thrust, beyond = 0, 0.0
    for k in range(limits.thrust_bounds.shape[0]):
        excess = limits.thrust_bounds[k, 3] * (T - thrust_bound(limits, k, roll, pitch))
        if excess > beyond:
            thrust, beyond = k + 1, excess
    if thrust > 0:
        T = thrust_bound(limits, thrust - 1, roll, pitch)
    yaw, beyond = 0, 0.0
    for k in range(limits.yaw_bounds.shape[0]):
        excess = limits.yaw_bounds[k, 4] * (turn - yaw_bound(limits, k, roll, pitch, T))
        if excess > beyond:
            yaw, beyond = k + 1, excess
    return join_mode(limits, tilt, thrust, yaw)


def mixing_margins(limits: Limits, mode: int, wrench: Wrench) -> tuple[float, float, float]:
    """Margin of each stage to another bound; below 0 the other bound is active."""
    tilt, thrust, yaw = split(limits, mode)
    roll, pitch, T, turn = wrench
    now = tilt_part(limits, tilt, roll, pitch)
    best = 1.0 if tilt > 0 else 0.0
    for k in range(limits.tilt.shape[0]):
        if k + 1 != tilt:
            best = max(best, tilt_part(limits, k + 1, roll, pitch))
    first = now - best + SAME
    roll, pitch, level, _ = limit_wrench(limits, mode, wrench)
    second = third = 1e300
    if thrust > 0:
        second = limits.thrust_bounds[thrust - 1, 3] * (T - level)
    for k in range(limits.thrust_bounds.shape[0]):
        side = limits.thrust_bounds[k, 3]
        if k + 1 != thrust and (thrust == 0 or side == limits.thrust_bounds[thrust - 1, 3]):
            second = min(second, side * (thrust_bound(limits, k, roll, pitch) - level))
    held = turn
    if yaw > 0:
        held = yaw_bound(limits, yaw - 1, roll, pitch, level)
        third = limits.yaw_bounds[yaw - 1, 4] * (turn - held)
    for k in range(limits.yaw_bounds.shape[0]):
        side = limits.yaw_bounds[k, 4]
        if k + 1 != yaw and (yaw == 0 or side == limits.yaw_bounds[yaw - 1, 4]):
            third = min(third, side * (yaw_bound(limits, k, roll, pitch, level) - held))
    return first, second + SAME, third + SAME


def share(sharing: Allocation, wrench: Wrench, u: Array) -> None:
    """The u (n,) within their limits that give the wrench, nearest to the shortest u without limits.

        minimise |u - u0|^2  with  A u = w,  lower <= u <= upper;  u0 = A^+ w

    If u0 is within the limits, it is the result, always so with as many rotors as axes. Else
    u = u0 + A^T l, limited, with multipliers l that Newton's method finds on the dual function,
    which is convex and piecewise quadratic. Source: Hiriart-Urruty, Strodiot, Nguyen, Generalized Hessian
    Matrix and Second-Order Optimality Conditions for Problems with C1,1 Data, Applied Mathematics and
    Optimization 11, 1984.
    """
    first, multipliers = sharing.first, sharing.work[4]
    n, within = u.shape[0], True
    for i in range(n):
        first[i] = 0.0
        for j in range(4):
            first[i] += sharing.inverse[i, j] * wrench[j]
        u[i] = min(max(first[i], sharing.lower[i]), sharing.upper[i])
        within = within and u[i] == first[i]
    if within or n == sharing.axes:
        return
    for j in range(4):
        multipliers[j] = 0.0
    value = cut(sharing, wrench, multipliers, u)
    for _ in range(STEPS):
        worst = newton(sharing, wrench, u)
        if worst < MET:
            return
        d, trial = sharing.work[5], sharing.work[6]
        slope = 0.0
        for j in range(4):
            slope -= d[j] * sharing.work[7, j]  # work[7] is minus the gradient
        step = 1.0
        for _ in range(HALVINGS):
            for j in range(4):
                trial[j] = multipliers[j] + step * d[j]
            next_value = cut(sharing, wrench, trial, u)
            if next_value <= value + 1e-4 * step * slope:
                break
            step *= 0.5
        value = next_value
        for j in range(4):
            multipliers[j] = trial[j]


def cut(sharing: Allocation, wrench: Wrench, multipliers: Array, u: Array) -> float:
    """u = u0 + A^T multipliers, within its limits; returns the dual function."""
    value = 0.0
    for j in range(4):
        value -= multipliers[j] * wrench[j]
    for i in range(u.shape[0]):
        z = sharing.first[i]
        for j in range(4):
            z += sharing.matrix[j, i] * multipliers[j]
        u[i] = min(max(z, sharing.lower[i]), sharing.upper[i])
        value += u[i] * z - 0.5 * u[i] * u[i]
    return value


def newton(sharing: Allocation, wrench: Wrench, u: Array) -> float:
    """The step (A_F A_F^T + e I) d = w - A u into work[5]; returns the largest element of w - A u.

    F are the rotors that are not at a limit.
    """
    M, d, residual = sharing.work[:4], sharing.work[5], sharing.work[7]
    worst = 0.0
    for j in range(4):
        residual[j] = wrench[j]
        for k in range(4):
            M[j, k] = FIRM if j == k else 0.0
    for i in range(u.shape[0]):
        free = sharing.lower[i] < u[i] < sharing.upper[i]
        for j in range(4):
            residual[j] -= sharing.matrix[j, i] * u[i]
            if free:
                for k in range(4):
                    M[j, k] += sharing.matrix[j, i] * sharing.matrix[k, i]
    for j in range(4):
        d[j] = residual[j]
        worst = max(worst, abs(residual[j]))
    for j in range(4):  # Cholesky, in place
        for k in range(j):
            for m in range(k):
                M[j, k] -= M[j, m] * M[k, m]
            M[j, k] /= M[k, k]
            M[j, j] -= M[j, k] * M[j, k]
        M[j, j] = sqrt(max(M[j, j], FIRM))
        for k in range(j):
            d[j] -= M[j, k] * d[k]
        d[j] /= M[j, j]
    for j in range(3, -1, -1):
        for k in range(j + 1, 4):
            d[j] -= M[k, j] * d[k]
        d[j] /= M[j, j]
    return worst
