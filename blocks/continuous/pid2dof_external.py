"""Kernels of a PID2DOF that is reset, follows its actuator, or slows down at a limit; see `pid_external`."""

from __future__ import annotations

from .pid2dof import Law, clamped_crossing, crossing, filter_slope, output
from .pid_external import slow_integral, slowed_branch, slowed_distances


def followed_slope(law: Law, actual: float, ki: float, kt: float) -> tuple[float, float]:
    return ki * (law.r - law.m) + kt * (actual - output(law)), filter_slope(law)


def slowed_slope(mode: int, law: Law, ki: float, lower: float, upper: float) -> tuple[float, float]:
    return slow_integral(mode, output(law), ki * (law.r - law.m), law.n, lower, upper), filter_slope(law)


def slowed_mode(law: Law, ki: float, lower: float, upper: float) -> int:
    return slowed_branch(output(law), ki * (law.r - law.m), law.n, lower, upper)


def slowed_crossing(mode: int, law: Law, ki: float, lower: float, upper: float) -> tuple[float, float, float]:
    return slowed_distances(mode, output(law), ki * (law.r - law.m), law.n, lower, upper)


def edged_crossing(
    law: Law, trigger: float, lower: float, upper: float, level: float
) -> tuple[float, float, float]:
    above, below = crossing(law, lower, upper)
    return trigger - level, above, below


def edged_clamped_crossing(
    mode: int, law: Law, trigger: float, ki: float, lower: float, upper: float, level: float
) -> tuple[float, float, float, float]:
    above, below, third = clamped_crossing(mode, law, ki, lower, upper)
    return trigger - level, above, below, third


def edged_slowed_crossing(
    mode: int, law: Law, trigger: float, ki: float, lower: float, upper: float, level: float
) -> tuple[float, float, float, float]:
    above, below, third = slowed_crossing(mode, law, ki, lower, upper)
    return trigger - level, above, below, third
