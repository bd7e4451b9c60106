"""Integrator: the integral of a signal, with limits and a reset."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar

import numpy as np

from ..contract.block import Block
from ..contract.capabilities import Doubt, high_at_start
from ..contract.errors import ParameterError
from ..contract.parameter import Real, option, parameter
from ..contract.port import Crossing, Like, Port, State
from . import moving_limits

INPUTS = Port("u"), Port("trigger"), Port("value", default=0.0)
LIMITS = Port("lower_limit", default=-np.inf), Port("upper_limit", default=np.inf)
MOVING = State("side", "free", held=True), State("last", "initial", held=True, like="y", before="y")


class Integrator(Block):
    """Integral over time, element by element.

        dx/dt = u,  y = x,  x(start) = initial

    With limits, x stops at `upper` (`lower`) and leaves it at the instant when u points back inside. With
    `limit_inputs` the limits are signals, the inputs `lower_limit` and `upper_limit`, which may depend on
    states: y follows a limit that moves against it, and leaves it when u leads away faster than the limit
    moves. An unconnected limit has no effect; if the two contradict each other, the upper limit applies. With
    `reset`, x jumps to the input `value` when the input `trigger` passes `level` in the given direction; the
    default 0.5 suits the edges of a logical signal; a trigger beyond it at the start is not an edge. `value`
    is read just before the jump, so it may depend on y; the limits apply to it too. u does not feed through
    to y directly; a limit does. The unit of y is the unit of u times s. Raises ParameterError unless lower <
    upper and `initial` lies within them, and for both kinds of limits at once.

    Example:
        {type: Integrator, initial: 1.0, lower: 0.0, upper: 2.0}
    """

    icon = "integrator"
    outputs: ClassVar = (Port("y", like=Like(("u",), seconds=1)),)
    elementwise: ClassVar = True

    initial: Real = parameter(default=0.0, unit="[y]", doc="x at the start")
    lower: Real = parameter(default=-np.inf, unit="[y]", doc="lower limit of x", infinite=True)
    upper: Real = parameter(default=np.inf, unit="[y]", doc="upper limit of x", infinite=True)
    reset: str = option(
        default="none", doc="edge of `trigger` that resets", choices=("none", "rising", "falling", "either")
    )
    level: Real = parameter(default=0.5, unit="[trigger]", doc="level of `trigger` that counts as an edge")
    limit_inputs: bool = option(default=False, doc="limits are inputs, in place of `lower` and `upper`")

    @property
    def states(self) -> tuple[State, ...]:  # type: ignore[override]
        return (State("x", "initial", like="y"), *(MOVING if self.limit_inputs else ()))

    def check(self) -> None:
        if self.limit_inputs and self.limited():
            name = "upper" if np.any(np.isfinite(self.upper)) else "lower"  # type: ignore[arg-type]
            expected = "none, because limit_inputs makes the limits inputs"
            raise ParameterError("Integrator", name, getattr(self, name), expected)
        if not np.all(np.less(self.lower, self.upper)):  # type: ignore[arg-type]
            raise ParameterError("Integrator", "lower", self.lower, f"less than upper, {self.upper}")
        inside = np.less_equal(self.lower, self.initial) & np.less_equal(self.initial, self.upper)  # type: ignore[arg-type]
        if not np.all(inside):
            expected = f"within {self.lower} ... {self.upper}"
            raise ParameterError("Integrator", "initial", self.initial, expected)

    def limited(self) -> bool:
        """True if a limit is finite."""
        return bool(np.any(np.isfinite(self.lower)) or np.any(np.isfinite(self.upper)))  # type: ignore[arg-type]

    def input_ports(self) -> tuple[Port, ...]:
        inputs = INPUTS[:1] if self.reset == "none" else INPUTS
        return (*inputs, *LIMITS) if self.limit_inputs else inputs

    def constants(self) -> Mapping[str, float]:
        return {"free": 0.0} if self.limit_inputs else {}

    def zero_crossings(self) -> tuple[Crossing, ...]:
        edge = {"rising": 1, "falling": -1, "either": 0}
        limits: tuple[Crossing, ...] = (Crossing("upper"), Crossing("lower")) if self.limited() else ()
        if self.limit_inputs:
            limits = (Crossing("upper", +1), Crossing("lower", +1), Crossing("leaves", +1, turns=True))
        return limits if self.reset == "none" else (Crossing("reset", edge[self.reset]), *limits)

    def doubts(self) -> Iterator[Doubt]:
        if self.reset == "rising":
            yield high_at_start("trigger", self.numbers()["level"])

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        functions: dict[str, Callable[..., Any]] = {"output": output, "derivative": slope}
        if self.limit_inputs:
            functions |= {"output": moving_limits.output, "mode": moving_limits.branch}
            functions |= {"crossing": moving_limits.crossing, "jump": moving_limits.jump}
            if self.reset != "none":
                functions |= {"crossing": moving_limits.crossing_with_edge}
                functions |= {"jump": moving_limits.jump_with_reset}
        elif self.limited():
            functions |= {"derivative": slope_within, "mode": mode_within}
            functions |= {"crossing": limits, "jump": to_limit}
            if self.reset != "none":
                functions |= {"crossing": edge_and_limits, "jump": to_value_or_limit}
        elif self.reset != "none":
            functions |= {"crossing": edge, "jump": to_value}
        return functions


def output(x: float) -> float:
    return x


def slope(u: float) -> float:
    return u


# The mode decides on the limits; x is never clipped: at a limit dx/dt is exactly 0, so x keeps the
# limit's last bit, and every step of the solver sees one smooth branch.


def slope_within(mode: int, u: float) -> float:
    return u if mode == 0 else 0.0


def mode_within(mode: int, x: float, u: float, lower: float, upper: float) -> int:
    """1 while held at the upper limit, -1 at the lower, 0 free."""
    # At u = 0 the mode stays as it is. Otherwise a u that touches zero would release x and stop it again: two
    # events without effect.
    if x >= upper and (u > 0.0 or (mode == 1 and u == 0.0)):
        return 1
    if x <= lower and (u < 0.0 or (mode == -1 and u == 0.0)):
        return -1
    return 0


def limits(mode: int, x: float, u: float, lower: float, upper: float) -> tuple[float, float]:
    """Free: the distances to the limits. Held: the derivative."""
    if mode == 0:
        return x - upper, x - lower
    # The other limit keeps its sign: it has no events, and no false crossing appears.
    return (u, 1.0) if mode == 1 else (-1.0, u)


def to_limit(mode: int, x: float, lower: float, upper: float) -> float:
    # An event is handled at the first double beyond the limit; this takes x back onto it.
    return upper if mode == 1 else (lower if mode == -1 else x)


def edge(trigger: float, level: float) -> float:
    return trigger - level


def to_value(x: float, value: float, crossed_reset: int) -> float:
    return value if crossed_reset == 1 else x


def edge_and_limits(
    mode: int, x: float, u: float, trigger: float, level: float, lower: float, upper: float
) -> tuple[float, float, float]:
    if mode == 0:
        return trigger - level, x - upper, x - lower
    return (trigger - level, u, 1.0) if mode == 1 else (trigger - level, -1.0, u)


def to_value_or_limit(
    mode: int, x: float, value: float, lower: float, upper: float, crossed_reset: int
) -> float:
    # A reset precedes a limit that is reached at the same instant, because the reset changes the state and so
    # the mode.
    if crossed_reset == 1:
        return min(max(value, lower), upper)
    return upper if mode == 1 else (lower if mode == -1 else x)
