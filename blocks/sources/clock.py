"""Clock: the time."""

from __future__ import annotations

from typing import ClassVar

from ..contract.block import Block
from ..contract.port import Port


class Clock(Block):
    """The time of the run, s.

        y = t

    Example:
        {type: Clock}
    """

    icon = "clock"
    outputs: ClassVar = (Port("y", 1, "s"),)

    @staticmethod
    def output(t: float) -> float:
        return t
