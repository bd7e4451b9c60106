"""DiscretePID: a sampled PID controller with filtered derivative, limits and anti-windup."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np

from ..continuous.pid import tracking_rate
from ..contract.block import Block, is_open
from ..contract.errors import ParameterError
from ..contract.parameter import Array, Real, option, parameter
from ..contract.port import Port, State
from . import discrete_pid_modes as modes
from .discrete_integrator import WEIGHTS

ERROR = Port("u")
SWITCH = Port("auto", doc="true: automatic"), Port("manual", doc="y while `auto` is false")
ACTUAL = Port("actual", doc="the actuator's real output")


class DiscretePID(Block):
    """Sampled controller, element by element; u is the error.

        v_k = kp u_k + (i_k + a ki T u_k) + d_k      y_k = min(max(v_k, lower), upper)
        d_k = (kd u_k - f_k) / (1/n + b T)           f_{k+1} = f_k + T d_k
        i_{k+1} = i_k + T (ki u_k + kt (y_k - v_k))

    T is the sample time; a and b are 0, 1, 1/2 for the forward, backward and trapezoidal `method` and
    `filter_method`: the integral and the filter kd n s/(s + n) with s replaced by that rule. With the
    backward rule n may be infinite: d is then kd times the backward difference. `anti_windup` is one of:

        back-calculation  kt = tracking, by default |ki/kp|, or n if kp = 0; at most 1/T
        clamping          kt = 0, and i stays while v is beyond a limit and ki u points further out
        none              kt = 0; i winds up

    With `switched`, the inputs `auto` and `manual` switch between automatic and manual without a bump: while
    `auto` is false, y is `manual` within the limits, and i is adjusted so that v = y. With `tracks`, the
    input `actual`, the actuator's real output, replaces y in the rule for i; this needs back-calculation.

    u feeds through to y directly; y is held between ticks, and is `before` before the first one. Raises
    ParameterError unless lower < upper, and for an n at which the rule of the filter is not stable.
    Units: kp in [y]/[u], ki in [y]/([u] s), kd in [y] s/[u].
    Source: Astrom, Hagglund, Advanced PID Control (2006), chapters 3 and 13.

    Example:
        {type: DiscretePID, sample_time: 0.01, kp: 4.0, ki: 1.0, lower: -10.0, upper: 10.0}
    """

    icon = "PID(z)"
    states: ClassVar = (State("i", "initial"), State("f", "filter_initial"))
    elementwise: ClassVar = True
    sampled: ClassVar = True
    held_initial: ClassVar = "before"

    sample_time: Real = parameter(unit="s", doc="period", above=0, dimensions=(0,))
    offset: Real = parameter(default=0.0, unit="s", doc="first tick", minimum=0, dimensions=(0,))
    kp: Real = parameter(default=1.0, unit="[y]/[u]", doc="proportional gain")
    ki: Real = parameter(default=0.0, unit="[y]/([u] s)", doc="integral gain")
    kd: Real = parameter(default=0.0, unit="[y] s/[u]", doc="derivative gain")
    n: Real = parameter(default=100.0, unit="rad/s", doc="bandwidth of the filter", above=0, infinite=True)
    method: str = option(default="forward", doc="rule of the integral", choices=tuple(WEIGHTS))
    filter_method: str = option(default="backward", doc="rule of the filter", choices=tuple(WEIGHTS))
    lower: Real = parameter(default=-np.inf, unit="[y]", doc="lower limit of y", infinite=True)
    upper: Real = parameter(default=np.inf, unit="[y]", doc="upper limit of y", infinite=True)
    anti_windup: str = option(
        default="back-calculation",
        doc="anti-windup rule",
        choices=("back-calculation", "clamping", "none"),
    )
    tracking: Real | None = parameter(
        default=None, unit="1/s", doc="rate of back-calculation; none: chosen", minimum=0
    )
    initial: Real = parameter(default=0.0, unit="[y]", doc="i at the first tick")
    filter_initial: Real = parameter(default=0.0, unit="[y] s", doc="f at the first tick")
    before: Real = parameter(default=0.0, unit="[y]", doc="y before the first tick")
    switched: bool = option(default=False, doc="has inputs `auto` and `manual`")
    tracks: bool = option(default=False, doc="has an input `actual`")

    def symbol(self) -> str:
        gains = {"P": self.kp, "I": self.ki, "D": self.kd}
        terms = "".join(name for name, gain in gains.items() if is_open(gain) or np.any(np.asarray(gain)))
        return f"{terms or 'PID'}(z)"

    def input_ports(self) -> tuple[Port, ...]:
        return (ERROR, *(SWITCH if self.switched else ()), *((ACTUAL,) if self.tracks else ()))

    def check(self) -> None:
        if not np.all(np.less(self.lower, self.upper)):  # type: ignore[arg-type]
            raise ParameterError(self.kind(), "lower", self.lower, f"less than upper, {self.upper}")
        if self.tracks and self.anti_windup != "back-calculation":
            expected = "back-calculation, if it tracks the actuator"
            raise ParameterError(self.kind(), "anti_windup", self.anti_windup, expected)
        # The filter's pole is 1 - n T by the forward rule, (2 - n T) / (2 + n T) by the trapezoidal one. The
        # first leaves the unit circle at n = 2/T; the second tends to -1 for n = inf, and rings forever.
        highest = {"forward": 2.0 / float(self.sample_time), "trapezoidal": np.inf}  # type: ignore[arg-type]
        limit = highest.get(self.filter_method)
        if limit is not None and not np.all(np.less(self.n, limit)):  # type: ignore[arg-type]
            expected = f"below {limit:g} rad/s, where the {self.filter_method} rule becomes unstable"
            raise ParameterError(self.kind(), "n", self.n, f"{expected}; or filter_method: backward")

    def constants(self) -> Mapping[str, Array | float]:
        T = float(self.sample_time)  # type: ignore[arg-type]
        rate: Array | float = 0.0
        if self.anti_windup == "back-calculation":
            # Each tick moves i by the fraction kt T of the distance at which v meets the limit: by all of it
            # at kt = 1/T. For a larger kt, i would overshoot, and from 2/T on diverge.
            rate = np.minimum(tracking_rate(self.tracking, self.kp, self.ki, self.n), 1.0 / T)
        # d = n (kd u - f - b T d), solved for d and divided by n: for n = inf, n/(1 + n b T) would be NaN.
        lag = 1.0 / np.asarray(self.n) + WEIGHTS[self.filter_method] * T
        clamps = float(self.anti_windup == "clamping")
        return {"a": WEIGHTS[self.method], "lag": lag, "kt": rate, "clamps": clamps}

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        if self.switched or self.tracks:
            rule = modes.both if self.switched and self.tracks else modes.tracking
            return {
                "output": modes.output if self.switched else output,
                "update": rule if self.tracks else modes.switch_mode,
            }
        return {
            "output": output,
            "update": clamp_integral if self.anti_windup == "clamping" else track_actuator,
        }


# a is 0, 1/2 or 1, so a product with it is exact: v is the same to the last bit here and in both updates.


def output(
    u: float, i: float, f: float, kp: float, ki: float, kd: float,
    a: float, lag: float, sample_time: float, lower: float, upper: float,
) -> float:  # fmt: skip
    v = kp * u + i + a * ki * sample_time * u + (kd * u - f) / lag
    return min(max(v, lower), upper)


def clamp_integral(
    u: float, i: float, f: float, kp: float, ki: float, kd: float,
    a: float, lag: float, sample_time: float, lower: float, upper: float,
) -> tuple[float, float]:  # fmt: skip
    d = (kd * u - f) / lag
    push = ki * sample_time * u
    v = kp * u + i + a * push + d
    outward = (v > upper and push > 0.0) or (v < lower and push < 0.0)
    return (i if outward else i + push), f + sample_time * d


def track_actuator(
    u: float, y: float, i: float, f: float, kp: float, ki: float, kd: float, kt: float,
    a: float, lag: float, sample_time: float,
) -> tuple[float, float]:  # fmt: skip
    d = (kd * u - f) / lag
    v = kp * u + i + a * ki * sample_time * u + d
    return i + sample_time * (ki * u + kt * (y - v)), f + sample_time * d
