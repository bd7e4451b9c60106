"""SettlingTime: the time at which a signal last entered a band about its target."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import ClassVar

from ..contract.block import Block
from ..contract.parameter import Real, parameter
from ..contract.port import Crossing, Port, State


class SettlingTime(Block):
    """The time from the start of the run until a signal last entered its target band, element by element.

        |u - target| <= band  since  start + time

    While u is outside, `time` is the elapsed time and `settled` is 0; inside, `settled` is 1 and `time` is
    constant. The instants at which u enters and leaves the band are located. u and target feed through to
    both outputs directly.

    Example:
        {type: SettlingTime, band: 0.02}
    """

    icon = "settling"
    inputs: ClassVar = (Port("u"), Port("target", default=0.0))
    outputs: ClassVar = (Port("time", unit="s"), Port("settled"))
    states: ClassVar = (State("start", "never", "s", held=True), State("since", "never", "s", held=True))
    crossings: ClassVar = (Crossing("band"),)
    elementwise: ClassVar = True

    band: Real = parameter(default=0.02, unit="[u]", doc="half the width of the band", above=0)

    def constants(self) -> Mapping[str, float]:
        return {"never": -inf}

    @staticmethod
    def crossing(u: float, target: float, band: float) -> float:
        return band * band - (u - target) ** 2  # smooth, unlike the distance

    @staticmethod
    def mode(u: float, target: float, band: float) -> int:
        return 1 if band * band - (u - target) ** 2 >= 0.0 else 0

    @staticmethod
    def jump(mode: int, t: float, start: float, since: float) -> tuple[float, float]:
        begin = t if start == -inf else start
        if mode == 0:
            return begin, -inf
        return begin, t if since == -inf else since

    @staticmethod
    def output_time(t: float, start: float, since: float) -> float:
        return (t if since == -inf else since) - start if start > -inf else 0.0

    @staticmethod
    def output_settled(mode: int) -> float:
        return float(mode)
