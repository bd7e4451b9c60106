"""FieldSensor: the strength of a field, such as light, at a place on a vehicle."""

from __future__ import annotations

from collections.abc import Mapping
from math import cos, sin
from typing import Any, ClassVar

import numpy as np

from ..contract.block import Block
from ..contract.errors import ParameterError
from ..contract.parameter import Array, Real, parameter
from ..contract.port import Port


class FieldSensor(Block):
    """The strength of a field of point sources, measured at a point on a vehicle.

        y = sum_k a_k / (|p - p_k|^2 + b_k)      p = position + R(theta) at

    `sources` has a row x_k, y_k, a_k, b_k for each; b_k, in m2, keeps the field finite; a_k / b_k is its
    strength at the source. `at` is (forwards, to the left). Two such sensors steer the vehicles of
    Braitenberg. Raises ParameterError unless b_k > 0. Source: Corke, Robotics, Vision and Control (2017),
    section 5.1.1; Braitenberg, Vehicles: Experiments in Synthetic Psychology (1984).

    Example:
        {type: FieldSensor, at: [0, 2], sources: [[60, 90, 200, 200]]}
    """

    icon = "field"
    inputs: ClassVar = (Port("pose", 3, "m, m, rad", "x, y and heading"),)
    outputs: ClassVar = (Port("y", size_rule="scalar"),)

    sources: Real = parameter(unit="m, m, m2, m2", doc="rows x, y, a, b", dimensions=(2,))
    at: Real = parameter(default=[0.0, 0.0], unit="m", doc="forwards and to the left", dimensions=(1,))

    def check(self) -> None:
        if np.shape(self.at) != (2,):  # type: ignore[arg-type]
            raise ParameterError(self.kind(), "at", self.at, "two numbers: forwards, to the left")
        rows = np.asarray(self.sources, np.float64)
        if rows.shape[1:] != (4,) or not len(rows) or not (rows[:, 3] > 0.0).all():
            raise ParameterError(self.kind(), "sources", self.sources, "rows x, y, a, b with b above 0")

    def constants(self) -> Mapping[str, Any]:
        return {"place": np.asarray(self.at, np.float64), "rows": np.asarray(self.sources, np.float64)}

    @staticmethod
    def output(pose: Array, place: Array, rows: Array) -> float:
        c, s = cos(pose[2]), sin(pose[2])
        x, y = pose[0] + c * place[0] - s * place[1], pose[1] + s * place[0] + c * place[1]
        total = 0.0
        for k in range(rows.shape[0]):
            total += rows[k, 2] / ((x - rows[k, 0]) ** 2 + (y - rows[k, 1]) ** 2 + rows[k, 3])
        return total
