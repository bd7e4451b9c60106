"""Kernels of a PID2DOF that is reset, follows its actuator, or slows down at a limit; see `pid_external`."""

from __future__ import annotations

from .pid2dof import clamped_crossing, crossing, output
from .pid_external import slowed, slowed_branch, slowed_distances


def followed_slope(
    r: float, m: float, actual: float, i: float, f: float, kp: float, ki: float, kd: float, n: float,
    b: float, c: float, kt: float,
) -> tuple[float, float]:  # fmt: skip
    v = output(r, m, i, f, kp, kd, n, b, c)
    return ki * (r - m) + kt * (actual - v), n * (kd * (c * r - m) - f)


def slowed_slope(
    mode: int, r: float, m: float, i: float, f: float, kp: float, ki: float, kd: float, n: float,
    b: float, c: float, lower: float, upper: float,
) -> tuple[float, float]:  # fmt: skip
    v = output(r, m, i, f, kp, kd, n, b, c)
    return slowed(mode, v, ki * (r - m), n, lower, upper), n * (kd * (c * r - m) - f)


def slowed_mode(
    r: float, m: float, i: float, f: float, kp: float, ki: float, kd: float, n: float,
    b: float, c: float, lower: float, upper: float,
) -> int:  # fmt: skip
    return slowed_branch(output(r, m, i, f, kp, kd, n, b, c), ki * (r - m), n, lower, upper)


def slowed_crossing(
    mode: int, r: float, m: float, i: float, f: float, kp: float, ki: float, kd: float, n: float,
    b: float, c: float, lower: float, upper: float,
) -> tuple[float, float, float]:  # fmt: skip
    return slowed_distances(mode, output(r, m, i, f, kp, kd, n, b, c), ki * (r - m), n, lower, upper)


def edged_crossing(
    r: float, m: float, trigger: float, i: float, f: float, kp: float, kd: float, n: float,
    b: float, c: float, lower: float, upper: float, level: float,
) -> tuple[float, float, float]:  # fmt: skip
    above, below = crossing(r, m, i, f, kp, kd, n, b, c, lower, upper)
    return trigger - level, above, below


def edged_clamped_crossing(
    mode: int, r: float, m: float, trigger: float, i: float, f: float,
    kp: float, ki: float, kd: float, n: float, b: float, c: float, lower: float, upper: float, level: float,
) -> tuple[float, float, float, float]:  # fmt: skip
    above, below, third = clamped_crossing(mode, r, m, i, f, kp, ki, kd, n, b, c, lower, upper)
    return trigger - level, above, below, third


def edged_slowed_crossing(
    mode: int, r: float, m: float, trigger: float, i: float, f: float,
    kp: float, ki: float, kd: float, n: float, b: float, c: float, lower: float, upper: float, level: float,
) -> tuple[float, float, float, float]:  # fmt: skip
    above, below, third = slowed_crossing(mode, r, m, i, f, kp, ki, kd, n, b, c, lower, upper)
    return trigger - level, above, below, third
