"""SRFlipFlop: a bit that is set and reset."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ..contract.block import Block
from ..contract.parameter import Real, option, parameter
from ..contract.port import Crossing, Port

BOTH = {"reset": -1.0, "set": 1.0, "hold": 0.0}


class SRFlipFlop(Block):
    """A latch, element by element.

        y = 1 from the instant when `set` is true,  0 from the instant when `reset` is;  not_y = 1 - y

    A signal is true if it is not below `threshold`. While both are true, `both` decides; while neither is, y
    keeps its value. Changes are located events. Both inputs feed through to y directly, through the mode.

    Example:
        {type: SRFlipFlop, both: reset}
    """

    icon = "SR"
    inputs: ClassVar = (Port("set"), Port("reset"))
    outputs: ClassVar = (Port("y"), Port("not_y"))
    crossings: ClassVar = (Crossing("set_edge"), Crossing("reset_edge"))
    elementwise: ClassVar = True

    both: str = option(default="reset", doc="the input that wins if both are true", choices=tuple(BOTH))
    initial: bool = option(default=False, doc="whether y is 1 at the start")
    threshold: Real = parameter(default=0.5, unit="1", doc="lowest value that counts as true")

    def constants(self) -> Mapping[str, float]:
        return {"wins": BOTH[self.both], "first": 1.0 if self.initial else -1.0}

    @staticmethod
    def crossing(set: float, reset: float, threshold: float) -> tuple[float, float]:
        return set - threshold, reset - threshold

    @staticmethod
    def mode(mode: int, set: float, reset: float, threshold: float, wins: float, first: float) -> int:
        before = mode if mode != 0 else int(first)  # 0: the first evaluation
        if set >= threshold and reset >= threshold:
            return before if wins == 0.0 else int(wins)
        if set >= threshold:
            return 1
        return -1 if reset >= threshold else before

    @staticmethod
    def output_y(mode: int) -> float:
        return 1.0 if mode > 0 else 0.0

    @staticmethod
    def output_not_y(mode: int) -> float:
        return 0.0 if mode > 0 else 1.0
