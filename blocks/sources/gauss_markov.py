"""GaussMarkov: base of noise that is a sum of first-order processes, sampled exactly."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import sqrt
from typing import Any, ClassVar

import numpy as np

from ..contract.parameter import Array, Real, parameter
from ..contract.port import Port, Size, State
from ..contract.random_numbers import normal, tick
from .source import Source


class GaussMarkov(Source):
    """A sum of independent first-order processes with the same variance, at the ticks of a clock.

        x_j(t_{k+1}) = a_j x_j(t_k) + s sqrt(1 - a_j^2) z_jk,  a_j = exp(-sample_time / tau_j),  z ~ N(0, 1)
        y = mean + sum x_j,  s^2 = sd^2 / m for m processes

    is the exact solution of dx_j = -x_j / tau_j dt + noise at the ticks. The first sample is drawn from the
    stationary distribution.
    Source: Maybeck, Stochastic Models, Estimation, and Control, vol. 1 (1979), section 4.11.
    """

    abstract: ClassVar = True
    sampled: ClassVar = True
    random: ClassVar = True
    states: ClassVar = (State("parts", "still"), State("begun", "none"))

    sd: Real = parameter(default=1.0, unit="[y]", doc="standard deviation of y", minimum=0, dimensions=(0, 1))
    mean: Real = parameter(default=0.0, unit="[y]", doc="mean of y", dimensions=(0,))
    sample_time: Real = parameter(default=0.1, unit="s", doc="period", above=0, dimensions=(0,))
    offset: Real = parameter(default=0.0, unit="s", doc="first tick", minimum=0, dimensions=(0,))

    def times(self) -> Array:
        """The time constants tau_j, s."""
        raise NotImplementedError

    def constants(self) -> Mapping[str, Any]:
        times = self.times()
        deviations = np.atleast_1d(np.asarray(self.sd, np.float64)) / sqrt(times.size)
        decays = np.exp(-float(self.sample_time) / times)  # type: ignore[arg-type]
        return {
            "decays": decays,
            "fresh": np.sqrt(-np.expm1(-2.0 * float(self.sample_time) / times)),  # type: ignore[arg-type]
            "deviations": deviations,
            "still": np.zeros((deviations.size, times.size)),
            "none": 0.0,
        }

    def output_ports(self) -> tuple[Port, ...]:
        return (Port("y", Size(np.shape(self.sd)), self.unit, size_rule="as sd"),)  # type: ignore[arg-type,attr-defined]

    def sizes(self, inputs: Mapping[str, Size | None]) -> Mapping[str, Size]:
        return {"y": Size(np.shape(self.sd))}  # type: ignore[arg-type]

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        return {"output": vector if np.ndim(self.sd) else number, "update": update}  # type: ignore[arg-type]


# Draw 2 n of a process is its first value, at the first tick; draw 2 n + 1 carries it to the next tick.


def first_sample(stream: Array, count: float, element: int, deviation: float) -> float:
    return deviation * normal(stream[0], stream[1], count, 2 * element)


def number(
    t: float, stream: Array, parts: Array, begun: float, deviations: Array, mean: float,
    sample_time: float, offset: float,
) -> float:  # fmt: skip
    count = tick(t, offset, sample_time)
    total = mean
    for j in range(parts.shape[1]):
        total += parts[0, j] if begun > 0.0 else first_sample(stream, count, j, deviations[0])
    return total


def vector(
    t: float, stream: Array, parts: Array, begun: float, deviations: Array, mean: float,
    sample_time: float, offset: float, y: Array,
) -> None:  # fmt: skip
    count = tick(t, offset, sample_time)
    for i in range(y.size):
        y[i] = mean
        for j in range(parts.shape[1]):
            element = i * parts.shape[1] + j
            y[i] += parts[i, j] if begun > 0.0 else first_sample(stream, count, element, deviations[i])


def update(
    t: float, stream: Array, parts: Array, begun: float, decays: Array, fresh: Array, deviations: Array,
    sample_time: float, offset: float, next_parts: Array,
) -> float:  # fmt: skip
    count = tick(t, offset, sample_time)
    for i in range(parts.shape[0]):
        for j in range(parts.shape[1]):
            element = i * parts.shape[1] + j
            x = parts[i, j] if begun > 0.0 else first_sample(stream, count, element, deviations[i])
            z = normal(stream[0], stream[1], count, 2 * element + 1)
            next_parts[i, j] = decays[j] * x + deviations[i] * fresh[j] * z
    return 1.0
