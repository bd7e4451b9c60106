"""JKFlipFlop: a bit that a clock sets, resets or toggles."""

from __future__ import annotations

from typing import ClassVar

from ..contract.port import Port
from .clocked_bit import ClockedBit


class JKFlipFlop(ClockedBit):
    """A bit of memory that can toggle, element by element.

        at a rising edge of `clock`:  y <- 1 where j alone is true,  0 where k alone is,
            1 - y where both are,  y where neither is;  not_y = 1 - y

    With both inputs tied together it is a T flip-flop, which divides a clock by two.

    A signal is true if it is not below `threshold`. An edge is a located event; a clock that is true at the
    start is not an edge. Flip-flops with the same clock all read their inputs before any of them changes: a
    chain of them is a shift register. An input that changes at the instant of the edge for another reason has
    its new value. While `clear` is true, y is 0. No input feeds through to y.

    Example:
        {type: JKFlipFlop}
    """

    icon = "JK"
    inputs: ClassVar = (Port("j"), Port("k"), Port("clock"), Port("clear", default=0.0))

    @staticmethod
    def jump(j: float, k: float, clear: float, bit: float, crossed_edge: int, threshold: float) -> float:
        if clear >= threshold:
            return 0.0
        if crossed_edge == 0:
            return bit
        if j >= threshold:
            return 1.0 - bit if k >= threshold else 1.0
        return 0.0 if k >= threshold else bit
