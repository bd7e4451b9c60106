"""VariableTransportDelay: a signal delayed by a variable time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from ...solvers.layout import PROBE, PROBE_END
from ...solvers.steps.control import NEARLY
from ..contract.errors import ParameterError
from ..contract.formula_function import ElementFunction, FormulaLike, by_element
from ..contract.parameter import Array, Real, option, parameter
from ..contract.port import Crossing, Port, Size, State
from .delayed import HISTORY, DelayBlock
from .history import (
    BEGIN,
    BREAKS,
    FULL,
    LAST,
    LEVEL,
    MOVED,
    PIECES,
    TOO_LONG,
    UNSET,
    beyond_break,
    delayed_value,
    keep,
    passed_by,
    within_step,
)

NEGATIVE = 1e-9  # relative to the longest delay: less is rounding, not a delay below 0


class VariableTransportDelay(DelayBlock):
    """Delay by a variable time, which may depend on states; u element by element.

        y(t) = u(t - delay(t)),  minimum <= delay <= maximum,  y = initial for t - delay < start

    Like TransportDelay. A jump of u, or of one of its first eight derivatives, arrives when t - delay(t)
    reaches its time, forwards or back, and that zero crossing is located. No step is longer than `minimum`. u
    does not feed through to y directly; the delay does. Linear models contain a constant delay, with the
    value at the operating point.

    With a `minimum` of 0 the delay may vanish: y is then u, so u has direct feedthrough. Steps are
    longer than the delay; within a step y is a polynomial through u at the step's end, accurate to `rtol`.

    Raises ParameterError if `minimum` is below 0, `maximum` is below it, or `history` does not return a
    number; a run ends with BlockFailed if the delay leaves these limits.

    Source: Bellen, Zennaro, Numerical Methods for Delay Differential Equations (2003), section 4.1.

    Example:
        {type: VariableTransportDelay, minimum: 0.1, maximum: 2.0}
    """

    icon = "delayed"
    inputs: ClassVar = (*DelayBlock.inputs, Port("delay", 1, "s"))
    states: ClassVar = (*DelayBlock.states, State("end", "empty", held=True, remembered=True))
    crossings: ClassVar = (Crossing("arrives", 1),)

    minimum: Real = parameter(unit="s", doc="shortest delay", minimum=0, dimensions=(0,))
    maximum: Real = parameter(unit="s", doc="longest delay", above=0, dimensions=(0,))
    initial: Real = parameter(default=0.0, unit="[u]", doc="u before the start")
    buffer: Real = parameter(
        default=1024.0, unit="1", doc="steps that fit into the delay", minimum=8, dimensions=(0,)
    )
    history: FormulaLike | Sequence[FormulaLike] | None = option(default=None, doc=HISTORY)

    def check(self) -> None:
        super().check()
        numbers = self.numbers()
        if numbers["maximum"] < numbers["minimum"]:
            raise ParameterError(self.kind(), "maximum", self.maximum, "at least `minimum`")

    def state_shapes(self, inputs: Mapping[str, Size]) -> Mapping[str, tuple[int, ...]]:
        return {**super().state_shapes(inputs), "end": (inputs["u"].count + 3,)}

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        functions, past = super().functions(), self.past()
        if self.minimum == 0.0:
            functions = {**functions, "output": short_output(None if past is None else by_element(past))}
            return {**functions, "remember": remember_short}
        return functions if past is None else {**functions, "output": with_history(by_element(past))}

    def longest_step(self) -> float:
        shortest: float = self.minimum  # type: ignore[assignment]
        return NEARLY * shortest if shortest > 0.0 else np.inf  # the last step may be longer

    @staticmethod
    def output(
        t: float, delay: float, minimum: float, maximum: float, pieces: Array, mark: Array, passed: float,
        before: Array, y: Array,
    ) -> None:  # fmt: skip
        delayed_value(pieces, mark, passed, before, t - min(max(delay, minimum), maximum), y)

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
                "the delay is outside `minimum` ... `maximum`\nwiden these limits, or put a Saturation"
                " before the delay"
            )
        outcome = keep(
            t, u, u.shape[0], delay, minimum, maximum, BEGIN, pieces, breaks, levels, mark, passed
        )  # fmt: skip
        if outcome == FULL:
            raise ValueError("more steps or jumps within the delay than `buffer` holds\nraise `buffer`")
        if outcome == TOO_LONG:
            raise ValueError("a step is longer than `minimum`\nmake `step` shorter")


@lru_cache(maxsize=256)
def with_history(past: ElementFunction) -> Callable[..., Any]:
    """The output, if a function gives u before the start."""

    def output(
        t: float, delay: float, minimum: float, maximum: float, pieces: Array, mark: Array, passed: float,
        before: Array, y: Array,
    ) -> None:  # fmt: skip
        time = t - min(max(delay, minimum), maximum)
        if not delayed_value(pieces, mark, passed, before, time, y):
            for i in range(y.shape[0]):
                y[i] = past(i, time - mark[MOVED])

    return output


@lru_cache(maxsize=256)
def short_output(past: ElementFunction | None) -> Callable[..., Any]:
    """The output of a delay that may be shorter than a step, and 0."""
    function: ElementFunction = past or unset

    def output(
        t: float, u: Array, delay: float, minimum: float, maximum: float, pieces: Array, mark: Array,
        passed: float, before: Array, y: Array,
    ) -> None:  # fmt: skip
        time = t - min(max(delay, minimum), maximum)
        if time >= t:
            for i in range(y.shape[0]):
                y[i] = u[i]
        elif time > mark[LAST] and mark[PIECES] > 0.0 and passed == mark[BREAKS]:
            for i in range(y.shape[0]):
                y[i] = within_step(t, u, pieces, mark, time, i)
        elif not delayed_value(pieces, mark, passed, before, time, y):
            for i in range(y.shape[0]):
                y[i] = function(i, time - mark[MOVED])

    return output


def unset(i: int, x: float) -> float:
    return UNSET


def remember_short(
    t: float, u: Array, delay: float, minimum: float, maximum: float, pieces: Array, breaks: Array,
    levels: Array, mark: Array, passed: float, end: Array,
) -> None:  # fmt: skip
    if not delay <= 1.000001 * maximum:
        raise ValueError("the delay is above `maximum`\nraise it, or put a Saturation before the delay")
    if delay < -NEGATIVE * maximum:
        raise ValueError(
            "the delay is below 0, so y would need future values of u\nput a Saturation before it"
        )
    level, time = mark[LEVEL], t - min(max(delay, 0.0), maximum)
    if level < -1.0:
        mark[LEVEL] = polynomial_error(t, u, level, time, pieces, mark, end)
        return
    outcome = keep(t, u, u.shape[0], t - time, np.inf, maximum, BEGIN, pieces, breaks, levels, mark, passed)
    if outcome == FULL:
        raise ValueError("more steps or jumps within the delay than `buffer` holds\nraise `buffer`")
    if level >= 0.0 and time >= t and passed < mark[BREAKS]:
        mark[LEVEL] = mark[BREAKS]


def polynomial_error(
    t: float, u: Array, level: float, time: float, history: Array, mark: Array, end: Array
) -> float:
    """Error of the polynomial of `within_step` so far in the step, 0 if it has not been used."""
    count = u.shape[0]
    if level == PROBE_END:
        end[count], end[count + 1], end[count + 2] = t, 0.0, 0.0
        for i in range(count):
            end[i] = u[i]
    if mark[LAST] < time < t:
        end[count + 1] = 1.0
    for i in range(count if level == PROBE else 0):
        size = max(abs(u[i]), abs(end[i]))
        error = abs(within_step(float(end[count]), end, history, mark, t, i) - u[i])
        if error > end[count + 2] * size:
            end[count + 2] = error / size
    return float(end[count + 1] * end[count + 2])
