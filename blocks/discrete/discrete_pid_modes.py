"""Kernels of a DiscretePID that is switched to manual and back, or told what the actuator does.

While it is manual, i is what makes the automatic output equal to y at the present error: so y does not jump
when it is switched back, but for what the error changes by in one sample. Source: Astrom, Hagglund, Advanced
PID Control (2006), section 13.5.
"""

from __future__ import annotations

TRUE = 0.5  # a logical signal above it is true


def output(
    u: float, auto: float, manual: float, i: float, f: float, kp: float, ki: float, kd: float,
    a: float, lag: float, sample_time: float, lower: float, upper: float,
) -> float:  # fmt: skip
    v = kp * u + i + a * ki * sample_time * u + (kd * u - f) / lag
    return min(max(v if auto > TRUE else manual, lower), upper)


def switched(
    u: float, auto: float, y: float, i: float, f: float, kp: float, ki: float, kd: float, kt: float, clamps:
    float, a: float, lag: float, sample_time: float, lower: float, upper: float,
) -> tuple[float, float]:  # fmt: skip
    return both(
        u, auto, y, y, i, f, kp, ki, kd, kt, clamps, a, lag, sample_time, lower, upper
    )  # fmt: skip


def tracking(
    u: float, y: float, actual: float, i: float, f: float, kp: float, ki: float, kd: float, kt: float, clamps:
    float, a: float, lag: float, sample_time: float, lower: float, upper: float,
) -> tuple[float, float]:  # fmt: skip
    return both(u, 1.0, y, actual, i, f, kp, ki, kd, kt, clamps, a, lag, sample_time, lower, upper)


def both(
    u: float, auto: float, y: float, actual: float, i: float, f: float,
    kp: float, ki: float, kd: float, kt: float, clamps: float,
    a: float, lag: float, sample_time: float, lower: float, upper: float,
) -> tuple[float, float]:  # fmt: skip
    d = (kd * u - f) / lag
    push = ki * sample_time * u
    v = kp * u + i + a * push + d
    if auto <= TRUE:
        return y - (v - i), f + sample_time * d
    if clamps > TRUE:
        outward = (v > upper and push > 0.0) or (v < lower and push < 0.0)
        return (i if outward else i + push), f + sample_time * d
    return i + push + sample_time * kt * (actual - v), f + sample_time * d
