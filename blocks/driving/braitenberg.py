"""Braitenberg: two sensors that steer."""

from __future__ import annotations

from typing import ClassVar

from ..contract.block import Block
from ..contract.parameter import Real, parameter
from ..contract.port import Port


class Braitenberg(Block):
    """Steers by sensor readings on the left and on the right.

        v = speed - slowing (left + right)     turn = steering_gain (left - right)

    With a positive gain the vehicle turns to the side where the field is stronger; `slowing` brings it to
    rest near the source. Connect two FieldSensors. Source: Braitenberg, Vehicles: Experiments in Synthetic
    Psychology (1984); Corke, Robotics, Vision and Control (2017), section 5.1.1.

    Example:
        {type: Braitenberg, speed: 2.0, steering_gain: 5.0}
    """

    icon = "sensors to wheels"
    inputs: ClassVar = (
        Port("left", 1, "", "reading on the left"),
        Port("right", 1, "", "reading on the right"),
    )
    outputs: ClassVar = (
        Port("v", 1, "m/s", "speed"),
        Port("turn", 1, "", "steering angle, or turn rate"),
    )

    speed: Real = parameter(default=2.0, unit="m/s", doc="v if both readings are 0", dimensions=(0,))
    slowing: Real = parameter(
        default=1.0, unit="m/s/[left]", doc="reduction of v per sum of the readings", dimensions=(0,)
    )
    steering_gain: Real = parameter(
        default=5.0,
        unit="[turn]/[left]",
        doc="gain from the difference of the readings to turn",
        dimensions=(0,),
    )

    @staticmethod
    def output_v(left: float, right: float, speed: float, slowing: float) -> float:
        return speed - slowing * (left + right)

    @staticmethod
    def output_turn(left: float, right: float, steering_gain: float) -> float:
        return steering_gain * (left - right)
