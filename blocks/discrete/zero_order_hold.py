"""ZeroOrderHold: a signal sampled and held."""

from __future__ import annotations

from typing import ClassVar

from ..contract.block import Block
from ..contract.parameter import Real, parameter
from ..contract.port import Like, Port


class ZeroOrderHold(Block):
    """Sample and hold.

        y(t) = u(t_k)  for t_k <= t < t_{k+1},  t_k = offset + k sample_time

    Before the first tick y is `initial`. A tick at the start of the run samples the initial u. u feeds
    through to y directly, at ticks. A bus keeps its fields.

    Example:
        {type: ZeroOrderHold, sample_time: 0.1}
    """

    icon = "hold"
    inputs: ClassVar = (Port("u", buses=True),)
    outputs: ClassVar = (Port("y", like=Like(("u",))),)
    elementwise: ClassVar = True
    sampled: ClassVar = True
    held_initial: ClassVar = "initial"
    passes: ClassVar = ("u",)

    sample_time: Real = parameter(unit="s", doc="period", above=0, dimensions=(0,))
    offset: Real = parameter(default=0.0, unit="s", doc="first tick", minimum=0, dimensions=(0,))
    initial: Real = parameter(default=0.0, unit="[u]", doc="value before the first tick")

    @staticmethod
    def output(u: float) -> float:
        return u
