"""While: makes the subsystem that it stands in work over and over at one instant, while a condition holds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from ..contract.block import Block
from ..contract.errors import ParameterError, Refusal
from ..contract.parameter import Real, option, parameter
from ..contract.port import Port, State

MOST = 1_000_000  # iterations at one instant: nothing can interrupt them


class While(Block):
    """The subsystem iterates at each t_k = offset + k sample_time, as long as u is true, above 0.5.

        do-while:  repeat  outputs; tick;  while u, at most `limit` times
        while:     repeat  outputs;  if not u: end;  tick;  at most `limit` times

    u comes from inside, or from an Inport. `outputs` are those of all blocks inside, in order; `tick` takes
    the sampled blocks inside on by one sample: they have no clock of their own, `sample_time: .inf`, and
    carry what one iteration leaves to the next one. `number` is how many ticks these have taken at this
    instant, 0 in the first iteration, and `first` is 1 in it, for a Switch that begins with an input. What
    the subsystem shows is what the last iteration has left, held until the next instant. Where that is the
    limit, u is still true: wired to an Outport, it tells so; with `at_limit: error` it is an error,
    BlockFailed.

    States inside go on from instant to instant, or with `reset_states` begin anew at each. Beside a Trigger,
    `sample_time: .inf`, the subsystem iterates whenever that makes it work; beside an Enable, while that is
    true. Blocks that cannot stand beside a Trigger, and those that switch, cannot stand in it.

    Source: Simulink's While Iterator block (The MathWorks, Simulink Reference), which is true above 0.

    Example:
        {type: While, sample_time: 0.1, limit: 50}
    """

    icon = "while"
    inputs: ClassVar = (Port("u", 1),)
    outputs: ClassVar = (Port("number", 1), Port("first", 1))
    states: ClassVar = (State("count", "none"),)
    sampled: ClassVar = True
    held_initial: ClassVar = "none"

    sample_time: Real = parameter(unit="s", doc="period; .inf beside a Trigger", above=0, dimensions=(0,))
    offset: Real = parameter(default=0.0, unit="s", doc="first instant", minimum=0, dimensions=(0,))
    test: Literal["after", "before"] = option(
        default="after", doc="where u is looked at: do-while, or while, which may take no tick at all"
    )
    limit: int = option(default=100, doc="ticks at one instant, at most")
    at_limit: Literal["end", "error"] = option(default="end", doc="what the limit means")
    reset_states: bool = option(default=False, doc="begin anew at each instant")

    def check(self) -> None:
        if not 1 <= self.limit <= MOST:
            raise ParameterError("While", "limit", self.limit, f"a whole number from 1 to {MOST}")

    def constants(self) -> Mapping[str, Any]:
        return {"none": 0.0, "most": float(self.limit) if self.at_limit == "error" else float(2 * MOST)}

    @staticmethod
    def output(count: float) -> tuple[float, float]:
        return count, 1.0 if count == 0.0 else 0.0

    @staticmethod
    def update(count: float, most: float) -> float:
        if count >= most:
            raise Refusal(
                "the condition still holds after as many iterations as `limit` allows\n"
                "expected: an iteration that ends, a higher limit, or `at_limit: end`"
            )
        return count + 1.0
