"""HitCrossing: counts how often a signal passes a level."""

from __future__ import annotations

from typing import ClassVar

from ..contract.block import Block
from ..contract.parameter import Real, option, parameter
from ..contract.port import Crossing, Port, State


class HitCrossing(Block):
    """Number of passages through a level so far, element by element.

        y = number of sign changes of u - level in the given direction

    Zero has neither sign: the last sign before it and the next sign after it decide. A start, a touch and a
    rest at the level are therefore not passages; a u that reaches the level and leaves it on the other side
    passes when it leaves. A jump across the level counts at its instant. Every passage is an event of the
    run, located in time, whose `direction` is "rising" or "falling". y starts at `initial`.

    Example:
        {type: HitCrossing, level: 1.0, direction: rising}
    """

    icon = "hit"
    inputs: ClassVar = (Port("u"),)
    states: ClassVar = (State("count", "initial", held=True),)
    elementwise: ClassVar = True

    level: Real = parameter(default=0.0, unit="[u]", doc="the level")
    direction: str = option(
        default="either", doc="direction of the counted passages", choices=("rising", "falling", "either")
    )
    initial: Real = parameter(default=0.0, unit="1", doc="count at the start")

    def zero_crossings(self) -> tuple[Crossing, ...]:
        way = {"rising": 1, "falling": -1, "either": 0}[self.direction]
        return (Crossing("hit", way, passage=True),)

    @staticmethod
    def output(count: float) -> float:
        return count

    @staticmethod
    def crossing(u: float, level: float) -> float:
        return u - level

    @staticmethod
    def jump(count: float, crossed_hit: int) -> float:
        return count + 1.0 if crossed_hit == 1 else count
