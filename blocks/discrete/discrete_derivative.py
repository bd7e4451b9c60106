"""DiscreteDerivative: the backward difference of a sampled signal."""

from __future__ import annotations

from typing import ClassVar

from ..contract.block import Block
from ..contract.icon import Icon
from ..contract.marks import factor
from ..contract.parameter import Real, parameter
from ..contract.port import Like, Port, State


class DiscreteDerivative(Block):
    """Change from sample to sample over the sample time, element by element.

        y_k = (u_k - u_{k-1}) / sample_time,  u_{-1} = initial

    Before the first tick y is 0. u feeds through to y directly. It amplifies noise by 1/sample_time;
    DiscretePID and Derivative have a filter. The unit of y is the unit of u per s.

    Example:
        {type: DiscreteDerivative, sample_time: 0.01}
    """

    inputs: ClassVar = (Port("u"),)
    outputs: ClassVar = (Port("y", like=Like(("u",), seconds=-1)),)
    states: ClassVar = (State("last", "initial", like="u"),)
    elementwise: ClassVar = True
    sampled: ClassVar = True

    sample_time: Real = parameter(unit="s", doc="period", above=0, dimensions=(0,))
    offset: Real = parameter(default=0.0, unit="s", doc="first tick", minimum=0, dimensions=(0,))
    initial: Real = parameter(default=0.0, unit="[u]", doc="u before the first tick")

    def symbol(self) -> Icon:
        return Icon(fraction=("z - 1", f"{factor(self.sample_time, 'T')}z"))

    @staticmethod
    def output(u: float, last: float, sample_time: float) -> float:
        return (u - last) / sample_time

    @staticmethod
    def update(u: float) -> float:
        return u
