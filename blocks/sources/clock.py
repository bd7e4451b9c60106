"""Clock: the time."""

from __future__ import annotations

from ..block import Block


class Clock(Block):
    """The simulation's time, in s.

        y = t

    Example:
        {type: Clock}
    """

    @staticmethod
    def output(t: float) -> float:
        return t
