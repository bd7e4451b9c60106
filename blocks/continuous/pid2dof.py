"""PID2DOF: a PID controller that weights its reference and its measurement differently."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, NamedTuple

from ..contract.parameter import Real, parameter
from ..contract.port import Port
from .pid import PID, clamped_branch, clamped_distances


class PID2DOF(PID):
    """Controller with two degrees of freedom, element by element; r is the reference, m the measurement.

        v = kp (b r - m) + i + n (kd (c r - m) - f)      y = min(max(v, lower), upper)
        di/dt = ki (r - m) + kt (y - v)                  df/dt = n (kd (c r - m) - f)

    The setpoint weights b and c are the fractions of r in the proportional and derivative actions: b < 1
    reduces the overshoot, c = 0 avoids the derivative kick; neither changes the response to disturbances. For
    b = c = 1 it is PID with u = r - m. Limits, `anti_windup`, `tracks` and `reset` work as in PID.
    r and m feed through to y directly. Source: Astrom, Hagglund, Advanced PID Control (2006), section 3.4.

    Example:
        {type: PID2DOF, kp: 4.0, ki: 1.0, kd: 0.1, b: 0.7, lower: -10.0, upper: 10.0}
    """

    icon = "PID\n2 DOF"
    inputs: ClassVar = (Port("r"), Port("m"))

    kp: Real = parameter(default=1.0, unit="[y]/[r]", doc="proportional gain")
    ki: Real = parameter(default=0.0, unit="[y]/([r] s)", doc="integral gain")
    kd: Real = parameter(default=0.0, unit="[y] s/[r]", doc="derivative gain")
    b: Real = parameter(default=1.0, unit="1", doc="weight of r in the proportional action")
    c: Real = parameter(default=0.0, unit="1", doc="weight of r in the derivative action")

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        from . import pid2dof, pid2dof_external

        return self.chosen(pid2dof, pid2dof_external)


class Law(NamedTuple):
    """Signals, states and parameters of the control law."""

    r: float
    m: float
    i: float
    f: float
    kp: float
    kd: float
    n: float
    b: float
    c: float


def output(law: Law) -> float:
    proportional, derivative = law.kp * (law.b * law.r - law.m), law.kd * (law.c * law.r - law.m)
    return proportional + law.i + law.n * (derivative - law.f)


def slope(r: float, m: float, f: float, ki: float, kd: float, n: float, c: float) -> tuple[float, float]:
    return ki * (r - m), n * (kd * (c * r - m) - f)


def filter_slope(law: Law) -> float:
    return law.n * (law.kd * (law.c * law.r - law.m) - law.f)


# The modes are the same as in PID.


def limited_output(mode: int, law: Law, lower: float, upper: float) -> float:
    s = (mode + 4) % 3 - 1
    return upper if s > 0 else (lower if s < 0 else output(law))


def crossing(law: Law, lower: float, upper: float) -> tuple[float, float]:
    v = output(law)
    return v - upper, v - lower


def branch(law: Law, lower: float, upper: float) -> int:
    v = output(law)
    return 1 if v > upper else (-1 if v < lower else 0)


def tracking_slope(
    mode: int, law: Law, ki: float, kt: float, lower: float, upper: float
) -> tuple[float, float]:
    v = output(law)
    y = upper if mode > 0 else (lower if mode < 0 else v)
    return ki * (law.r - law.m) + kt * (y - v), filter_slope(law)


def clamped_slope(
    mode: int, r: float, m: float, f: float, ki: float, kd: float, n: float, c: float
) -> tuple[float, float]:
    return (ki * (r - m) if -2 < mode < 2 else 0.0), n * (kd * (c * r - m) - f)


def clamped_mode(mode: int, law: Law, ki: float, lower: float, upper: float) -> int:
    return clamped_branch(mode, output(law), law.i, ki * (law.r - law.m), lower, upper)


def clamped_crossing(
    mode: int, law: Law, ki: float, lower: float, upper: float
) -> tuple[float, float, float]:
    return clamped_distances(mode, output(law), law.i, ki * (law.r - law.m), lower, upper)
