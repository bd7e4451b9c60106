"""NEES: the error of an estimate relative to its covariance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from ...robots.lie.kernels.angles import wrap_angle
from ..contract.errors import ParameterError, Refusal
from ..contract.parameter import Array, option
from ..contract.port import Port, Size
from ..estimation.cholesky import cholesky
from .clocked import ClockedBlock, check_count


class NEES(ClockedBlock):
    """The normalized estimation error squared, y = e' P^-1 e, e = estimate - truth.

    If the estimator is consistent, y has the mean n and, for normally distributed errors, a chi-square
    distribution with n degrees of freedom. In 95 cases out of 100 the mean over N runs then lies between the
    quantiles 0.025 and 0.975 of chi-square with N n degrees of freedom, divided by N. Differences of the
    elements listed in `angles` are wrapped. It is computed at the ticks of its clock, which should be the
    estimator's clock, because the true state changes between ticks. A covariance that is not positive
    definite ends the run.
    Source: Bar-Shalom, Li, Kirubarajan, Estimation with Applications to Tracking and Navigation (2001),
    section 5.4.2.

    Example:
        {type: NEES, size: 3, angles: [2], sample_time: 0.1}
    """

    icon = "NEES"
    outputs: ClassVar = (Port("y", size_rule="scalar"),)

    size: int = option(default=3, doc="n, elements of the estimate")
    angles: Sequence[int] = option(default=(2,), doc="elements that are angles")

    def input_ports(self) -> tuple[Port, ...]:
        n = self.size
        return (
            Port("estimate", n, size_rule="size"),
            Port("truth", n, size_rule="size"),
            Port("covariance", Size((n, n)), size_rule="size x size"),
        )

    def constants(self) -> Mapping[str, Any]:
        check_count(self, "size", 1, 1000)
        turns = np.zeros(self.size)
        for index in self.angles:
            if not 0 <= index < self.size:
                raise ParameterError(self.kind(), "angles", list(self.angles), f"from 0 to {self.size - 1}")
            turns[index] = 1.0
        return {"turns": turns}

    def scratch(self) -> Mapping[str, tuple[int, ...]]:
        return {"e": (self.size,), "L": (self.size, self.size)}

    @staticmethod
    def output(estimate: Array, truth: Array, covariance: Array, turns: Array, e: Array, L: Array) -> float:
        total = 0.0
        for i in range(e.shape[0]):
            e[i] = estimate[i] - truth[i]
            if turns[i] == 1.0:
                e[i] = wrap_angle(e[i])
        if cholesky(e.shape[0], covariance, L, 0.0) > 0:
            raise Refusal("the covariance is not positive definite: a part of the estimate is exact")
        for i in range(e.shape[0]):
            for j in range(i):
                e[i] -= L[i, j] * e[j]
            e[i] /= L[i, i]
            total += e[i] * e[i]
        return total
