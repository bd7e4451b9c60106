"""Odometry: distance and turn of a vehicle since the last reading."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from ..contract.parameter import Array, Real, parameter
from ..contract.port import Port, State
from ..contract.random_numbers import normal, tick
from ..estimation.covariance import covariance
from .clocked import ClockedBlock, root

V_PUBLISHED = (0.02**2, np.deg2rad(0.5) ** 2)


class Odometry(ClockedBlock):
    """Increments of the distance and the heading of a vehicle, with noise.

        odometry_k = (distance_k - distance_{k-1}, heading_k - heading_{k-1}) + v_k,    v_k ~ N(0, V)

    V is a covariance: variances in m2 and rad2, or a 2 x 2 matrix. The first reading is exactly 0, 0.
    `distance` decreases when the vehicle drives backwards, like the output of the vehicles. The default of V
    corresponds to the published 0.02 m and 0.5 degrees. Raises ParameterError for a V that is not a
    covariance.
    Source: Corke, Robotics, Vision and Control (2017), section 6.1.

    Example:
        {type: Odometry, V: [4.0e-4, 7.6e-5], sample_time: 0.1}
    """

    icon = "odometry"
    random: ClassVar = True
    inputs: ClassVar = (Port("distance", 1, "m", "distance so far"), Port("heading", 1, "rad"))
    outputs: ClassVar = (
        Port("odometry", 2, "m, rad", "since the last reading", elements=("distance", "turn")),
    )
    states: ClassVar = (State("last", "nowhere"),)

    V: Real = parameter(
        default=list(V_PUBLISHED), unit="m2, rad2", doc="covariance of a reading", dimensions=(0, 1, 2)
    )

    def constants(self) -> Mapping[str, Array]:
        return {"spread": root(covariance(self, "V", 2)), "nowhere": np.zeros(2)}

    @staticmethod
    def update(distance: float, heading: float, next_last: Array) -> None:
        next_last[0], next_last[1] = distance, heading

    @staticmethod
    def output(
        t: float, stream: Array, sample_time: float, offset: float, distance: float, heading: float,
        last: Array, spread: Array, odometry: Array,
    ) -> None:  # fmt: skip
        count = tick(t, offset, sample_time)
        if count == 0.0:
            odometry[0] = odometry[1] = 0.0
            return
        one, two = normal(stream[0], stream[1], count, 0), normal(stream[0], stream[1], count, 1)
        odometry[0] = distance - last[0] + spread[0, 0] * one + spread[0, 1] * two
        odometry[1] = heading - last[1] + spread[1, 0] * one + spread[1, 1] * two
