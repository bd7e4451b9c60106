"""LowPass and HighPass: Butterworth filters."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from ..contract.errors import ParameterError
from ..contract.parameter import Real, option, parameter
from .filter import Filter
from .sections import system_of_roots
from .system import System

HIGHEST = 20  # highest order; beyond it rounding errors dominate
LARGEST = 1e300  # of cutoff^order, a coefficient of the filter


class Butterworth(Filter):
    """The parameters of both filters."""

    abstract: ClassVar = True

    cutoff: Real = parameter(
        default=1.0, unit="rad/s", doc="frequency at which the gain is 1/sqrt(2)", above=0, dimensions=(0,)
    )
    order: int = option(default=1, doc="order of the filter")
    initial: Real = parameter(default=0.0, unit="[u]", doc="u before the start")

    def check(self) -> None:
        if not 1 <= self.order <= HIGHEST:
            raise ParameterError(self.kind(), "order", self.order, f"a whole number from 1 to {HIGHEST}")
        highest = LARGEST ** (1.0 / self.order)
        if np.any(np.greater(self.cutoff, highest)):  # type: ignore[arg-type]
            raise ParameterError(
                self.kind(), "cutoff", self.cutoff, f"at most {highest:.3g} rad/s at this order"
            )

    def settled(self) -> Any:
        return self.initial


class LowPass(Butterworth):
    """Butterworth filter that passes slow signals, for each element of u.

        |Y/U|^2 = 1 / (1 + (w / cutoff)^(2 order)):   order 1: cutoff / (s + cutoff)

    At w = cutoff the gain is 1/sqrt(2). `initial` is the constant u before the start, and y begins at the
    steady response to it. u does not feed through to y directly. Raises ParameterError for an order outside 1
    ... 20.
    Source: Butterworth, Experimental Wireless 7, 1930, 536-541.

    Example:
        {type: LowPass, cutoff: 20.0, order: 2}
    """

    icon = "low pass"

    def system(self) -> System:
        w = float(self.cutoff)  # type: ignore[arg-type]
        return system_of_roots([], w * butterworth(self.order), w**self.order)


class HighPass(Butterworth):
    """Butterworth filter that passes fast signals, for each element of u.

        |Y/U|^2 = 1 / (1 + (cutoff / w)^(2 order)):   order 1: s / (s + cutoff)

    At w = cutoff the gain is 1/sqrt(2). `initial` is the constant u before the start. u feeds through to y
    directly.
    Raises ParameterError for an order outside 1 ... 20.
    Source: Butterworth, Experimental Wireless 7, 1930, 536-541.

    Example:
        {type: HighPass, cutoff: 0.5}
    """

    icon = "high pass"

    def system(self) -> System:
        w = float(self.cutoff)  # type: ignore[arg-type]
        return system_of_roots(np.zeros(self.order), w * butterworth(self.order), 1.0)


def butterworth(order: int) -> Any:
    """The poles of a Butterworth filter of cutoff 1, on the left half of the unit circle."""
    angles = np.pi * (2.0 * np.arange(order) + order + 1.0) / (2.0 * order)
    poles = np.exp(1j * angles)
    if order % 2:
        poles[order // 2] = -1.0
    half = poles[: order // 2]
    return np.concatenate([half, np.conj(half), poles[order // 2 : order // 2 + order % 2]])
