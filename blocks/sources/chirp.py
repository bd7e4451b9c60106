"""Chirp: a sine whose frequency changes from one value to another."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import exp, log, sin
from typing import Any, ClassVar

import numpy as np

from ...solvers.events.timer import Timer
from ..contract.errors import ParameterError
from ..contract.parameter import Real, option, parameter
from .source import Source


class Chirp(Source):
    """Swept sine, from the angular frequency `first` to `last` over `duration`.

        y = bias + amplitude sin(phase + angle(tau)),  tau = t - start,  d angle/dt = w(tau)
        linear       w = first + (last - first) tau / duration
        logarithmic  w = first (last / first)^(tau / duration)

    Before `start` tau is 0, so y stays at its first value; after `duration` the frequency stays at `last`.
    Both instants are time events. No step of the solver is longer than an eighth of the shortest period.
    Raises ParameterError for a logarithmic sweep that begins or ends at 0.

    Example:
        {type: Chirp, first: 1.0, last: 100.0, duration: 10.0, sweep: logarithmic}
    """

    icon = "chirp"
    elementwise: ClassVar = True

    first: Real = parameter(default=1.0, unit="rad/s", doc="frequency at `start`", minimum=0, dimensions=(0,))
    last: Real = parameter(default=10.0, unit="rad/s", doc="frequency at the end", minimum=0, dimensions=(0,))
    duration: Real = parameter(default=10.0, unit="s", doc="length of the sweep", above=0, dimensions=(0,))
    sweep: str = option(
        default="linear", doc="change of the frequency over time", choices=("linear", "logarithmic")
    )
    start: Real = parameter(default=0.0, unit="s", doc="start of the sweep", dimensions=(0,))
    amplitude: Real = parameter(default=1.0, unit="[y]", doc="peak value above the bias")
    phase: Real = parameter(default=0.0, unit="rad", doc="angle at `start`")
    bias: Real = parameter(default=0.0, unit="[y]", doc="mean value")
    unit: str = option(default="", doc="unit of y")

    def check(self) -> None:
        for name in ("first", "last") if self.sweep == "logarithmic" else ():
            if getattr(self, name) == 0.0:
                raise ParameterError("Chirp", name, 0.0, "greater than zero, for a logarithmic sweep")

    def timers(self) -> Timer:
        return Timer.at([self.start, self.start + self.duration])  # type: ignore[list-item,operator]

    def longest_step(self) -> float:
        fastest = float(max(self.first, self.last))  # type: ignore[type-var,arg-type]
        return 2 * np.pi / fastest / 8 if fastest > 0 else np.inf  # as in Sine

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        return {"output": linear if self.sweep == "linear" else logarithmic}


# The mode counts the events: 0 before the sweep, 1 within, 2 after it.


def linear(
    t: float, mode: int, first: float, last: float, duration: float, start: float,
    amplitude: float, phase: float, bias: float,
) -> float:  # fmt: skip
    tau = t - start
    angle = tau * (first + 0.5 * (last - first) * tau / duration)
    if mode == 0:
        angle = 0.0
    if mode == 2:
        angle = 0.5 * (first + last) * duration + last * (tau - duration)
    return bias + amplitude * sin(phase + angle)


def logarithmic(
    t: float, mode: int, first: float, last: float, duration: float, start: float,
    amplitude: float, phase: float, bias: float,
) -> float:  # fmt: skip
    within = duration if mode == 2 else t - start
    rate = log(last / first) / duration
    # (e^x - 1) / x by its first terms for small x: the two frequencies may be (nearly) equal
    x = rate * within
    mean = (exp(x) - 1.0) / x if abs(x) > 1e-5 else 1.0 + x * (0.5 + x / 6.0)
    angle = first * within * mean + (last * (t - start - duration) if mode == 2 else 0.0)
    if mode == 0:
        angle = 0.0
    return bias + amplitude * sin(phase + angle)
