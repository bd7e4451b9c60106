"""EdgeDetector: a sampled signal that becomes true, or false."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ..contract.block import Block
from ..contract.parameter import Real, option, parameter
from ..contract.port import Port, State


class EdgeDetector(Block):
    """1 for the single sample in which a logical signal changes, otherwise 0, element by element.

        y_k = 1 where u_k is true and u_{k-1} was not (rising), the other way (falling), or either

    A signal is true if it is not below `threshold`. For events between samples, HitCrossing counts passages
    at their instants, and DelayTimer turns them into pulses. Before the first tick y is 0. u feeds through to
    y directly, at ticks.

    Example:
        {type: EdgeDetector, direction: rising, sample_time: 0.01}
    """

    inputs: ClassVar = (Port("u"),)
    states: ClassVar = (State("before", "initial"),)
    elementwise: ClassVar = True
    sampled: ClassVar = True

    direction: str = option(
        default="rising", doc="direction of the detected changes", choices=("rising", "falling", "either")
    )
    sample_time: Real = parameter(default=0.1, unit="s", doc="period", above=0, dimensions=(0,))
    offset: Real = parameter(default=0.0, unit="s", doc="first tick", minimum=0, dimensions=(0,))
    threshold: Real = parameter(default=0.5, unit="1", doc="lowest value that counts as true")
    initial: Real = parameter(default=0.0, unit="[u]", doc="u before the first tick")

    def symbol(self) -> str:
        return self.direction

    def constants(self) -> Mapping[str, float]:
        up, down = {"rising": (1.0, 0.0), "falling": (0.0, 1.0), "either": (1.0, 1.0)}[self.direction]
        return {"up": up, "down": down}

    @staticmethod
    def output(u: float, before: float, threshold: float, up: float, down: float) -> float:
        if u >= threshold:
            return up if before < threshold else 0.0
        return down if before >= threshold else 0.0

    @staticmethod
    def update(u: float) -> float:
        return u
