"""UnitDelay: a sampled signal, one sample later."""

from __future__ import annotations

from typing import ClassVar

from ..contract.block import Block
from ..contract.parameter import Real, parameter
from ..contract.port import Like, Port, State


class UnitDelay(Block):
    """Delay by one sample, element by element.

        y(t_k) = u(t_{k-1}),  y(t_0) = initial,  t_k = offset + k sample_time

    y is held between ticks. u does not feed through to y directly. A bus keeps its fields.

    Example:
        {type: UnitDelay, sample_time: 0.1}
    """

    icon = "unit delay"
    inputs: ClassVar = (Port("u", buses=True),)
    outputs: ClassVar = (Port("y", like=Like(("u",))),)
    states: ClassVar = (State("x", "initial", like="y"),)
    elementwise: ClassVar = True
    sampled: ClassVar = True
    held_initial: ClassVar = "initial"
    passes: ClassVar = ("u",)

    sample_time: Real = parameter(unit="s", doc="period", above=0, dimensions=(0,))
    offset: Real = parameter(default=0.0, unit="s", doc="first tick", minimum=0, dimensions=(0,))
    initial: Real = parameter(default=0.0, unit="[u]", doc="y until the second tick")

    @staticmethod
    def output(x: float) -> float:
        return x

    @staticmethod
    def update(u: float) -> float:
        return u
