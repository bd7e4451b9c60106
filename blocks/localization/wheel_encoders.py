"""WheelEncoders: angles of wheels, counted in steps."""

from __future__ import annotations

from collections.abc import Mapping
from math import floor, pi
from typing import Any, ClassVar

import numpy as np

from ..contract.parameter import Array, Real, option, parameter
from ..contract.port import PER_WHEEL, Port, State
from ..contract.random_numbers import tick
from .clocked import ClockedBlock, check_count


class WheelEncoders(ClockedBlock):
    """Wheel angles as counted by incremental encoders, and their increments since the last tick.

        counts = floor(angle steps / (2 pi)),   increments_k = 2 pi (counts_k - counts_{k-1}) / steps

    The first increments are 0. For a DifferentialDrive with wheel radius r and track W, a MatrixGain [[r/2,
    r/2], [-r/W, r/W]] converts the increments, left and right, into the output of Odometry.
    Source: Siciliano, Khatib (eds.), Springer Handbook of Robotics (2016), section 29.1.

    Example:
        {type: WheelEncoders, steps: 4096, sample_time: 0.02}
    """

    icon = "encoder"

    states: ClassVar = (State("last", "begin"),)

    wheels: int = option(default=2, doc="wheel angles")
    steps: Real = parameter(
        default=4096.0, unit="1", doc="steps per turn of a wheel", above=0, dimensions=(0,)
    )

    def input_ports(self) -> tuple[Port, ...]:
        return (Port("wheel_angles", self.wheels, "rad", flat=True, size_rule=PER_WHEEL),)

    def output_ports(self) -> tuple[Port, ...]:
        return (
            Port("counts", self.wheels, flat=True, size_rule=PER_WHEEL),
            Port("increments", self.wheels, "rad", "since the last tick", flat=True, size_rule=PER_WHEEL),
        )

    def constants(self) -> Mapping[str, Any]:
        check_count(self, "wheels", 1, 1000)
        return {"begin": np.zeros(self.wheels)}

    @staticmethod
    def update(counts: Array, next_last: Array) -> None:
        for i in range(counts.shape[0]):
            next_last[i] = counts[i]

    @staticmethod
    def output(
        t: float, sample_time: float, offset: float, wheel_angles: Array, last: Array, steps: float,
        counts: Array, increments: Array,
    ) -> None:  # fmt: skip
        first = tick(t, offset, sample_time) == 0.0
        for i in range(counts.shape[0]):
            counts[i] = floor(wheel_angles[i] * steps / (2.0 * pi))
            increments[i] = 0.0 if first else 2.0 * pi * (counts[i] - last[i]) / steps
