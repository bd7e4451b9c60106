"""ClockedBit: common part of flip-flops with a clock: a bit, which `clear` holds at 0."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

import numpy as np

from ..contract.block import Block
from ..contract.capabilities import Doubt, high_at_start
from ..contract.parameter import Array, Real, parameter
from ..contract.port import Crossing, Port, State


class ClockedBit(Block):
    """A bit of memory that changes at the rising edges of `clock`, by its `jump`.

    The inputs end with `clock` and `clear`.
    """

    abstract: ClassVar = True
    outputs: ClassVar = (Port("y"), Port("not_y"))
    states: ClassVar = (State("bit", "initial", held=True),)
    crossings: ClassVar = (Crossing("edge", +1, passage=True), Crossing("cleared", +1))
    elementwise: ClassVar = True

    initial: Real = parameter(default=0.0, unit="1", doc="y at the start, 0 or 1")
    threshold: Real = parameter(default=0.5, unit="1", doc="lowest value that counts as true")

    def constants(self) -> Mapping[str, Array]:
        # a signal at the threshold is true, so it is beyond the level of an edge
        return {"level": np.nextafter(self.threshold, -np.inf)}  # type: ignore[arg-type]

    def doubts(self) -> Iterator[Doubt]:
        yield high_at_start("clock", self.constants()["level"])

    @staticmethod
    def crossing(clock: float, clear: float, level: float) -> tuple[float, float]:
        return clock - level, clear - level

    @staticmethod
    def output_y(bit: float) -> float:
        return bit

    @staticmethod
    def output_not_y(bit: float) -> float:
        return 1.0 - bit
