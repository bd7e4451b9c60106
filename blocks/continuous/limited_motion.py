"""LimitedMotion: a position and its rate, with stops and limits of the rate."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np

from ..contract.block import Block
from ..contract.errors import ParameterError
from ..contract.parameter import Real, parameter
from ..contract.port import Crossing, State


class LimitedMotion(Block):
    """d2x/dt2 = drive u - stiffness x - drag dx/dt, within limits; a subclass defines the three constants."""

    abstract: ClassVar = True
    states: ClassVar = (State("x", "initial", like="y"), State("v", "initial_rate", like="rate"))
    elementwise: ClassVar = True

    lower: Real = parameter(default=-np.inf, unit="[y]", doc="lower stop of y", infinite=True)
    upper: Real = parameter(default=np.inf, unit="[y]", doc="upper stop of y", infinite=True)
    lower_rate: Real = parameter(default=-np.inf, unit="1/s", doc="lowest rate, negative", infinite=True)
    upper_rate: Real = parameter(default=np.inf, unit="1/s", doc="highest rate", above=0, infinite=True)
    initial: Real = parameter(default=0.0, unit="[y]", doc="y at the start")
    initial_rate: Real = parameter(default=0.0, unit="1/s", doc="rate at the start")

    def check(self) -> None:
        if not np.all(np.less(self.lower, self.upper)):  # type: ignore[arg-type]
            raise ParameterError(self.kind(), "lower", self.lower, f"less than upper, {self.upper}")
        if not np.all(np.less(self.lower_rate, 0.0)):  # type: ignore[arg-type]
            raise ParameterError(self.kind(), "lower_rate", self.lower_rate, "less than zero")
        for name, low, high in (
            ("initial", self.lower, self.upper), ("initial_rate", self.lower_rate, self.upper_rate),
        ):  # fmt: skip
            value: Any = getattr(self, name)
            if not np.all(np.less_equal(low, value) & np.less_equal(value, high)):  # type: ignore[arg-type]
                raise ParameterError(self.kind(), name, value, f"within {low} ... {high}")

    def limited(self) -> bool:
        """True if a limit is finite."""
        limits = (self.lower, self.upper, self.lower_rate, self.upper_rate)
        return any(bool(np.any(np.isfinite(limit))) for limit in limits)  # type: ignore[arg-type]

    def zero_crossings(self) -> tuple[Crossing, ...]:
        names = ("upper", "lower", "upper_rate", "lower_rate") if self.limited() else ()
        return tuple(Crossing(f"at_{name}", +1) for name in names)

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        shown = {"output_y": position, "output_rate": rate}
        if not self.limited():
            return {**shown, "derivative": free_slope}
        return {**shown, "derivative": slope, "crossing": crossing, "mode": branch, "jump": to_limit}


def position(x: float) -> float:
    return x


def rate(v: float) -> float:
    return v


def free_slope(
    u: float, x: float, v: float, drive: float, stiffness: float, drag: float
) -> tuple[float, float]:
    return v, drive * u - stiffness * x - drag * v


# The mode is 1 (-1) at rest at the upper (lower) stop, 2 (-2) at the largest (smallest) rate, otherwise 0.


def slope(
    mode: int, u: float, x: float, v: float, drive: float, stiffness: float, drag: float
) -> tuple[float, float]:
    if mode == 1 or mode == -1:
        return 0.0, 0.0
    return v, (drive * u - stiffness * x - drag * v if mode == 0 else 0.0)


def crossing(
    mode: int, u: float, x: float, v: float, drive: float, stiffness: float, drag: float,
    lower: float, upper: float, lower_rate: float, upper_rate: float,
) -> tuple[float, float, float, float]:  # fmt: skip
    """Free: the distance beyond each limit. At a limit: the acceleration away from it."""
    away = stiffness * x + drag * v - drive * u
    if mode == 1:
        return away, -1.0, -1.0, -1.0
    if mode == -1:
        return -1.0, -away, -1.0, -1.0
    if mode == 2:
        return x - upper, lower - x, away, -1.0
    if mode == -2:
        return x - upper, lower - x, -1.0, -away
    return x - upper, lower - x, v - upper_rate, lower_rate - v


def branch(
    mode: int, u: float, x: float, v: float, drive: float, stiffness: float, drag: float,
    lower: float, upper: float, lower_rate: float, upper_rate: float,
) -> int:  # fmt: skip
    away = stiffness * x + drag * v - drive * u
    # With zero acceleration the mode does not change, as in Integrator.
    if x >= upper and (v > 0.0 or (v == 0.0 and (away < 0.0 or (mode == 1 and away == 0.0)))):
        return 1
    if x <= lower and (v < 0.0 or (v == 0.0 and (away > 0.0 or (mode == -1 and away == 0.0)))):
        return -1
    if v >= upper_rate and (away < 0.0 or (mode == 2 and away == 0.0)):
        return 2
    if v <= lower_rate and (away > 0.0 or (mode == -2 and away == 0.0)):
        return -2
    return 0


def to_limit(
    mode: int, x: float, v: float, lower: float, upper: float, lower_rate: float, upper_rate: float
) -> tuple[float, float]:
    # A stop sets the speed to 0. An event is handled just beyond a limit; this takes x and v back onto it.
    if mode == 1:
        return upper, 0.0
    if mode == -1:
        return lower, 0.0
    return x, (upper_rate if mode == 2 else (lower_rate if mode == -2 else v))
