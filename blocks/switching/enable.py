"""Enable: makes the subsystem that contains it active only while a signal is true."""

from __future__ import annotations

from typing import ClassVar

from ..contract.parameter import option
from ..contract.port import Crossing, Port
from .condition import Condition


class Enable(Condition):
    """The subsystem is active while the signal at its input with this block's name is true, above 0.5.

        y = 1 while u > 0.5 and the surrounding subsystem is active, otherwise 0

    While it is inactive, its states are held, its sampled blocks miss their ticks (clocks keep running), none
    of its events happens, and its outputs are held at their last values. With `reset_outputs` they are the
    `initial` of their Outports instead, as before the first activation. When it becomes active again, its
    states continue; with `reset_states` all values that its blocks store are reset to the start of a run. A
    disabled subsystem costs nothing but the check. In the outermost diagram y is always 1.

    Source: the semantics follow Simulink's Enable block (The MathWorks, Simulink Reference, Enable), whose
    signals are true above 0.

    Example:
        {type: Enable, reset_states: true}
    """

    icon = "enable"
    inputs: ClassVar = (
        Port("u", 1, default=1.0),
        Port("outer", 1, doc="y of the Enable of the surrounding subsystem", default=1.0),
    )
    outputs: ClassVar = (Port("y", 1),)
    crossings: ClassVar = (Crossing("level"),)

    reset_states: bool = option(
        default=False, doc="restart the states when the subsystem becomes active again"
    )
    reset_outputs: bool = option(
        default=False, doc="outputs are their `initial` while the subsystem is inactive"
    )

    @staticmethod
    def crossing(u: float) -> float:
        return u - 0.5

    @staticmethod
    def mode(u: float, outer: float) -> int:
        return 1 if u > 0.5 and outer > 0.5 else 0

    @staticmethod
    def output(mode: int) -> float:
        return float(mode)
