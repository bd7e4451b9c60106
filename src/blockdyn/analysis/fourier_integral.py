"""FourierIntegral: the integrals of a signal times a cosine and a sine, as states of a run."""

from __future__ import annotations

from math import cos, pi, sin
from typing import ClassVar

import numpy as np

from ..blocks.contract.block import Block
from ..blocks.contract.parameter import Real, parameter
from ..blocks.contract.port import Like, Port, State
from .models.linear_model import Complex, Matrix

FLAT, SMOOTH = 1.0, 0.375  # the mean of a window


class FourierIntegral(Block):
    """Integrals of a signal u times a window, element by element.

        da/dt = w(t) u cos(frequency (t - begin))     db/dt = w(t) u sin(frequency (t - begin))

    w is 1, or with a `window` of W > 0, s, it is sin^4(pi (t - begin) / W), whose spectrum falls with the
    fifth power of the distance in frequency. As steps end at events and ticks, staircases are integrated
    exactly.
    Source: Harris, Proceedings of the IEEE 66(1) (1978), 51-83, section V.
    """

    inputs: ClassVar = (Port("u"),)
    outputs: ClassVar = (Port("a", like=Like(("u",))), Port("b", like=Like(("u",))))
    states: ClassVar = (State("x", "initial", like="a"), State("y", "initial", like="b"))
    elementwise: ClassVar = True

    frequency: Real = parameter(default=1.0, unit="rad/s", doc="of cosine and sine")
    begin: Real = parameter(default=0.0, unit="s", doc="time at which these begin")
    window: Real = parameter(default=0.0, unit="s", doc="period of the window; 0: none")
    initial: Real = parameter(default=0.0, doc="integrals at the start")

    @staticmethod
    def output_a(x: float) -> float:
        return x

    @staticmethod
    def output_b(y: float) -> float:
        return y

    @staticmethod
    def derivative(t: float, u: float, frequency: float, begin: float, window: float) -> tuple[float, float]:
        weighted = u if window == 0.0 else u * sin(pi * (t - begin) / window) ** 4
        angle = frequency * (t - begin)
        return weighted * cos(angle), weighted * sin(angle)


def coefficients(a: Matrix, b: Matrix, duration: float, mean: float) -> Complex:
    """The first Fourier coefficients over stretches of such a duration, between rows of the integrals."""
    return np.asarray(2.0 / (mean * duration) * (np.diff(a, axis=0) - 1j * np.diff(b, axis=0)), np.complex128)
