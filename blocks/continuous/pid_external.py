"""Kernels of a PID that is reset, follows its actuator, or slows its integral down at a limit.

`v` is the output without its limits, `push` is ki times the error, the derivative of a free integral.
The mode is s + 3 h as in `pid`: h is 1 while the integral is stopped beyond a limit, -1 while it returns.
"""

from __future__ import annotations

from .pid import clamped_crossing, crossing, output


def edge(trigger: float, level: float) -> float:
    return trigger - level


def to_initial(
    i: float, f: float, initial: float, filter_initial: float, crossed_reset: int
) -> tuple[float, float]:
    return (initial, filter_initial) if crossed_reset == 1 else (i, f)


def to_initial_or_limit(
    mode: int, i: float, f: float, initial: float, filter_initial: float, lower: float, upper: float,
    crossed_reset: int,
) -> tuple[float, float]:  # fmt: skip
    if crossed_reset == 1:
        return initial, filter_initial
    return (upper if mode >= 2 else (lower if mode <= -2 else i)), f


def followed_slope(
    u: float, actual: float, i: float, f: float, kp: float, ki: float, kd: float, n: float, kt: float
) -> tuple[float, float]:
    return ki * u + kt * (actual - output(u, i, f, kp, kd, n)), n * (kd * u - f)


def slowed_slope(
    mode: int,
    u: float,
    i: float,
    f: float,
    kp: float,
    ki: float,
    kd: float,
    n: float,
    lower: float,
    upper: float,
) -> tuple[float, float]:
    return slow_integral(mode, output(u, i, f, kp, kd, n), ki * u, n, lower, upper), n * (kd * u - f)


def slowed_mode(
    u: float, i: float, f: float, kp: float, ki: float, kd: float, n: float, lower: float, upper: float
) -> int:
    return slowed_branch(output(u, i, f, kp, kd, n), ki * u, n, lower, upper)


def slowed_crossing(
    mode: int,
    u: float,
    i: float,
    f: float,
    kp: float,
    ki: float,
    kd: float,
    n: float,
    lower: float,
    upper: float,
) -> tuple[float, float, float]:
    return slowed_distances(mode, output(u, i, f, kp, kd, n), ki * u, n, lower, upper)


# For PID2DOF too. Beyond a limit by e, di/dt is max(0, |push| - n e) if push points further out. A
# derivative that jumped to 0 would let v slide along the limit, in infinitely many events.


def slow_integral(mode: int, v: float, push: float, n: float, lower: float, upper: float) -> float:
    s = (mode + 4) % 3 - 1
    if mode == s + 3:
        return 0.0
    if mode == s - 3 or s == 0:
        return push
    return push - n * (v - upper) if s > 0 else push + n * (lower - v)


def slowed_branch(v: float, push: float, n: float, lower: float, upper: float) -> int:
    s = 1 if v > upper else (-1 if v < lower else 0)
    if s == 0:
        return 0
    if s * push <= 0.0:
        return s - 3
    return s + 3 if s * push <= n * max(v - upper, lower - v) else s


def slowed_distances(
    mode: int, v: float, push: float, n: float, lower: float, upper: float
) -> tuple[float, float, float]:
    """The third distance, beyond a limit: to a change between the three rules of the integral."""
    s = (mode + 4) % 3 - 1
    outward, margin = s * push, s * push - n * max(v - upper, lower - v)
    third = 1.0
    if s != 0:
        third = outward if mode == s - 3 else (min(outward, -margin) if mode == s + 3 else margin)
    return v - upper, v - lower, third


def edged_crossing(
    u: float, trigger: float, i: float, f: float, kp: float, kd: float, n: float, lower: float, upper: float,
    level: float,
) -> tuple[float, float, float]:  # fmt: skip
    above, below = crossing(u, i, f, kp, kd, n, lower, upper)
    return trigger - level, above, below


def edged_clamped_crossing(
    mode: int, u: float, trigger: float, i: float, f: float, kp: float, ki: float, kd: float, n: float,
    lower: float, upper: float, level: float,
) -> tuple[float, float, float, float]:  # fmt: skip
    above, below, third = clamped_crossing(mode, u, i, f, kp, ki, kd, n, lower, upper)
    return trigger - level, above, below, third


def edged_slowed_crossing(
    mode: int, u: float, trigger: float, i: float, f: float, kp: float, ki: float, kd: float, n: float,
    lower: float, upper: float, level: float,
) -> tuple[float, float, float, float]:  # fmt: skip
    above, below, third = slowed_crossing(mode, u, i, f, kp, ki, kd, n, lower, upper)
    return trigger - level, above, below, third
