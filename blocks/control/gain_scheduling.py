"""GainScheduling: feedback whose gains depend on a signal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from ..contract.block import Block
from ..contract.errors import ParameterError
from ..contract.parameter import Array, Real, parameter
from ..contract.port import Crossing, Port


class GainScheduling(Block):
    """Gains interpolated linearly between points of a scheduling variable.

        y = K(s) u,  K(s) = K_i + (K_{i+1} - K_i) (s - points_i) / (points_{i+1} - points_i)

    Beyond the first and last point K stays constant. `gains` has a row for each point: n numbers for a vector
    u of n elements, or one for a scalar u. The instants at which s passes a point, and y has a corner, are
    located. u and s feed through to y directly. Raises ParameterError unless points increase and gains has a
    row for each. Source: Rugh, Shamma, Automatica 36(10), 2000, 1401-1425, doi:10.1016/S0005-1098(00)00058-3.

    Example:
        {type: GainScheduling, points: [0.0, 10.0, 30.0], gains: [4.0, 2.0, 1.0]}
    """

    icon = "K(θ)"
    outputs: ClassVar = (Port("y", 1),)

    points: Real = parameter(unit="[s]", doc="points of the scheduling variable, increasing", dimensions=(1,))
    gains: Real = parameter(unit="[y]/[u]", doc="a row for each point", dimensions=(1, 2))

    def table(self) -> tuple[Array, Array]:
        """The points, and the gains as a matrix. Raises ParameterError."""
        points, gains = np.asarray(self.points, np.float64), np.asarray(self.gains, np.float64)
        gains = gains.reshape(gains.shape[0], -1)
        if points.size < 2 or not np.all(np.diff(points) > 0.0):
            raise ParameterError(self.kind(), "points", self.points, "two or more increasing numbers")
        if gains.shape[0] != points.size:
            raise ParameterError(self.kind(), "gains", self.gains, f"{points.size} rows, one for each point")
        return points, gains

    def check(self) -> None:
        self.table()

    def input_ports(self) -> tuple[Port, ...]:
        return (Port("u", self.table()[1].shape[1], flat=True, size_rule="columns of `gains`"), Port("s", 1))

    def zero_crossings(self) -> tuple[Crossing, ...]:
        return (Crossing("point", count=self.table()[0].size),)

    def constants(self) -> Mapping[str, Any]:
        points, gains = self.table()
        return {"knots": points, "rows": gains}

    @staticmethod
    def crossing(s: float, knots: Array, point: Array) -> None:
        for i in range(knots.shape[0]):
            point[i] = s - knots[i]

    @staticmethod
    def mode(s: float, knots: Array) -> int:
        """Number of points that s has passed."""
        passed = 0
        for i in range(knots.shape[0]):
            if s > knots[i]:
                passed = i + 1
        return passed

    @staticmethod
    def output(mode: int, u: Array, s: float, knots: Array, rows: Array) -> float:
        last = knots.shape[0] - 1
        i = min(max(mode - 1, 0), last - 1)
        part = (s - knots[i]) / (knots[i + 1] - knots[i])
        if mode == 0:
            part = 0.0
        elif mode > last:
            part = 1.0
        y = 0.0
        for j in range(u.shape[0]):
            y += (rows[i, j] + part * (rows[i + 1, j] - rows[i, j])) * u[j]
        return y
