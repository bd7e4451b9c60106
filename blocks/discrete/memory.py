"""Memory: the first value of a signal, or its value before the last change."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import inf
from typing import Any, ClassVar

from ..contract.block import Block
from ..contract.parameter import Real, option, parameter
from ..contract.port import Like, Port, State


class Memory(Block):
    """An earlier value of a signal, element by element.

        first      y = u at the start of the run
        previous   y = u before its last jump; `initial` until it has jumped

    A signal that is sampled, counted or switched changes by jumps, and `previous` is its value before the
    present one, for any clock; UnitDelay gives the previous sample even if it has not changed. With
    `previous` u does not feed through to y directly.

    Example:
        {type: Memory, value: previous, initial: 0.0}
    """

    inputs: ClassVar = (Port("u"),)
    outputs: ClassVar = (Port("y", like=Like(("u",))),)
    states: ClassVar = (
        State("x", "initial", held=True, like="y"),
        State("last", "initial", held=True, like="y", before="u"),
        State("begun", "never", "s", held=True),
    )
    elementwise: ClassVar = True

    value: str = option(default="previous", doc="value that y has", choices=("previous", "first"))
    initial: Real = parameter(default=0.0, unit="[u]", doc="y until u has jumped")

    def constants(self) -> Mapping[str, float]:
        return {"never": -inf}

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        return {"output": output, "jump": hold_first if self.value == "first" else previous}


def output(x: float) -> float:
    return x


def hold_first(t: float, u: float, x: float, last: float, begun: float) -> tuple[float, float, float]:
    if begun == -inf or begun == t:  # at the start, until u has settled
        return u, last, t
    return x, last, begun


def previous(t: float, u: float, x: float, last: float, begun: float) -> tuple[float, float, float]:
    if begun == -inf or begun == t:
        return x, last, t
    return (last if u != last else x), last, begun
