"""FunctionCall: calls triggered subsystems at the ticks of a clock."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from ..contract.block import Block
from ..contract.parameter import Real, parameter
from ..contract.port import Port, State


class FunctionCall(Block):
    """Calls of subsystems whose Trigger has `edge: call`, at the ticks of a clock.

        y = the number of calls so far, one at each t_k = offset + k sample_time

    Subsystems called by one block run in the order of their signals, then of their paths.

    Source: Simulink's Function-Call Generator (The MathWorks, Simulink Reference).

    Example:
        {type: FunctionCall, sample_time: 0.1}
    """

    icon = "f()"
    outputs: ClassVar = (Port("y", 1),)
    states: ClassVar = (State("count", "first"),)
    sampled: ClassVar = True
    held_initial: ClassVar = "none"

    sample_time: Real = parameter(unit="s", doc="period", above=0, dimensions=(0,))
    offset: Real = parameter(default=0.0, unit="s", doc="first call", minimum=0, dimensions=(0,))

    def constants(self) -> Mapping[str, Any]:
        return {"first": 1.0, "none": 0.0}

    @staticmethod
    def output(count: float) -> float:
        return count

    @staticmethod
    def update(count: float) -> float:
        return count + 1.0
