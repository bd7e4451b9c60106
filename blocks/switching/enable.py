"""Enable: makes the subsystem that it stands in work only while a signal is true."""

from __future__ import annotations

from typing import ClassVar

from ..contract.parameter import option
from ..contract.port import Crossing, Port
from .condition import Condition


class Enable(Condition):
    """The subsystem works while the signal on its input of this block's name is true, above 0.5.

        y = 1 while u > 0.5 and the subsystem around works, otherwise 0

    While it does not, its states stand still, its sampled blocks miss their ticks, which stay at k T of the
    run, none of its events happens, and its outputs are held as they were just before; `reset_outputs` makes
    them the `initial` of their Outports instead, which they are also before it has worked at all. When it
    begins again its states go on; with `reset_states` all that its blocks keep is as at the start of a run.
    Its work is skipped while it does not work. In the outermost diagram the block is true.

    Source: the semantics are those of Simulink's Enable block (The MathWorks, Simulink Reference, Enable),
    whose signals are true above 0.

    Example:
        {type: Enable, reset_states: true}
    """

    icon = "enable"
    inputs: ClassVar = (
        Port("u", 1, default=1.0),
        Port("outer", 1, doc="y of the Enable of the subsystem around", default=1.0),
    )
    outputs: ClassVar = (Port("y", 1),)
    crossings: ClassVar = (Crossing("level"),)

    reset_states: bool = option(default=False, doc="begin anew, not go on, when it begins to work")
    reset_outputs: bool = option(default=False, doc="outputs are their `initial` while it does not work")

    @staticmethod
    def crossing(u: float) -> float:
        return u - 0.5

    @staticmethod
    def mode(u: float, outer: float) -> int:
        return 1 if u > 0.5 and outer > 0.5 else 0

    @staticmethod
    def output(mode: int) -> float:
        return float(mode)
