"""Counter: counts edges up and down."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from ..contract.block import Block
from ..contract.capabilities import Doubt, high_at_start
from ..contract.errors import ParameterError
from ..contract.parameter import Real, option, parameter
from ..contract.port import Crossing, Port, State


class Counter(Block):
    """Number of rising edges, element by element.

        y = initial + edges of `up` - edges of `down`  since the start, or since `reset` was true

    A signal has an edge when it rises through `threshold`; each edge is a located event. With `modulus` m the
    count cycles from 0 to m - 1. While `reset` is true y is `initial`. No input feeds through to y.
    HitCrossing counts passages of any level in either direction.

    Example:
        {type: Counter, modulus: 10}
    """

    icon = "counter"
    inputs: ClassVar = (Port("up"), Port("down", default=0.0), Port("reset", default=0.0))
    states: ClassVar = (State("count", "initial", held=True),)
    crossings: ClassVar = (
        Crossing("up_edge", +1, passage=True), Crossing("down_edge", +1, passage=True),
        Crossing("reset_edge", +1),
    )  # fmt: skip
    elementwise: ClassVar = True

    initial: Real = parameter(default=0.0, unit="1", doc="count at the start and after a reset")
    threshold: Real = parameter(default=0.5, unit="1", doc="level of an edge")
    modulus: int | None = option(default=None, doc="counts from 0 to modulus - 1; default: without limit")

    def check(self) -> None:
        if self.modulus is not None and not 1 <= self.modulus <= 2**53:
            raise ParameterError("Counter", "modulus", self.modulus, "a whole number from 1 to 2^53")

    def constants(self) -> Mapping[str, float]:
        return {"turn": float(self.modulus or 0)}

    def doubts(self) -> Iterator[Doubt]:
        threshold = self.numbers()["threshold"]
        yield from (high_at_start(port, threshold) for port in ("up", "down"))

    @staticmethod
    def output(count: float) -> float:
        return count

    @staticmethod
    def crossing(up: float, down: float, reset: float, threshold: float) -> tuple[float, float, float]:
        return up - threshold, down - threshold, reset - threshold

    @staticmethod
    def jump(
        count: float, reset: float, crossed_up_edge: int, crossed_down_edge: int, initial: float,
        threshold: float, turn: float,
    ) -> float:  # fmt: skip
        if reset >= threshold:
            return initial
        count += float(crossed_up_edge - crossed_down_edge)
        return count % turn if turn > 0.0 else count
