"""While: runs its subsystem repeatedly at one instant, while a condition holds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from ..contract.block import Block
from ..contract.errors import ParameterError, Refusal
from ..contract.parameter import Real, option, parameter
from ..contract.port import Port, State

MOST = 1_000_000  # maximum number of iterations at one instant: nothing can interrupt them


class While(Block):
    """The subsystem iterates at each t_k = offset + k sample_time, as long as u is true, above 0.5.

        do-while:  repeat  outputs; tick;  while u, at most `limit` times
        while:     repeat  outputs;  if not u: end;  tick;  at most `limit` times

    u comes from inside, or from an Inport. `outputs` computes the outputs of all blocks inside, in order;
    `tick` advances the sampled blocks inside by one sample: they have no clock of their own, `sample_time:
    .inf`, and carry values from one iteration to the next. `number` is the number of ticks that they have
    taken at this instant, 0 in the first iteration, and `first` is 1 in that iteration, for a Switch that
    selects an input at the start. The subsystem outputs the result of the last iteration, held until the next
    instant. If it stopped at the limit, u is still true: wire u to an Outport to see it; with `at_limit:
    error` it is an error, BlockFailed.

    States inside continue from instant to instant, or with `reset_states` restart at each. Together with a
    Trigger (`sample_time: .inf`), the subsystem iterates whenever the Trigger activates it; together with an
    Enable, while that is true. Blocks that are not allowed with a Trigger, and blocks that switch, are not
    allowed inside.

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

    sample_time: Real = parameter(unit="s", doc="period; .inf with a Trigger", above=0, dimensions=(0,))
    offset: Real = parameter(default=0.0, unit="s", doc="first instant", minimum=0, dimensions=(0,))
    test: Literal["after", "before"] = option(
        default="after",
        doc="test of u after the tick (do-while), or before it (while), which may take no ticks",
        choices=("after", "before"),
    )
    limit: int = option(default=100, doc="maximum number of ticks at one instant")
    at_limit: Literal["end", "error"] = option(
        default="end", doc="action at the limit", choices=("end", "error")
    )
    reset_states: bool = option(default=False, doc="restart the states at each instant")

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
