"""VariableTransportDelay: a signal as it was some time ago, which is a signal too."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar

from ...solvers.steps.step import NEARLY
from ..contract.errors import ParameterError
from ..contract.formula_function import ElementFunction, FormulaLike, by_element
from ..contract.parameter import Array, Real, option, parameter
from ..contract.port import Crossing, Port
from .delayed import HISTORY, Delayed
from .history import BEGIN, FULL, MOVED, TOO_LONG, beyond_break, delayed, keep, passed_by


class VariableTransportDelay(Delayed):
    """Delay by a variable time, which may depend on states; u element by element.

        y(t) = u(t - delay(t)),  minimum <= delay <= maximum,  y = initial for t - delay < start

    Like TransportDelay. A jump of u, or of one of its first eight derivatives, arrives when t - delay(t)
    reaches its time, forwards or back, and that zero crossing is located. No step is longer than `minimum`. u
    has no direct feedthrough to y; the delay has. At rest it is a constant delay in linear models.

    Raises ParameterError if `minimum` is not above 0 or `maximum` is below it; a run ends with BlockFailed if
    the delay leaves these limits.

    Source: Bellen, Zennaro, Numerical Methods for Delay Differential Equations (2003), section 4.1.

    Example:
        {type: VariableTransportDelay, minimum: 0.1, maximum: 2.0}
    """

    icon = "delayed"
    inputs: ClassVar = (*Delayed.inputs, Port("delay", 1, "s"))
    crossings: ClassVar = (Crossing("arrives", 1),)

    minimum: Real = parameter(unit="s", doc="shortest delay", above=0, dimensions=(0,))
    maximum: Real = parameter(unit="s", doc="longest delay", above=0, dimensions=(0,))
    initial: Real = parameter(default=0.0, doc="u before the start")
    buffer: Real = parameter(default=1024.0, doc="steps that fit into the delay", minimum=8, dimensions=(0,))
    history: FormulaLike | Sequence[FormulaLike] | None = option(default=None, doc=HISTORY)

    def check(self) -> None:
        super().check()
        numbers = self.numbers()
        if numbers["maximum"] < numbers["minimum"]:
            raise ParameterError(self.kind(), "maximum", self.maximum, "at least `minimum`")

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        given, past = super().functions(), self.past()
        return given if past is None else {**given, "output": with_history(by_element(past))}

    def longest_step(self) -> float:
        return NEARLY * float(self.minimum)  # type: ignore[arg-type]  # the last step may be longer

    @staticmethod
    def output(
        t: float, delay: float, minimum: float, maximum: float, pieces: Array, mark: Array, passed: float,
        before: Array, y: Array,
    ) -> None:  # fmt: skip
        delayed(pieces, mark, passed, before, t - min(max(delay, minimum), maximum), y)

    @staticmethod
    def crossing(
        t: float, delay: float, minimum: float, maximum: float, breaks: Array, mark: Array, passed: float
    ) -> float:
        then = t - min(max(delay, minimum), maximum)
        return beyond_break(then, t, breaks, mark, passed)

    @staticmethod
    def jump(
        t: float, delay: float, minimum: float, maximum: float, breaks: Array, mark: Array, passed: float,
        crossed_arrives: int,
    ) -> float:  # fmt: skip
        if crossed_arrives == 0:
            return passed
        then = t - min(max(delay, minimum), maximum)
        return passed_by(then, t, breaks, mark, passed)

    @staticmethod
    def remember(
        t: float, u: Array, delay: float, minimum: float, maximum: float, pieces: Array, breaks: Array,
        levels: Array, mark: Array, passed: float,
    ) -> None:  # fmt: skip
        if not 0.999999 * minimum <= delay <= 1.000001 * maximum:
            raise ValueError(
                "the delay is not from `minimum` to `maximum`\nwiden these, or put a Saturation before it"
            )
        outcome = keep(
            t, u, u.shape[0], delay, minimum, maximum, BEGIN, pieces, breaks, levels, mark, passed
        )  # fmt: skip
        if outcome == FULL:
            raise ValueError("more steps or jumps within the delay than there is room for\nraise `buffer`")
        if outcome == TOO_LONG:
            raise ValueError("a step is longer than `minimum`\nmake `step` shorter")


@lru_cache(maxsize=256)
def with_history(past: ElementFunction) -> Callable[..., Any]:
    """The output, where a function says what u was before the start."""

    def output(
        t: float, delay: float, minimum: float, maximum: float, pieces: Array, mark: Array, passed: float,
        before: Array, y: Array,
    ) -> None:  # fmt: skip
        time = t - min(max(delay, minimum), maximum)
        if not delayed(pieces, mark, passed, before, time, y):
            for i in range(y.shape[0]):
                y[i] = past(i, time - mark[MOVED])

    return output
