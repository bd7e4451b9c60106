"""GeneralizedPlay: hysteresis between two curves of any shape."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ..contract.block import Block
from ..contract.errors import ParameterError
from ..contract.icon import Icon
from ..contract.marks import graph
from ..contract.parameter import Array, Real, option, parameter
from ..contract.port import Crossing, Like, Port, State
from ..lookup.axis import OUTSIDE, cell, check_breakpoints, check_size, finder, part

ROUNDING = 1e-12  # relative to the curves' values and u: smaller contacts and jumps are rounding


class Curves(NamedTuple):
    """The two curves, on the same points."""

    points: Array
    rates: Array
    starts: Array
    scale: float
    rising: Array
    falling: Array
    clip: float
    near: float


class GeneralizedPlay(Block):
    """Hysteresis with a measured curve for each direction: a play whose edges are curves, element by element.

        y = lower(u)  while u pushes upwards,   y = upper(u)  while it pushes downwards,
        y stays       while u is on its way from one curve to the other

    `lower` and `upper` have a value for each of the `breakpoints`, and are linear in between; they never
    fall, and lower <= upper. Beyond the ends `clip` continues with the last value, `extrapolate` with the
    last piece. Whatever u does, lower(u) <= y <= upper(u). When u turns, y leaves its curve and stays until
    it meets the other one, or its own again: minor loops are flat; for loops inside loops, see Hysteresis.
    Backlash is the special case lower = u - width/2 and upper = u + width/2. The mode (1, -1, 0) changes at
    located instants: at contact, and when u turns, even by a jump; kinks of the curves are not events. At the
    start y is `initial`, or the value nearest to it between the curves. u feeds through to y directly. Raises
    ParameterError for breakpoints that do not increase, sizes that do not fit, and curves that fall or cross.
    Source: Visintin, Differential Models of Hysteresis (1994), section III.2.

    Example:
        {type: GeneralizedPlay, breakpoints: [-2, 0, 1, 3], lower: [-1, -0.8, 0, 1], upper: [-1, 0.2, 0.9, 1]}
    """

    icon = "hysteresis"
    inputs: ClassVar = (Port("u"),)
    states: ClassVar = (
        State("x", "initial", held=True, like="y"),
        State("side", "free", held=True),
        State("last", "initial", held=True, like="y", before="y"),
        State("from_u", "free", held=True, like="u", before="u"),
    )
    crossings: ClassVar = (Crossing("lower", +1), Crossing("upper", +1), Crossing("turn", +1, turns=True))
    elementwise: ClassVar = True
    tables: ClassVar = ("breakpoints", "lower", "upper", "points", "rates", "starts", "rising", "falling")

    breakpoints: Real = parameter(default=[-1.0, 1.0], unit="[u]", doc="values of u", dimensions=(1,))
    lower: Real = parameter(
        default=[-1.5, 0.5], unit="[y]", doc="y there, u pushing upwards", dimensions=(1,)
    )
    upper: Real = parameter(
        default=[-0.5, 1.5], unit="[y]", doc="y there, u pushing downwards", dimensions=(1,)
    )
    outside: str = option(default="clip", doc="rule beyond the ends", choices=OUTSIDE[:2])
    initial: Real = parameter(default=0.0, unit="[y]", doc="y at the start")
    unit: str = option(default="", doc="unit of y")

    def symbol(self) -> Icon:
        points, lower, upper = self.curves
        around = [*zip(points, lower, strict=True), *zip(points[::-1], upper[::-1], strict=True)]
        return graph([*around, around[0]])

    def check(self) -> None:
        _ = self.curves

    @cached_property
    def curves(self) -> tuple[Array, Array, Array]:
        """Breakpoints, lower and upper values. Raises ParameterError."""
        points = check_breakpoints(self.kind(), "breakpoints", self.breakpoints)
        lower = check_size(self.kind(), "lower", self.lower, points.shape)
        upper = check_size(self.kind(), "upper", self.upper, points.shape)
        for name, values in (("lower", lower), ("upper", upper)):
            for k in np.flatnonzero(np.diff(values) < 0.0).tolist():
                reason = f"{values[k]:g} at {points[k]:g}, {values[k + 1]:g} at {points[k + 1]:g}"
                raise ParameterError(
                    self.kind(), name, getattr(self, name), "values that do not decrease", reason=reason
                )
        for k in np.flatnonzero(lower > upper).tolist():
            reason = f"at {points[k]:g} lower is {lower[k]:g}, upper {upper[k]:g}"
            raise ParameterError(self.kind(), "upper", self.upper, "never less than `lower`", reason=reason)
        return points, lower, upper

    def output_ports(self) -> tuple[Port, ...]:
        return (Port("y", unit=self.unit, like=Like(("u",))),)

    def constants(self) -> Mapping[str, Any]:
        points, lower, upper = self.curves
        return {
            **finder(points),
            "points": points,
            "rising": lower,
            "falling": upper,
            "clip": float(self.outside == "clip"),
            "near": ROUNDING * float(np.max(np.abs([lower, upper]))),
            "free": 0.0,
        }

    @staticmethod
    def crossing(mode: int, u: float, x: float, curves: Curves) -> tuple[float, float, float]:
        if mode != 0:
            return -1.0, -1.0, -mode * u
        k = cell(u, curves.points, curves.starts, curves.scale)
        s = part(u, k, curves.points, curves.rates, curves.clip)
        edge = curves.near + ROUNDING * abs(x)
        return line(k, s, curves.rising) - x - edge, x - line(k, s, curves.falling) - edge, 0.0

    @staticmethod
    def mode(
        u: float, x: float, side: float, last: float, from_u: float, curves: Curves, crossed_turn: int
    ) -> int:
        if side != 0.0 and crossed_turn == 0 and side * (from_u - u) <= ROUNDING * abs(u):
            return 1 if side > 0.0 else -1
        y = last if side != 0.0 else x
        k = cell(u, curves.points, curves.starts, curves.scale)
        s = part(u, k, curves.points, curves.rates, curves.clip)
        edge = curves.near + ROUNDING * abs(y)
        if line(k, s, curves.rising) - y - edge > 0.0:
            return 1
        return -1 if y - line(k, s, curves.falling) - edge > 0.0 else 0

    @staticmethod
    def jump(
        mode: int, x: float, side: float, last: float, from_u: float
    ) -> tuple[float, float, float, float]:
        return (last if mode == 0 and side != 0.0 else x), float(mode), last, from_u

    @staticmethod
    def output(
        mode: int, u: float, x: float, points: Array, rates: Array, starts: Array, scale: float,
        rising: Array, falling: Array, clip: float,
    ) -> float:  # fmt: skip
        if mode == 0:
            return x
        k = cell(u, points, starts, scale)
        return line(k, part(u, k, points, rates, clip), rising if mode > 0 else falling)


def line(k: int, s: float, values: Array) -> float:
    return (1.0 - s) * values[k] + s * values[k + 1]  # type: ignore[no-any-return]
