"""RandomNumber: samples of a normal distribution."""

from __future__ import annotations

from typing import ClassVar

from ..contract.parameter import Array, Real, option, parameter
from ..contract.random_numbers import normal, tick
from .random_source import RandomSource


def _scalar(t: float, stream: Array, first: Array, second: Array, sample_time: float, offset: float) -> float:
    return first[0] + second[0] * normal(stream[0], stream[1], tick(t, offset, sample_time), 0)  # type: ignore[no-any-return]


def _vector(
    t: float, stream: Array, first: Array, second: Array, sample_time: float, offset: float, y: Array
) -> None:
    count = tick(t, offset, sample_time)
    for i in range(y.shape[0]):
        y[i] = first[i] + second[i] * normal(stream[0], stream[1], count, i)


class RandomNumber(RandomSource):
    """Independent normal samples, held between ticks.

        y(t) = mean + sd z_k  for t_k <= t < t_{k+1},  t_k = offset + k sample_time,  z_k ~ N(0, 1)

    z_k depends only on the seed of the run, its scenario, the block's path and k: the same run gives the same
    numbers for any steps of the solver. Before the first tick y is 0. y is a scalar, or a vector if mean or
    sd is one. Raises ParameterError if their lengths differ. Philox4x32-10 and Box-Muller: see
    blocks.contract.random_numbers.

    Example:
        {type: RandomNumber, sd: 0.01, sample_time: 0.02}
    """

    icon = "samples of noise"
    shaped_by: ClassVar = ("mean", "sd")
    scalar: ClassVar = staticmethod(_scalar)
    vector: ClassVar = staticmethod(_vector)

    mean: Real = parameter(default=0.0, unit="[y]", doc="mean", dimensions=(0, 1))
    sd: Real = parameter(default=1.0, unit="[y]", doc="standard deviation", minimum=0, dimensions=(0, 1))
    unit: str = option(default="", doc="unit of y")
