"""TransportDelay: a signal delayed by a fixed time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar

from ...solvers.events.timer import Timer
from ...solvers.steps.control import NEARLY
from ..contract.formula_function import ElementFunction, FormulaLike, by_element
from ..contract.parameter import Array, Real, option, parameter
from ..contract.port import State
from .delayed import HISTORY, DelayBlock
from .history import BEGIN, CHANGED, FULL, MOVED, ROUNDING, TOO_LONG, delayed_value, keep, next_break


class TransportDelay(DelayBlock):
    """Delay by a fixed time, element by element.

        y(t) = u(t - delay),  y(t) = initial for t < start + delay

    The history is the dense output of the method itself: y is as accurate as a state. If u or one of its
    first eight derivatives jumps, y does so one delay later, at an event; the start counts as such a jump. No
    step is longer than the delay, and u does not feed through to y directly, so a delay breaks an algebraic
    loop. `buffer` is the maximum number of steps, and of jumps, within the delay; a larger number is an
    error. Linear models contain the exact delay, exp(-s delay), not an approximant.

    In a disabled subsystem the history continues: once enabled, y is u at t - delay, whether the
    subsystem was enabled then or not.

    Raises ParameterError for a delay that is not above 0 (without a delay you need no block), and for a
    `history` that does not return a number.

    Source: Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I (1993), section II.17.

    Example:
        {type: TransportDelay, delay: 0.2, initial: 0.5}
    """

    icon = "delayed"
    states: ClassVar = (*DelayBlock.states, State("due", "never", "s", held=True, remembered=True))

    delay: Real = parameter(unit="s", doc="delay time", above=0, dimensions=(0,))
    initial: Real = parameter(default=0.0, unit="[u]", doc="u before the start")
    buffer: Real = parameter(
        default=1024.0, unit="1", doc="steps that fit into the delay", minimum=8, dimensions=(0,)
    )
    history: FormulaLike | Sequence[FormulaLike] | None = option(default=None, doc=HISTORY)

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        functions, past = super().functions(), self.past()
        return functions if past is None else {**functions, "output": with_history(by_element(past))}

    def timers(self) -> Timer:
        return Timer(next="due")

    def longest_step(self) -> float:
        return NEARLY * float(self.delay)  # type: ignore[arg-type]  # the last step may be longer

    @staticmethod
    def output(
        t: float, delay: float, pieces: Array, mark: Array, passed: float, before: Array, y: Array
    ) -> None:
        delayed_value(pieces, mark, passed, before, t - delay, y)

    @staticmethod
    def jump(t: float, delay: float, breaks: Array, mark: Array, passed: float, due: Array) -> float:
        # `due` is this instant itself if they differ only by rounding
        arrives = t >= due[0] and t + ROUNDING * abs(t) >= next_break(breaks, mark, passed) + delay
        return passed + 1.0 if arrives else passed

    @staticmethod
    def remember(
        t: float, u: Array, delay: float, pieces: Array, breaks: Array, levels: Array, mark: Array,
        passed: float, due: Array,
    ) -> None:  # fmt: skip
        outcome = keep(t, u, u.shape[0], delay, delay, delay, BEGIN, pieces, breaks, levels, mark, passed)
        if outcome == FULL:
            raise ValueError("more steps or jumps within the delay than `buffer` holds\nraise `buffer`")
        if outcome == TOO_LONG:
            raise ValueError("a step is longer than the delay\nmake `step` shorter")
        if outcome == CHANGED:
            due[0] = next_break(breaks, mark, passed) + delay


@lru_cache(maxsize=256)
def with_history(past: ElementFunction) -> Callable[..., Any]:
    """The output, if a function gives u before the start."""

    def output(
        t: float, delay: float, pieces: Array, mark: Array, passed: float, before: Array, y: Array
    ) -> None:
        if not delayed_value(pieces, mark, passed, before, t - delay, y):
            for i in range(y.shape[0]):
                y[i] = past(i, t - delay - mark[MOVED])

    return output
