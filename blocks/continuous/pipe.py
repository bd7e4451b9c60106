"""Pipe: a signal carried by a flow of variable speed over a length."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from ...solvers.steps.control import NEARLY
from ..contract.formula_function import ElementFunction, FormulaLike, by_element
from ..contract.parameter import Array, Real, option, parameter
from ..contract.port import Crossing, Port, Size, State
from .delayed import DelayBlock
from .history import (
    BEGAN,
    BEGIN,
    COUNT,
    FIRST,
    FULL,
    NODES,
    OFFSETS,
    PIECES,
    TOO_LONG,
    UNSET,
    beyond_break,
    columns,
    keep,
    passed_by,
    piece,
    value,
)

BACK = 1e-9  # relative to the highest speed: less is rounding, not reverse flow
ITERATIONS = 60  # enough for a bisection of doubles
CLOSE = 2.0**-50  # relative to a piece: at this distance one more Newton step is exact


class Pipe(DelayBlock):
    """Plug flow through a pipe at a variable speed v, without mixing; u element by element.

        y(t) = u(t - tau(t)),  integral of v from t - tau to t = length,  d tau/dt = 1 - v(t) / v(t - tau)

    While v = 0 the output is constant. `initial` is the content of the pipe at the start, or `history`
    gives it as a function of the position z from the inlet, 0 to `length`, m. The output `delay` is tau, or
    the time since the start while the initial contents leave. A jump of u, or of one of its first eight
    derivatives, leaves at a located zero crossing. v must lie between 0 and `fastest`, and no step is longer
    than length / fastest; `buffer` is the maximum number of steps, and of jumps, in the pipe: a slow flow
    needs more than fastest / v. u does not feed through to y directly. Linear models have the delay length /
    v at a v above 0. If a block reads the output `delay`, linear models and trims do not exist.

    Raises ParameterError for a length or a `fastest` that is not above 0, and for a `history` that does not
    return a number; a run ends with BlockFailed if v leaves its range.

    Source: MathWorks, Variable Transport Delay, https://www.mathworks.com/help/simulink/slref/variabletransportdelay.html.

    Example:
        {type: Pipe, length: 2.0, fastest: 1.5, initial: 20.0}
    """

    icon = "delayed"
    times: ClassVar = ()
    variable: ClassVar = "z"
    paced_by: ClassVar = "v"
    inputs: ClassVar = (*DelayBlock.inputs, Port("v", 1, "m/s"))
    outputs: ClassVar = (*DelayBlock.outputs, Port("delay", 1, "s"))
    states: ClassVar = (
        State("s", "empty", "m"),
        *DelayBlock.states,
        State("sample", "empty", held=True, remembered=True),
    )
    crossings: ClassVar = (Crossing("arrives", 1),)

    length: Real = parameter(unit="m", doc="length", above=0, dimensions=(0,))
    fastest: Real = parameter(unit="m/s", doc="highest speed", above=0, dimensions=(0,))
    initial: Real = parameter(default=0.0, unit="[u]", doc="contents at the start")
    buffer: Real = parameter(
        default=1024.0, unit="1", doc="steps that fit into the pipe", minimum=8, dimensions=(0,)
    )
    history: FormulaLike | Sequence[FormulaLike] | None = option(
        default=None,
        doc="contents at the start, in place of `initial`: a function of z, or a list of one for each",
    )

    def sizes(self, inputs: Mapping[str, Size | None]) -> Mapping[str, Size | None]:
        return {**super().sizes(inputs), "delay": Size()}

    def state_shapes(self, inputs: Mapping[str, Size]) -> Mapping[str, tuple[int, ...]]:
        count, size = inputs["u"].count, int(self.numbers()["buffer"])
        shapes = super().state_shapes(inputs)
        return {**shapes, "pieces": (size, columns(count + 1)), "sample": (count + 1,), "s": ()}

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        functions, past = super().functions(), self.past()
        return functions if past is None else {**functions, "output_y": with_contents(by_element(past))}

    def longest_step(self) -> float:
        return NEARLY * float(self.length) / float(self.fastest)  # type: ignore[arg-type]

    @staticmethod
    def transit(pace: float, numbers: Mapping[str, Any]) -> float:
        return float(numbers["length"] / pace) if pace > 0.0 else np.inf

    @staticmethod
    def derivative(v: float) -> float:
        return v

    @staticmethod
    def output_y(
        s: float, length: float, pieces: Array, mark: Array, passed: float, before: Array, y: Array
    ) -> None:
        leaving(pieces, mark, passed, before, s - length, y)

    @staticmethod
    def output_delay(
        t: float, s: float, length: float, pieces: Array, mark: Array, passed: float, sample: Array
    ) -> float:
        return t - entry_time(t, pieces, mark, passed, s - length, sample.shape[0] - 1)

    @staticmethod
    def crossing(s: float, length: float, breaks: Array, mark: Array, passed: float) -> float:
        return beyond_break(s - length, s, breaks, mark, passed)

    @staticmethod
    def jump(
        s: float, length: float, breaks: Array, mark: Array, passed: float, crossed_arrives: int
    ) -> tuple[float, float]:
        return s, passed_by(s - length, s, breaks, mark, passed) if crossed_arrives == 1 else passed

    @staticmethod
    def remember(
        t: float, u: Array, v: float, s: float, length: float, fastest: float, pieces: Array, breaks: Array,
        levels: Array, mark: Array, passed: float, sample: Array,
    ) -> None:  # fmt: skip
        if v < -BACK * fastest:
            raise ValueError("the flow goes back: v is below 0\nput a Saturation before v, or a second Pipe")
        if v > 1.000001 * fastest:
            raise ValueError("v is above `fastest`\nraise `fastest`, or put a Saturation before v")
        count = u.shape[0]
        for i in range(count):
            sample[i] = u[i]
        sample[count] = s
        transit = t - entry_time(t, pieces, mark, passed, s - length, count)
        outcome = keep(
            t, sample, count, transit, length / fastest, transit, FIRST + NODES * count, pieces, breaks,
            levels, mark, passed,
        )  # fmt: skip
        if outcome == FULL:
            raise ValueError("more steps or jumps in the pipe than `buffer` holds\nraise `buffer`")
        if outcome == TOO_LONG:
            raise ValueError("a step is longer than length / fastest\nmake `step` shorter")


@lru_cache(maxsize=256)
def with_contents(contents: ElementFunction) -> Callable[..., Any]:
    """The output y, if a function gives the content of the pipe at the start."""

    def output_y(
        s: float, length: float, pieces: Array, mark: Array, passed: float, before: Array, y: Array
    ) -> None:
        if not leaving(pieces, mark, passed, before, s - length, y):
            for i in range(y.shape[0]):
                y[i] = contents(i, min(max(length - s, 0.0), length))

    return output_y


def leaving(history: Array, mark: Array, passed: float, before: Array, place: float, y: Array) -> bool:
    """The value that entered when the flow had reached `place`; False if a function gives it."""
    count = y.shape[0]
    row = piece(history, mark, passed, place, FIRST + NODES * count)
    time = instant(history, row, count, place) if row >= 0 else 0.0
    for i in range(count):
        y[i] = before[i] if row < 0 else value(history, row, i, time)
    return row >= 0 or before[0] != UNSET


def entry_time(t: float, history: Array, mark: Array, passed: float, place: float, count: int) -> float:
    """The time at which the flow had reached `place`, or the start if that was earlier."""
    row = piece(history, mark, passed, place, FIRST + NODES * count)
    if row >= 0:
        return instant(history, row, count, place)
    return float(mark[BEGAN]) if mark[PIECES] > 0.0 else t


def instant(history: Array, row: int, count: int, place: float) -> float:
    """The time within a piece at which the element `count`, which never decreases, reaches `place`.

    Newton's method, safeguarded by bisection. Beyond the ends it is the time of the end plus one Newton step.
    The last Newton step makes derivatives correct; bisection alone would not.
    """
    begin = history[row, BEGIN]
    low, high = begin, begin + history[row, OFFSETS + int(history[row, COUNT]) - 1]
    width = high - low
    if place <= value(history, row, count, low):
        return newton(history, row, count, place, low)
    if place >= value(history, row, count, high):
        return newton(history, row, count, place, high)
    time = 0.5 * (low + high)
    for _ in range(ITERATIONS):
        if value(history, row, count, time) > place:
            high = time
        else:
            low = time
        nearer = newton(history, row, count, place, time)
        if not low < nearer < high:
            nearer = 0.5 * (low + high)
        moved = abs(nearer - time)
        time = nearer
        if moved <= CLOSE * width:
            break
    return newton(history, row, count, place, time)


def newton(history: Array, row: int, element: int, place: float, time: float) -> float:
    """Newton's step towards the time at which an element is at a place; no step if it is constant."""
    at = FIRST + NODES * element
    s = time - history[row, BEGIN]
    y, slope = history[row, at + NODES - 1], 0.0
    for j in range(NODES - 2, -1, -1):
        distance = s - history[row, OFFSETS + j]
        slope = slope * distance + y
        y = y * distance + history[row, at + j]
    return float(time - (y - place) / slope) if slope > 0.0 else time
