"""Sine: a sine wave."""

from __future__ import annotations

from math import sin
from typing import ClassVar

import numpy as np

from ..contract.parameter import Real, option, parameter
from .source import Source


class Sine(Source):
    """Sine wave.

        y = bias + amplitude sin(frequency t + phase)

    No step of the solver is longer than an eighth of the shortest period, so that no zero of a fast wave is
    stepped over. A source has no states, so the error control does not shorten the steps for it.

    Example:
        {type: Sine, amplitude: 2.0, frequency: =2*pi*2}
    """

    icon = "sine"
    elementwise: ClassVar = True

    amplitude: Real = parameter(default=1.0, unit="[y]", doc="peak value above the bias")
    frequency: Real = parameter(default=1.0, unit="rad/s", doc="angular frequency")
    phase: Real = parameter(default=0.0, unit="rad", doc="angle at t = 0")
    bias: Real = parameter(default=0.0, unit="[y]", doc="mean value")
    unit: str = option(default="", doc="unit of y")

    def longest_step(self) -> float:
        fastest = float(np.max(np.abs(self.frequency)))  # type: ignore[arg-type]
        # Zeros are half a period apart: with four steps between two zeros, the sign is seen on both sides.
        return 2 * np.pi / fastest / 8 if fastest > 0 else np.inf

    @staticmethod
    def output(t: float, amplitude: float, frequency: float, phase: float, bias: float) -> float:
        return bias + amplitude * sin(frequency * t + phase)
