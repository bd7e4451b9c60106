"""Trigger: runs the subsystem that contains it once at each edge or call of a signal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Literal

from ..contract.capabilities import Doubt, high_at_start
from ..contract.parameter import option
from ..contract.port import Crossing, Port, State
from .condition import Condition

CALL = "call"
LEVEL = 0.5  # of an edge


class Trigger(Condition):
    """The subsystem runs once at each edge of, or call by, the signal at its input with this block's name.

        y = number of times that it has run

    At an edge u passes 0.5, rising, falling or either; a u that is true at the start is not an edge.
    With `edge: call` u is a count, such as from FunctionCall, and each change of it is a call. At that
    instant, once all signals have settled, the blocks of the subsystem read their inputs, compute their
    outputs and, if sampled, take one tick: these have no clock of their own, `sample_time: .inf`. Between
    these instants everything is held; before the first one, outputs are the `initial` of their Outports.
    Together with an Enable block, the subsystem runs only while that is true, and other edges and calls are
    ignored. Blocks with continuous states, or with events of their own, are not allowed inside.

    Source: the semantics follow Simulink's Trigger block (The MathWorks, Simulink Reference, Trigger), whose
    edges are passages through 0.

    Example:
        {type: Trigger, edge: falling}
    """

    inputs: ClassVar = (Port("u", 1, default=0.0),)
    outputs: ClassVar = (Port("y", 1),)
    states: ClassVar = (State("count", "none", held=True),)

    edge: Literal["rising", "falling", "either", "call"] = option(
        default="rising",
        doc="edge or call that triggers the subsystem",
        choices=("rising", "falling", "either", "call"),
    )

    def symbol(self) -> str:
        return "f()" if self.edge == "call" else self.edge

    def constants(self) -> Mapping[str, Any]:
        return {"none": 0.0}

    def zero_crossings(self) -> tuple[Crossing, ...]:
        ways = {"rising": 1, "falling": -1, "either": 0}
        return () if self.edge == CALL else (Crossing("edge", ways[self.edge], passage=True),)

    def doubts(self) -> Iterator[Doubt]:
        if self.edge == "rising":
            yield high_at_start("u", LEVEL)

    def functions(self) -> Mapping[str, Any]:
        if self.edge == CALL:
            return {"output": _output, "jump": _count_call}
        return {"output": _output, "crossing": _level, "jump": _count_edge}


def _output(count: float) -> float:
    return count


def _level(u: float) -> float:
    return u - LEVEL


def _count_edge(count: float, crossed_edge: int) -> float:
    return count + 1.0 if crossed_edge == 1 else count


def _count_call(u: float) -> float:
    return u
