"""BandLimitedWhiteNoise: noise whose power does not depend on its sample time."""

from __future__ import annotations

from math import sqrt
from typing import ClassVar

from ..contract.parameter import Array, Real, option, parameter
from ..contract.random_numbers import normal, tick
from .random_source import RandomSource


def _scalar(t: float, stream: Array, first: Array, second: Array, sample_time: float, offset: float) -> float:
    # Samples held for T have the density variance * T at low frequencies; with power / T it is `power`.
    z = normal(stream[0], stream[1], tick(t, offset, sample_time), 0)
    return first[0] + sqrt(second[0] / sample_time) * z  # type: ignore[no-any-return]


def _vector(
    t: float, stream: Array, first: Array, second: Array, sample_time: float, offset: float, y: Array
) -> None:
    count = tick(t, offset, sample_time)
    for i in range(y.shape[0]):
        y[i] = first[i] + sqrt(second[i] / sample_time) * normal(stream[0], stream[1], count, i)


class BandLimitedWhiteNoise(RandomSource):
    """White noise of a given power, held on a clock.

        y(t) = mean + sqrt(power / sample_time) z_k  for t_k <= t < t_{k+1},  z_k ~ N(0, 1)

    `power` is the height of the two-sided spectral density at low frequencies, which decreases towards 1 / (2
    sample_time) Hz; an integrator of y has the variance power t at the ticks. Choose sample_time well below
    the time constants of the system that y drives. z_k depends on the seed of the run, its scenario, the
    block's path and k alone. Before the first tick y is 0. y is a scalar, or a vector if mean or power is
    one.
    Raises ParameterError if their lengths differ.

    Example:
        {type: BandLimitedWhiteNoise, power: 1.0e-4, sample_time: 0.001}
    """

    icon = "noise"
    shaped_by: ClassVar = ("mean", "power")
    scalar: ClassVar = staticmethod(_scalar)
    vector: ClassVar = staticmethod(_vector)

    mean: Real = parameter(default=0.0, unit="[y]", doc="mean", dimensions=(0, 1))
    power: Real = parameter(default=1.0, unit="[y]^2/Hz", doc="spectral density", minimum=0,
                            dimensions=(0, 1))  # fmt: skip
    unit: str = option(default="", doc="unit of y")
