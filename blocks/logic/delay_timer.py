"""DelayTimer: a delayed logical signal, or a pulse at its edge."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np

from ...solvers.events.timer import Timer
from ..contract.block import Block
from ..contract.parameter import Real, option, parameter
from ..contract.port import Crossing, Port, State

IDLE, RUNNING, DONE = 0.0, 1.0, 2.0


class DelayTimer(Block):
    """A timer of a programmable logic controller.

        on     y becomes true when u has been true for the time `delay`, and false with u
        off    y becomes true with u, and false when u has been false for the time `delay`
        pulse  y is true for the time `delay` from the instant when u becomes true, whatever u does then

    A signal is true if it is not below `threshold`; a u that is true at the start counts as having become
    true then. `elapsed` is the elapsed time, s, up to `delay`. Edges of u are located, and y changes exactly
    `delay` later, as a time event. No input feeds through to the outputs.
    Source: IEC 61131-3 (2013), table 46: TON, TOF, TP.

    Example:
        {type: DelayTimer, function: "on", delay: 0.1}
    """

    icon = "timer"
    inputs: ClassVar = (Port("u", 1),)
    outputs: ClassVar = (Port("y", 1), Port("elapsed", 1, "s"))
    states: ClassVar = (State("due", "never", "s", held=True), State("phase", "idle", held=True))
    crossings: ClassVar = (Crossing("edge"),)

    function: str = option(default="on", doc="the kind of timer", choices=("on", "off", "pulse"))
    delay: Real = parameter(default=1.0, unit="s", doc="time of the timer", above=0, dimensions=(0,))
    threshold: Real = parameter(
        default=0.5, unit="1", doc="lowest value that counts as true", dimensions=(0,)
    )

    def constants(self) -> Mapping[str, float]:
        # phases in which y is true, from `first` to `last`
        first, last = {"on": (DONE, DONE), "off": (RUNNING, DONE), "pulse": (RUNNING, RUNNING)}[self.function]
        return {"never": np.inf, "idle": IDLE, "first": first, "last": last}

    def timers(self) -> Timer:
        return Timer(next="due")

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        jump = {"on": on_delay, "off": off_delay, "pulse": pulse}[self.function]
        return {**super().functions(), "jump": jump}

    @staticmethod
    def crossing(u: float, threshold: float) -> float:
        return u - threshold

    @staticmethod
    def output_y(phase: float, first: float, last: float) -> float:
        return 1.0 if first <= phase <= last else 0.0

    @staticmethod
    def output_elapsed(t: float, due: float, phase: float, delay: float, first: float, last: float) -> float:
        if phase == 1.0:
            return min(t - (due - delay), delay)
        return delay if phase == 2.0 and first == last else 0.0  # in phase 2 an off-delay has not begun


# Called at the start, at edges and at the due instant; the action follows from u and phase.


def on_delay(
    t: float, u: float, due: float, phase: float, delay: float, threshold: float
) -> tuple[float, float]:  # fmt: skip
    if u < threshold:
        return np.inf, 0.0
    if phase == 0.0:
        return t + delay, 1.0
    return (np.inf, 2.0) if t >= due else (due, phase)


def off_delay(
    t: float, u: float, due: float, phase: float, delay: float, threshold: float
) -> tuple[float, float]:  # fmt: skip
    if u >= threshold:
        return np.inf, 2.0
    if phase == 2.0:
        return t + delay, 1.0
    return (np.inf, 0.0) if t >= due else (due, phase)


def pulse(
    t: float, u: float, due: float, phase: float, delay: float, threshold: float
) -> tuple[float, float]:  # fmt: skip
    if phase == 1.0 and t < due:
        return due, phase
    if phase == 1.0:
        return np.inf, 2.0 if u >= threshold else 0.0
    if u < threshold:
        return np.inf, 0.0
    return (t + delay, 1.0) if phase == 0.0 else (np.inf, 2.0)
