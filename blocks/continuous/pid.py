"""PID: proportional, integral and filtered derivative action, with limits and anti-windup."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar

import numpy as np

from ..contract.block import Block, is_open
from ..contract.capabilities import Doubt, high_at_start
from ..contract.errors import ParameterError
from ..contract.parameter import Array, Real, option, parameter
from ..contract.port import Crossing, Port, State

EDGES = {"rising": 1, "falling": -1, "either": 0}
ACTUAL = Port("actual", doc="the actuator's real output")
TRIGGER = Port("trigger", doc="its edge resets")


class PID(Block):
    """Controller, element by element; u is the error.

        v = kp u + i + n (kd u - f)      y = min(max(v, lower), upper)
        di/dt = ki u + kt (y - v)        df/dt = n (kd u - f)

    so that V(s)/U(s) = kp + ki/s + kd n s/(s + n). `anti_windup` selects how windup of i is prevented while y
    is at a limit:

        back-calculation  kt = tracking, by default |ki/kp|, or n if kp = 0
        clamping          di/dt = max(0, ki u - n (v - upper)) while v > upper and ki u > 0, and likewise
                          at lower: i slows down, and stops where v is beyond the limit by ki u / n
        limited-integral  kt = 0; i stays within lower ... upper, and leaves a limit when ki u points inside
        none              kt = 0; i winds up

    The branch of the limits is part of the mode: it changes at the located instant when v passes a limit.
    With `tracks`, the input `actual`, the actuator's real output, replaces y in the rule for i; this needs
    back-calculation. With `reset`, i and f return to `initial` and `filter_initial` when the input `trigger`
    passes `level` in the given direction; the default 0.5 suits the edges of a logical signal.

    u feeds through to y directly. Units: kp in [y]/[u], ki in [y]/([u] s), kd in [y] s/[u]. Raises
    ParameterError unless lower < upper, and for limited-integral unless `initial` lies within them.
    Source: Astrom, Hagglund, Advanced PID Control (2006), chapter 3.

    Example:
        {type: PID, kp: 4.0, ki: 1.0, kd: 0.1, n: 200.0, lower: -10.0, upper: 10.0}
    """

    inputs: ClassVar[tuple[Port, ...]] = (Port("u"),)
    states: ClassVar = (State("i", "initial"), State("f", "filter_initial", scale="filter_scale"))
    elementwise: ClassVar = True

    kp: Real = parameter(default=1.0, unit="[y]/[u]", doc="proportional gain")
    ki: Real = parameter(default=0.0, unit="[y]/([u] s)", doc="integral gain")
    kd: Real = parameter(default=0.0, unit="[y] s/[u]", doc="derivative gain")
    n: Real = parameter(default=100.0, unit="rad/s", doc="bandwidth of the derivative's filter", above=0)
    lower: Real = parameter(default=-np.inf, unit="[y]", doc="lower limit of y", infinite=True)
    upper: Real = parameter(default=np.inf, unit="[y]", doc="upper limit of y", infinite=True)
    anti_windup: str = option(
        default="back-calculation",
        doc="anti-windup rule",
        choices=("back-calculation", "clamping", "limited-integral", "none"),
    )
    tracking: Real | None = parameter(
        default=None, unit="1/s", doc="rate of back-calculation; none: chosen", minimum=0
    )
    initial: Real = parameter(default=0.0, unit="[y]", doc="i at the start")
    filter_initial: Real = parameter(default=0.0, unit="[y] s", doc="f at the start")
    tracks: bool = option(default=False, doc="has an input `actual`")
    reset: str = option(default="none", doc="edge of `trigger` that resets", choices=("none", *EDGES))
    level: Real = parameter(default=0.5, unit="[trigger]", doc="level of `trigger` that counts as an edge")

    def input_ports(self) -> tuple[Port, ...]:
        resets = self.reset != "none"
        return (*self.inputs, *((ACTUAL,) if self.tracks else ()), *((TRIGGER,) if resets else ()))

    def symbol(self) -> str:
        gains = {"P": self.kp, "I": self.ki, "D": self.kd}
        return (
            "".join(name for name, gain in gains.items() if is_open(gain) or np.any(np.asarray(gain)))
            or "PID"
        )

    def check(self) -> None:
        if not np.all(np.less(self.lower, self.upper)):  # type: ignore[arg-type]
            raise ParameterError(self.kind(), "lower", self.lower, f"less than upper, {self.upper}")
        if self.tracks and self.anti_windup != "back-calculation":
            expected = "back-calculation, if it tracks the actuator"
            raise ParameterError(self.kind(), "anti_windup", self.anti_windup, expected)
        inside = np.less_equal(self.lower, self.initial) & np.less_equal(self.initial, self.upper)  # type: ignore[arg-type]
        if self.anti_windup == "limited-integral" and not np.all(inside):
            raise ParameterError(
                self.kind(), "initial", self.initial, f"within {self.lower} ... {self.upper}"
            )

    def limited(self) -> bool:
        """True if a limit is finite."""
        return bool(np.any(np.isfinite(self.lower)) or np.any(np.isfinite(self.upper)))  # type: ignore[arg-type]

    def zero_crossings(self) -> tuple[Crossing, ...]:
        edges = () if self.reset == "none" else (Crossing("reset", EDGES[self.reset]),)
        if not self.limited():
            return edges
        third = (Crossing("integral"),) if self.anti_windup in ("clamping", "limited-integral") else ()
        return (*edges, Crossing("upper"), Crossing("lower"), *third)

    def doubts(self) -> Iterator[Doubt]:
        if self.reset == "rising":
            yield high_at_start("trigger", self.numbers()["level"])

    def constants(self) -> Mapping[str, Array]:
        follows = self.anti_windup == "back-calculation"
        kt = tracking_rate(self.tracking, self.kp, self.ki, self.n) if follows else np.array(0.0)
        return {"kt": kt, "filter_scale": 1.0 / np.maximum(np.asarray(self.n, np.float64), 1.0)}

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        from . import pid, pid_external

        return self.chosen(pid, pid_external)

    def chosen(self, plain: Any, external: Any) -> dict[str, Callable[..., Any]]:
        """The kernels for the options, from the module with limits and from the module with more inputs."""
        from .pid_external import edge, to_initial, to_initial_or_limit

        resets = self.reset != "none"
        functions: dict[str, Callable[..., Any]] = {"output": plain.output, "derivative": plain.slope}
        if self.limited():
            kernels, prefix = {
                "limited-integral": (plain, "clamped_"), "clamping": (external, "slowed_"),
            }.get(self.anti_windup, (plain, ""))  # fmt: skip
            functions["output"] = plain.limited_output
            functions["derivative"] = getattr(kernels, f"{prefix or 'tracking_'}slope")
            functions["mode"] = getattr(kernels, f"{prefix}mode" if prefix else "branch")
            functions["crossing"] = getattr(kernels, f"{prefix}crossing")
            if resets:
                functions["crossing"] = getattr(external, f"edged_{prefix}crossing")
            if self.anti_windup == "limited-integral":
                functions["jump"] = to_limit
        elif resets:
            functions["crossing"] = edge
        if self.tracks:
            functions["derivative"] = external.followed_slope
        if resets:
            functions["jump"] = to_initial_or_limit if "jump" in functions else to_initial
        return functions


def tracking_rate(tracking: object, kp: object, ki: object, n: object) -> Array:
    """The rate of back-calculation, 1/s: `tracking`, by default |ki/kp|, or n if kp = 0."""
    if tracking is not None:
        return np.asarray(tracking, np.float64)
    # ki/kp = 1/Ti: while y is at its limit, i follows it with the controller's own integral time. Magnitudes
    # are used, because a negative rate would drive i away. Without kp the fastest pole of the controller, n,
    # remains. `where` computes both branches: the inner one keeps a division by zero out of the unused one.
    kp, ki, n = np.broadcast_arrays(*(np.asarray(v, np.float64) for v in (kp, ki, n)))
    return np.asarray(np.where(kp == 0.0, n, np.abs(ki) / np.where(kp == 0.0, 1.0, np.abs(kp))))


def output(u: float, i: float, f: float, kp: float, kd: float, n: float) -> float:
    return kp * u + i + n * (kd * u - f)


def slope(u: float, f: float, ki: float, kd: float, n: float) -> tuple[float, float]:
    return ki * u, n * (kd * u - f)


# The mode is s + 3 h: s = -1, 0, 1 while y is at lower, free, at upper; h the same for a limited i.
# So |mode| >= 2 means that i is held, and mode + 4, from 0 to 8, has s + 1 as its last digit to the base 3.
# All kernels compute v in the same order of operations, so mode, crossing and output agree to the last bit.


def limited_output(
    mode: int, u: float, i: float, f: float, kp: float, kd: float, n: float, lower: float, upper: float
) -> float:
    s = (mode + 4) % 3 - 1
    return upper if s > 0 else (lower if s < 0 else kp * u + i + n * (kd * u - f))


def crossing(
    u: float, i: float, f: float, kp: float, kd: float, n: float, lower: float, upper: float
) -> tuple[float, float]:
    v = kp * u + i + n * (kd * u - f)
    return v - upper, v - lower


def branch(u: float, i: float, f: float, kp: float, kd: float, n: float, lower: float, upper: float) -> int:
    v = kp * u + i + n * (kd * u - f)
    return 1 if v > upper else (-1 if v < lower else 0)


def tracking_slope(
    mode: int, u: float, i: float, f: float,
    kp: float, ki: float, kd: float, n: float, kt: float, lower: float, upper: float,
) -> tuple[float, float]:  # fmt: skip
    v = kp * u + i + n * (kd * u - f)
    # y follows the frozen branch, and v is not compared: the derivative stays smooth up to the event, and a
    # little beyond.
    y = upper if mode > 0 else (lower if mode < 0 else v)
    return ki * u + kt * (y - v), n * (kd * u - f)


def clamped_slope(mode: int, u: float, f: float, ki: float, kd: float, n: float) -> tuple[float, float]:
    return (ki * u if -2 < mode < 2 else 0.0), n * (kd * u - f)


def clamped_mode(
    mode: int, u: float, i: float, f: float,
    kp: float, ki: float, kd: float, n: float, lower: float, upper: float,
) -> int:  # fmt: skip
    return clamped_branch(mode, kp * u + i + n * (kd * u - f), i, ki * u, lower, upper)


def clamped_crossing(
    mode: int, u: float, i: float, f: float,
    kp: float, ki: float, kd: float, n: float, lower: float, upper: float,
) -> tuple[float, float, float]:  # fmt: skip
    return clamped_distances(mode, kp * u + i + n * (kd * u - f), i, ki * u, lower, upper)


def to_limit(mode: int, i: float, f: float, lower: float, upper: float) -> tuple[float, float]:
    return (upper if mode >= 2 else (lower if mode <= -2 else i)), f


# For PID2DOF too: v is y without its limits, push the derivative of i.


def clamped_branch(mode: int, v: float, i: float, push: float, lower: float, upper: float) -> int:
    s = 1 if v > upper else (-1 if v < lower else 0)
    if i >= upper and (
        push > 0.0 or (mode >= 2 and push == 0.0)
    ):  # at 0 the mode does not change, as in Integrator
        return s + 3
    if i <= lower and (push < 0.0 or (mode <= -2 and push == 0.0)):
        return s - 3
    return s


def clamped_distances(
    mode: int, v: float, i: float, push: float, lower: float, upper: float
) -> tuple[float, float, float]:
    """The third distance: of a free i, beyond the nearer limit; at a limit, the derivative of i."""
    if mode >= 2 or mode <= -2:
        return v - upper, v - lower, push
    return v - upper, v - lower, max(i - upper, lower - i)
