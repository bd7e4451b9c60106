"""Statistics: mean, root mean square, smallest and largest value of a signal so far."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf, sqrt
from typing import ClassVar

from ..contract.block import Block
from ..contract.port import Crossing, Like, Port, State


class Statistics(Block):
    """Mean, rms and extremes of a signal since the start of the run, element by element.

        mean = (int u dt) / T,  rms = sqrt((int u^2 dt) / T),  T = t - start,  min and max: the extremes of u

    At the start all outputs equal u (rms: |u|). Extremes are exact: the instants at which u reverses are
    located. u feeds through to all outputs directly.

    Example:
        {type: Statistics}
    """

    icon = "statistics"
    inputs: ClassVar = (Port("u"),)
    outputs: ClassVar = tuple(Port(name, like=Like(("u",))) for name in ("mean", "rms", "min", "max"))
    states: ClassVar = (
        State("area", "none"),
        State("square", "none"),
        State("low", "none", held=True, like="u"),
        State("high", "none", held=True, like="u"),
        State("start", "never", "s", held=True),
        State("last", "none", held=True, like="u", before="u"),
    )
    crossings: ClassVar = (
        Crossing("above", +1),
        Crossing("below", +1),
        Crossing("top", -1, turns=True),
        Crossing("bottom", +1, turns=True),
    )
    elementwise: ClassVar = True

    def constants(self) -> Mapping[str, float]:
        return {"none": 0.0, "never": -inf}

    # The mode is 1 while u is its own maximum, -1 while it is its own minimum, and 2 while it is both, at the
    # start.

    @staticmethod
    def crossing(mode: int, u: float, low: float, high: float) -> tuple[float, float, float, float]:
        at_top, at_bottom = mode >= 1, mode == -1 or mode == 2
        return (
            -1.0 if at_top else u - high, -1.0 if at_bottom else low - u,
            u if at_top else 0.0, u if at_bottom else 0.0,
        )  # fmt: skip

    @staticmethod
    def mode(
        mode: int, t: float, u: float, low: float, high: float, start: float, last: float,
        crossed_top: int, crossed_bottom: int,
    ) -> int:  # fmt: skip
        if start == -inf or start == t:
            return 2
        was_top, was_bottom = mode >= 1, mode == -1 or mode == 2
        at_top = u > (last if was_top else high) or (was_top and u == last and crossed_top == 0)
        at_bottom = u < (last if was_bottom else low) or (was_bottom and u == last and crossed_bottom == 0)
        return 2 if at_top and at_bottom else (1 if at_top else (-1 if at_bottom else 0))

    @staticmethod
    def jump(
        t: float, u: float, area: float, square: float, low: float, high: float, start: float, last: float
    ) -> tuple[float, float, float, float, float, float]:
        if start == -inf or start == t:
            return area, square, u, u, t, last
        return area, square, min(low, u, last), max(high, u, last), start, last

    @staticmethod
    def derivative(u: float) -> tuple[float, float]:
        return u, u * u

    @staticmethod
    def output_mean(t: float, u: float, area: float, start: float) -> float:
        return area / (t - start) if t > start > -inf else u

    @staticmethod
    def output_rms(t: float, u: float, square: float, start: float) -> float:
        return sqrt(max(square, 0.0) / (t - start)) if t > start > -inf else abs(u)

    @staticmethod
    def output_min(mode: int, u: float, low: float, start: float) -> float:
        return u if mode == -1 or mode == 2 or start == -inf else low

    @staticmethod
    def output_max(mode: int, u: float, high: float, start: float) -> float:
        return u if mode >= 1 or start == -inf else high
