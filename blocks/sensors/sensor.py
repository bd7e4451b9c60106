"""Sensor: common part of sampled instruments: clock, noise and drift."""

from __future__ import annotations

from collections.abc import Mapping
from math import exp, sqrt
from typing import ClassVar

import numpy as np

from ..contract.block import Block
from ..contract.errors import ParameterError
from ..contract.parameter import Array, Real, parameter
from ..contract.random_numbers import normal, tick

COUNTS = {2: "two", 3: "three"}


class Sensor(Block):
    """An instrument that is read at the ticks of a clock and holds its reading until the next tick.

    Each element of a reading has separate random streams: for element k, stream 3 k is its noise, 3 k + 1 its
    drift, and 3 k + 2 the initial value of the drift.
    """

    abstract: ClassVar = True
    sampled: ClassVar = True
    random: ClassVar = True

    sample_time: Real = parameter(
        default=0.01, unit="s", doc="time between readings", above=0, dimensions=(0,)
    )
    offset: Real = parameter(
        default=0.0, unit="s", doc="time of the first reading", minimum=0, dimensions=(0,)
    )

    def triple(self, name: str) -> Array:
        """A parameter with one number for all three axes or one for each. Raises ParameterError."""
        return triple(self, name)


def triple(block: Block, name: str) -> Array:
    """A block's parameter with one number for all three axes or one for each. Raises ParameterError."""
    return of_axes(block, name, 3)


def of_axes(block: Block, name: str, n: int) -> Array:
    """A parameter with one number for all n axes or one for each. Raises ParameterError."""
    value = np.asarray(getattr(block, name), np.float64)
    if value.shape not in ((), (n,)):
        raise ParameterError(block.kind(), name, getattr(block, name), f"a number, or {COUNTS[n]}")
    return np.broadcast_to(value, (n,)).copy()


def drift(sigma: Array, time: float, sample_time: float) -> Mapping[str, Array | float]:
    """The constants of a drift of the deviation sigma and the correlation time `time`: decay, kick, settled.

        b_{k+1} = decay b_k + kick z_k,   decay = exp(-T / time),   kick = sigma sqrt(1 - decay^2)

    a Gauss-Markov process of first order, which starts from its stationary distribution.
    """
    decay = exp(-sample_time / time)
    return {"decay": decay, "kick": sigma * sqrt(1.0 - decay * decay), "settled": sigma}


def noise(stream: Array, count: float, element: int) -> float:
    """The noise of an element at a tick, with unit standard deviation."""
    return normal(stream[0], stream[1], count, 3 * element)


def step_drift(
    stream: Array, count: float, first: int, decay: float, kick: Array, bias: Array, next_bias: Array
) -> None:
    """The drift at the next tick, for all elements of `bias`; their indices start at `first`."""
    for i in range(bias.size):
        next_bias[i] = decay * bias[i] + kick[i] * normal(stream[0], stream[1], count, 3 * (first + i) + 1)


def update_drift(
    t: float, stream: Array, sample_time: float, offset: float, b: Array,
    decay: float, kick: Array, next_b: Array,
) -> None:  # fmt: skip
    """The update of a sensor whose one state b is a drift, its elements counted from 0."""
    step_drift(stream, tick(t, offset, sample_time), 0, decay, kick, b, next_b)


def total_drift(
    stream: Array, count: float, element: int, decay: float, settled: float, bias: float
) -> float:
    """The drift of an element now: the fading initial drift, and the drift since the start."""
    return bias + settled * decay**count * normal(stream[0], stream[1], 0.0, 3 * element + 2)  # type: ignore[no-any-return]
