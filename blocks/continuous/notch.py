"""Notch: a filter that stops one frequency."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..contract.parameter import Real, parameter
from .filter import Filter
from .system import System


class Notch(Filter):
    """Filter that rejects one frequency, for each element of u.

        Y(s)/U(s) = (s^2 + 2 depth damping w s + w^2) / (s^2 + 2 damping w s + w^2),  w = frequency

    The gain is `depth` at w and 1 far from it; the band between gains of 1/sqrt(2), where depth = 0, is
    2 damping w wide. `initial` is the constant u before the start. u feeds through to y directly.
    Source: Franklin, Powell, Emami-Naeini, Feedback Control of Dynamic Systems (2015), section 5.4.

    Example:
        {type: Notch, frequency: 314.16, damping: 0.1}
    """

    icon = "notch"

    frequency: Real = parameter(
        default=1.0, unit="rad/s", doc="w, the rejected frequency", above=0, dimensions=(0,)
    )
    damping: Real = parameter(
        default=0.5, unit="1", doc="half the width of the notch, as a fraction of w", above=0, dimensions=(0,)
    )
    depth: Real = parameter(default=0.0, unit="1", doc="gain at w", minimum=0, dimensions=(0,))
    initial: Real = parameter(default=0.0, unit="[u]", doc="u before the start")

    def settled(self) -> Any:
        return self.initial

    def system(self) -> System:
        w, damping, depth = float(self.frequency), float(self.damping), float(self.depth)  # type: ignore[arg-type]
        A = np.array([[-2.0 * damping * w, -w], [w, 0.0]])
        B = np.array([[w], [0.0]])
        C = np.array([[2.0 * (depth - 1.0) * damping, 0.0]])
        return System(A, B, C, np.ones((1, 1)), np.zeros(2))
