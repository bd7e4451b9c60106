"""Relay: a switch with hysteresis."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ..contract.block import Block
from ..contract.curves import with_memory
from ..contract.errors import ParameterError
from ..contract.icon import Icon
from ..contract.marks import first
from ..contract.parameter import Real, option, parameter
from ..contract.port import Crossing, Port


class Relay(Block):
    """Two values with memory, element by element.

        y = on from the instant when u >= switch_on,  off from the instant when u <= switch_off

    Between the two thresholds y keeps its value; a run that starts between them starts with `on` if
    `starts_on` is true. The mode is 1 (on) or -1 (off); it changes at the located instant when u passes the
    threshold. Two equal thresholds make a switch without memory, which chatters if its own action drives u
    back. u feeds through to y directly, through the mode. Raises ParameterError unless switch_off <=
    switch_on.
    Source: Tsypkin, Relay Control Systems (1984), chapter 1.

    Example:
        {type: Relay, switch_on: 0.5, switch_off: -0.5, on: 1.0, off: -1.0}
    """

    icon = "relay"
    inputs: ClassVar = (Port("u"),)
    crossings: ClassVar = (Crossing("on", +1), Crossing("off", -1))
    elementwise: ClassVar = True

    switch_on: Real = parameter(default=0.0, unit="[u]", doc="u that switches on")
    switch_off: Real = parameter(default=0.0, unit="[u]", doc="u that switches off, at most switch_on")
    on: Real = parameter(default=1.0, unit="[y]", doc="y while on")
    off: Real = parameter(default=0.0, unit="[y]", doc="y while off")
    starts_on: bool = option(default=False, doc="y = on if u starts between the thresholds")

    def symbol(self) -> Icon:
        return with_memory(*map(first, (self.switch_off, self.switch_on, self.off, self.on)))

    def check(self) -> None:
        if not np.all(np.less_equal(self.switch_off, self.switch_on)):  # type: ignore[arg-type]
            expected = f"at most switch_on, {self.switch_on}"
            raise ParameterError("Relay", "switch_off", self.switch_off, expected)

    def constants(self) -> dict[str, float]:
        return {"first": 1.0 if self.starts_on else -1.0}

    @staticmethod
    def crossing(u: float, switch_on: float, switch_off: float) -> tuple[float, float]:
        return u - switch_on, u - switch_off

    @staticmethod
    def mode(mode: int, u: float, switch_on: float, switch_off: float, first: float) -> int:
        # With equal thresholds both conditions hold at u = threshold: the relay then keeps its state.
        if u >= switch_on and (u > switch_off or mode > 0):
            return 1
        if u <= switch_off:
            return -1
        return mode if mode != 0 else (1 if first > 0.0 else -1)  # mode 0: the first evaluation

    @staticmethod
    def output(mode: int, on: float, off: float) -> float:
        return on if mode > 0 else off
