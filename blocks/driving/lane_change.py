"""LaneChange: a change to the next lane by two arcs, and back by two more."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from math import atan, atan2
from typing import Any, ClassVar

import numpy as np

from ...solvers.events.timer import Timer
from ..contract.block import Block
from ..contract.errors import ParameterError
from ..contract.parameter import Array, Real, parameter
from ..contract.port import Port


class LaneChange(Block):
    """Steers a vehicle into the next lane, `offset` to the left, by an arc to that side and an arc back.

        radius = (length^2 + offset^2) / (4 |offset|)     angle of each arc = 2 atan(|offset| / length)
        gamma = atan(wheelbase curvature)     omega = speed curvature

    The arcs begin at the time `begin`, and each takes radius angle / speed. `length` is measured along the
    lane. With `stay` the vehicle returns after that many seconds, on two more arcs: a double lane change.
    A Bicycle or a Unicycle at `speed` drives the arcs exactly, within rounding. Every change is a time event.
    There is no feedback, and the steering jumps.

    Raises ParameterError for an offset of 0, and for an offset longer than `length`, which would need arcs of
    more than 90 degrees. Source: two equal circles that touch; the pulses of the steering are as in
    sl_lanechange, Corke, Robotics, Vision and Control (2017), section 4.1.

    Example:
        {type: LaneChange, offset: 3.5, length: 40.0, speed: 15.0, begin: 2.0, wheelbase: 2.7}
    """

    icon = "arcs"
    outputs: ClassVar = (
        Port("v", 1, "m/s", "the speed"),
        Port("gamma", 1, "rad", "steering angle of a bicycle"),
        Port("omega", 1, "rad/s", "rate of turn"),
    )

    offset: Real = parameter(unit="m", doc="distance between the lanes, to the left", dimensions=(0,))
    length: Real = parameter(unit="m", doc="length of the change, along the lane", above=0, dimensions=(0,))
    speed: Real = parameter(default=1.0, unit="m/s", doc="speed of the vehicle", above=0, dimensions=(0,))
    begin: Real = parameter(
        default=0.0, unit="s", doc="time at which the change begins", minimum=0, dimensions=(0,)
    )
    stay: Real | None = parameter(
        default=None, unit="s", doc="time in the other lane; default: no return", above=0, dimensions=(0,)
    )
    wheelbase: Real = parameter(
        default=1.0, unit="m", doc="wheelbase of the bicycle", above=0, dimensions=(0,)
    )

    def check(self) -> None:
        if not 0.0 < abs(float(self.offset)) <= float(self.length):  # type: ignore[arg-type]
            expected = f"not 0, and at most the length, {self.length:g} m, to either side"
            raise ParameterError(self.kind(), "offset", self.offset, expected)

    @cached_property
    def _parts(self) -> tuple[Array, Array]:
        """Instants at which the curvature changes, and its values before, between and after."""
        offset, length = float(self.offset), float(self.length)  # type: ignore[arg-type]
        bend = 4.0 * offset / (length * length + offset * offset)
        arc = 2.0 * atan2(abs(offset), length) / (abs(bend) * float(self.speed))  # type: ignore[arg-type]
        begin = float(self.begin)  # type: ignore[arg-type]
        times, bends = [begin, begin + arc, begin + 2.0 * arc], [0.0, bend, -bend, 0.0]
        if self.stay is not None:
            back = times[-1] + float(self.stay)  # type: ignore[arg-type]
            times, bends = [*times, back, back + arc, back + 2.0 * arc], [*bends, -bend, bend, 0.0]
        return np.array(times), np.array(bends)

    def constants(self) -> Mapping[str, Any]:
        return {"bends": self._parts[1]}  # the mode counts the times that have passed

    def timers(self) -> Timer:
        return Timer.at(self._parts[0].tolist())

    @staticmethod
    def output_v(speed: float) -> float:
        return speed

    @staticmethod
    def output_gamma(mode: int, bends: Array, wheelbase: float) -> float:
        return atan(wheelbase * bends[mode])

    @staticmethod
    def output_omega(mode: int, bends: Array, speed: float) -> float:
        return speed * bends[mode]  # type: ignore[no-any-return]
