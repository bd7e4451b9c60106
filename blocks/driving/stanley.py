"""Stanley: steering by the offset of the front axle from a path."""

from __future__ import annotations

from math import atan
from typing import ClassVar

from ..contract.block import Block
from ..contract.parameter import Real, parameter
from ..contract.port import Port


class Stanley(Block):
    """Steers the front wheel along the path, and corrects the offset of the front axle.

        gamma = alpha - atan(gain offset / (|v| + softening))

    `offset` and `alpha` come from a NearestOnPath with the wheelbase as its `ahead`. While the steering is
    within its limits the offset e of the front axle from a straight path, at its speed v_f, obeys
    de/dt = -v_f sin(atan(gain e / (|v| + softening))): it decays as exp(-gain t) near the path. Source:
    Hoffmann, Tomlin, Montemerlo, Thrun, Autonomous Automobile Trajectory Tracking for Off-Road Driving,
    American Control Conference, 2007, 2296-2301, doi:10.1109/ACC.2007.4282788.

    Example:
        {type: Stanley, gain: 2.5, softening: 0.1}
    """

    icon = "steering"
    inputs: ClassVar = (
        Port("offset", 1, "m", "to the left of the path"),
        Port("alpha", 1, "rad", "direction of the path minus the heading"),
        Port("speed", 1, "m/s", "of the vehicle"),
    )
    outputs: ClassVar = (Port("gamma", 1, "rad", "steering angle"),)

    gain: Real = parameter(default=2.5, unit="1/s", doc="rate at which the offset decays", dimensions=(0,))
    softening: Real = parameter(
        default=0.1, unit="m/s", doc="added to |v|, for low speeds", above=0, dimensions=(0,)
    )

    @staticmethod
    def output(offset: float, alpha: float, speed: float, gain: float, softening: float) -> float:
        return alpha - atan(gain * offset / (abs(speed) + softening))
