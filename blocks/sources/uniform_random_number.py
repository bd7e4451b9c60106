"""UniformRandomNumber: samples of a uniform distribution."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ..contract.errors import ParameterError
from ..contract.parameter import Array, Real, option, parameter
from ..contract.random_numbers import tick, uniforms
from .random_source import RandomSource


def _scalar(t: float, stream: Array, first: Array, second: Array, sample_time: float, offset: float) -> float:
    u, _ = uniforms(stream[0], stream[1], tick(t, offset, sample_time), 0)
    return first[0] + (second[0] - first[0]) * u  # type: ignore[no-any-return]


def _vector(
    t: float, stream: Array, first: Array, second: Array, sample_time: float, offset: float, y: Array
) -> None:
    count = tick(t, offset, sample_time)
    for i in range(y.shape[0]):
        u, _ = uniforms(stream[0], stream[1], count, i)
        y[i] = first[i] + (second[i] - first[i]) * u


class UniformRandomNumber(RandomSource):
    """Independent uniform samples, held between ticks.

        y(t) = low + (high - low) u_k  for t_k <= t < t_{k+1},  t_k = offset + k sample_time,  u_k ~ U(0, 1)

    u_k depends only on the seed of the run, its scenario, the block's path and k. Before the first tick y
    is 0. y is a scalar, or a vector if low or high is one. Raises ParameterError if their lengths
    differ, or high < low. Philox4x32-10: see blocks.contract.random_numbers.

    Example:
        {type: UniformRandomNumber, low: -0.5, high: 0.5, sample_time: 0.02}
    """

    icon = "samples of noise"
    shaped_by: ClassVar = ("low", "high")
    scalar: ClassVar = staticmethod(_scalar)
    vector: ClassVar = staticmethod(_vector)

    low: Real = parameter(default=-1.0, unit="[y]", doc="smallest value", dimensions=(0, 1))
    high: Real = parameter(default=1.0, unit="[y]", doc="largest value", dimensions=(0, 1))
    unit: str = option(default="", doc="unit of y")

    def check(self) -> None:
        super().check()
        if np.any(np.asarray(self.high) < np.asarray(self.low)):
            raise ParameterError(self.kind(), "high", self.high, f"at least `low`, {self.low}")
