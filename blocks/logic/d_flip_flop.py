"""DFlipFlop: a bit that is sampled at the edge of a clock."""

from __future__ import annotations

from typing import ClassVar

from ..contract.port import Port
from .clocked_bit import ClockedBit


class DFlipFlop(ClockedBit):
    """A bit of memory, element by element.

        y = 1 if d was true at the last rising edge of `clock`, otherwise 0;  not_y = 1 - y

    A signal is true if it is not below `threshold`. An edge is a located event; a clock that is true at the
    start is not an edge. Flip-flops with the same clock all read their inputs before any of them changes: a
    chain of them is a shift register. An input that changes at the instant of the edge for another reason has
    its new value. While `clear` is true, y is 0. No input feeds through to y.

    Example:
        {type: DFlipFlop}
    """

    icon = "D"
    inputs: ClassVar = (Port("d"), Port("clock"), Port("clear", default=0.0))

    @staticmethod
    def jump(d: float, clear: float, bit: float, crossed_edge: int, threshold: float) -> float:
        if clear >= threshold:
            return 0.0
        if crossed_edge == 0:
            return bit
        return 1.0 if d >= threshold else 0.0
