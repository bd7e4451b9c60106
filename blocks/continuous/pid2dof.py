"""PID2DOF: a PID controller that answers to its reference otherwise than to its measurement."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from ..contract.parameter import Real, parameter
from ..contract.port import Port
from .pid import PID, clamped_branch, clamped_distances


class PID2DOF(PID):
    """Controller with two degrees of freedom, element by element; r is the reference, m the measurement.

        v = kp (b r - m) + i + n (kd (c r - m) - f)      y = min(max(v, lower), upper)
        di/dt = ki (r - m) + kt (y - v)                  df/dt = n (kd (c r - m) - f)

    The setpoint weights b and c say how much of a step of r the proportional and derivative actions see: b <
    1 reduces the overshoot, c = 0 avoids the derivative kick; neither changes the response to disturbances.
    For b = c = 1 it is PID with u = r - m. Limits, `anti_windup`, `tracks` and `reset` are those of PID.
    r and m feed through to y directly. Source: Astrom, Hagglund, Advanced PID Control (2006), section 3.4.

    Example:
        {type: PID2DOF, kp: 4.0, ki: 1.0, kd: 0.1, b: 0.7, lower: -10.0, upper: 10.0}
    """

    icon = "PID\n2 DOF"
    inputs: ClassVar = (Port("r"), Port("m"))

    b: Real = parameter(default=1.0, doc="weight of r in the proportional action")
    c: Real = parameter(default=0.0, doc="weight of r in the derivative action")

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        from . import pid2dof, pid2dof_external

        return self.chosen(pid2dof, pid2dof_external)


def output(
    r: float, m: float, i: float, f: float, kp: float, kd: float, n: float, b: float, c: float
) -> float:
    return kp * (b * r - m) + i + n * (kd * (c * r - m) - f)


def slope(r: float, m: float, f: float, ki: float, kd: float, n: float, c: float) -> tuple[float, float]:
    return ki * (r - m), n * (kd * (c * r - m) - f)


# The modes are those of PID.


def limited_output(
    mode: int, r: float, m: float, i: float, f: float,
    kp: float, kd: float, n: float, b: float, c: float, lower: float, upper: float,
) -> float:  # fmt: skip
    s = (mode + 4) % 3 - 1
    return upper if s > 0 else (lower if s < 0 else output(r, m, i, f, kp, kd, n, b, c))


def crossing(
    r: float, m: float, i: float, f: float,
    kp: float, kd: float, n: float, b: float, c: float, lower: float, upper: float,
) -> tuple[float, float]:  # fmt: skip
    v = output(r, m, i, f, kp, kd, n, b, c)
    return v - upper, v - lower


def branch(
    r: float, m: float, i: float, f: float,
    kp: float, kd: float, n: float, b: float, c: float, lower: float, upper: float,
) -> int:  # fmt: skip
    v = output(r, m, i, f, kp, kd, n, b, c)
    return 1 if v > upper else (-1 if v < lower else 0)


def tracking_slope(
    mode: int, r: float, m: float, i: float, f: float, kp: float, ki: float, kd: float, n: float,
    b: float, c: float, kt: float, lower: float, upper: float,
) -> tuple[float, float]:  # fmt: skip
    v = output(r, m, i, f, kp, kd, n, b, c)
    y = upper if mode > 0 else (lower if mode < 0 else v)
    return ki * (r - m) + kt * (y - v), n * (kd * (c * r - m) - f)


def clamped_slope(
    mode: int, r: float, m: float, f: float, ki: float, kd: float, n: float, c: float
) -> tuple[float, float]:
    return (ki * (r - m) if -2 < mode < 2 else 0.0), n * (kd * (c * r - m) - f)


def clamped_mode(
    mode: int, r: float, m: float, i: float, f: float, kp: float, ki: float, kd: float, n: float,
    b: float, c: float, lower: float, upper: float,
) -> int:  # fmt: skip
    return clamped_branch(mode, output(r, m, i, f, kp, kd, n, b, c), i, ki * (r - m), lower, upper)


def clamped_crossing(
    mode: int, r: float, m: float, i: float, f: float, kp: float, ki: float, kd: float, n: float,
    b: float, c: float, lower: float, upper: float,
) -> tuple[float, float, float]:  # fmt: skip
    return clamped_distances(mode, output(r, m, i, f, kp, kd, n, b, c), i, ki * (r - m), lower, upper)
