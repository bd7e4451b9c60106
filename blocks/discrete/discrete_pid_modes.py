"""Kernels of a DiscretePID that is switched to manual and back, or that tracks the actuator.

In manual mode, i makes the automatic output equal to y at the present error, so that y does not jump when the
controller is switched back, except by the change of the error in one sample. Source: Astrom, Hagglund,
Advanced PID Control (2006), section 13.5.
"""

from __future__ import annotations

from typing import NamedTuple

TRUE = 0.5  # a logical signal above it is true


class Law(NamedTuple):
    """Signals, states and parameters of the control law; DiscretePID defines `lag` and `a`."""

    u: float
    i: float
    f: float
    kp: float
    ki: float
    kd: float
    a: float
    lag: float
    sample_time: float


def output(law: Law, auto: float, manual: float, lower: float, upper: float) -> float:
    u = law.u
    v = law.kp * u + law.i + law.a * law.ki * law.sample_time * u + (law.kd * u - law.f) / law.lag
    return min(max(v if auto > TRUE else manual, lower), upper)


def switch_mode(
    law: Law, auto: float, y: float, kt: float, clamps: float, lower: float, upper: float
) -> tuple[float, float]:
    return both(law, auto, y, y, kt, clamps, lower, upper)


def tracking(
    law: Law, y: float, actual: float, kt: float, clamps: float, lower: float, upper: float
) -> tuple[float, float]:
    return both(law, 1.0, y, actual, kt, clamps, lower, upper)


def both(
    law: Law, auto: float, y: float, actual: float, kt: float, clamps: float, lower: float, upper: float
) -> tuple[float, float]:
    i, f = law.i, law.f
    d = (law.kd * law.u - f) / law.lag
    push = law.ki * law.sample_time * law.u
    v = law.kp * law.u + i + law.a * push + d
    if auto <= TRUE:
        return y - (v - i), f + law.sample_time * d
    if clamps > TRUE:
        outward = (v > upper and push > 0.0) or (v < lower and push < 0.0)
        return (i if outward else i + push), f + law.sample_time * d
    return i + push + law.sample_time * kt * (actual - v), f + law.sample_time * d
