"""Backlash: a signal passed on through a play of given width."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ..contract.block import Block
from ..contract.parameter import Real, parameter
from ..contract.port import Crossing, Like, Port, State

SAME = 1e-12  # relative to two signals: a smaller jump, or a smaller overlap at contact, is rounding


class Backlash(Block):
    """The play between two parts, element by element.

        y = u - width/2  while u pushes upwards,  y = u + width/2  while it pushes downwards,
        y stays          while u is on its way from one side to the other

    The mode (1, -1, 0) changes at located instants: at contact, and when u turns, even by a jump. Whatever u
    does, |u - y| <= width/2. At the start y is `initial`, or the nearest value for which that holds. u feeds
    through to y directly. Source: Visintin, Differential Models of Hysteresis (1994), section III.2.

    Example:
        {type: Backlash, width: 0.02}
    """

    icon = "backlash"
    inputs: ClassVar = (Port("u"),)
    outputs: ClassVar = (Port("y", like=Like(("u",))),)
    states: ClassVar = (
        State("x", "initial", held=True, like="y"),
        State("side", "free", held=True),
        State("last", "initial", held=True, like="y", before="y"),
    )
    crossings: ClassVar = (Crossing("upper", +1), Crossing("lower", +1), Crossing("turn", +1, turns=True))
    elementwise: ClassVar = True

    width: Real = parameter(default=1.0, unit="[u]", doc="play between the two sides", minimum=0)
    initial: Real = parameter(default=0.0, unit="[u]", doc="y at the start")

    def constants(self) -> Mapping[str, float]:
        return {"free": 0.0}

    @staticmethod
    def crossing(mode: int, u: float, x: float, width: float) -> tuple[float, float, float]:
        if mode != 0:
            return -1.0, -1.0, -mode * u
        edge = 0.5 * width + SAME * (abs(u) + abs(x))
        return u - x - edge, x - u - edge, 0.0

    @staticmethod
    def mode(u: float, x: float, side: float, last: float, width: float, crossed_turn: int) -> int:
        y = last if side != 0.0 else x
        near = SAME * (abs(u) + abs(y))
        back = side * (y - u) + 0.5 * width  # how far u has backed off from contact
        if side != 0.0 and crossed_turn == 0 and back <= near:
            return 1 if side > 0.0 else -1
        edge = 0.5 * width + near  # after u has left an edge, it pushes again this far beyond it
        return 1 if u - y - edge > 0.0 else (-1 if y - u - edge > 0.0 else 0)  # rounded as `crossing` rounds

    @staticmethod
    def jump(mode: int, x: float, side: float, last: float) -> tuple[float, float, float]:
        return (last if mode == 0 and side != 0.0 else x), float(mode), last

    @staticmethod
    def output(mode: int, u: float, x: float, width: float) -> float:
        return x if mode == 0 else u - mode * 0.5 * width
