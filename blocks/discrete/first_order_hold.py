"""FirstOrderHold: samples extrapolated by straight lines."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import Any, ClassVar

from ...solvers.events.timer import Timer
from ..contract.block import Block
from ..contract.parameter import Real, parameter
from ..contract.port import Like, Port, State

SAME = 1e-9  # relative to the sample time: closer instants are equal


class FirstOrderHold(Block):
    """Samples extrapolated by the straight line through the last two, element by element.

        y(t) = u_k + (u_k - u_{k-1}) (t - t_k) / sample_time  for t_k <= t < t_{k+1}
        t_k = offset + k sample_time

    It needs no future samples; y jumps at ticks unless u is a straight line. From the first tick to the
    second the line is level; before the first tick y is `initial`. u affects y only at ticks, just after
    them.
    Source: Franklin, Powell, Workman, Digital Control of Dynamic Systems (1998), section 5.3.

    Example:
        {type: FirstOrderHold, sample_time: 0.1}
    """

    icon = "slopes"
    inputs: ClassVar = (Port("u"),)
    outputs: ClassVar = (Port("y", like=Like(("u",))),)
    states: ClassVar = (
        State("value", "initial", held=True, like="y"),
        State("last", "initial", held=True, like="y"),
        State("tick", "never", "s", held=True),
    )
    elementwise: ClassVar = True

    sample_time: Real = parameter(unit="s", doc="period", above=0, dimensions=(0,))
    offset: Real = parameter(default=0.0, unit="s", doc="first tick", minimum=0, dimensions=(0,))
    initial: Real = parameter(default=0.0, unit="[u]", doc="y before the first tick")

    def constants(self) -> Mapping[str, float]:
        return {"never": -inf}

    def timers(self) -> Timer:
        period: Any = self.sample_time
        offset: Any = self.offset
        return Timer(period=period, offset=offset)

    @staticmethod
    def jump(
        mode: int, t: float, u: float, value: float, last: float, tick: float,
        sample_time: float, offset: float,
    ) -> tuple[float, float, float]:  # fmt: skip
        due = offset + (mode - 1) * sample_time
        if abs(t - due) > SAME * sample_time or mode == 0:
            return value, last, tick
        if tick == t:  # u has changed again at this instant
            return u, (u if last == value else last), tick
        return u, (value if tick > -inf else u), t

    @staticmethod
    def output(t: float, value: float, last: float, tick: float, sample_time: float) -> float:
        return value + (value - last) * (t - tick) / sample_time if tick > -inf else value
