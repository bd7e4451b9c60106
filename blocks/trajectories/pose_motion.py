"""Outputs of pose motions: pose, twist and acceleration along a path with a time scaling."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from functools import cached_property
from typing import ClassVar

from ...robots.lie.checks import GroupError
from ...robots.trajectories.motion import Pieces, TrajectoryError
from ...robots.trajectories.point_to_point import METHODS
from ...robots.trajectories.polynomial import acceleration_at, position_at, velocity_at
from ...robots.trajectories.poses import FRAMES, PosePath, scaling, way_acceleration, way_twist
from ...solvers.events.timer import Timer
from ..contract.block import Block
from ..contract.errors import ParameterError
from ..contract.parameter import Array, Real, option, parameter
from ..contract.port import TWIST, Port, Size

IDENTITY = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]


class _PoseMotion(Block):
    """Base of motions from a pose T0 to a pose T1; `mode` counts the knots of the scaling so far."""

    outputs: ClassVar = (
        Port("T", Size((4, 4)), "m", "pose"),
        Port("twist", 6, "m/s, rad/s", "(linear, angular)", elements=TWIST),
        Port("acceleration", 6, "m/s2, rad/s2", "rate of the twist"),
    )

    T0: Real = parameter(default=IDENTITY, unit="m", doc="pose before the start, 4x4", dimensions=(2,))
    T1: Real = parameter(default=IDENTITY, unit="m", doc="pose after the end, 4x4", dimensions=(2,))
    duration: Real = parameter(default=1.0, unit="s", doc="duration of the motion", above=0, dimensions=(0,))
    start: Real = parameter(default=0.0, unit="s", doc="start of the motion", dimensions=(0,))
    method: str = option(default="quintic", doc="shape of s(t)", choices=METHODS)
    speed: Real | None = parameter(
        default=None, unit="1/s", doc="maximum ds/dt of trapezoidal", minimum=0, dimensions=(0,)
    )
    blend_time: Real | None = parameter(
        default=None, unit="s", doc="duration of each parabola of trapezoidal", minimum=0, dimensions=(0,)
    )
    frame: str = option(default="world", doc="axes of twist and acceleration", choices=FRAMES)

    @abstractmethod
    def way(self) -> PosePath:
        """The geometry. Raises GroupError."""

    def check(self) -> None:
        self.checked_way()
        _ = self.motion

    def checked_way(self) -> PosePath:
        """The geometry. Raises ParameterError if T0 or T1 is not a pose."""
        try:
            return self.way()
        except GroupError as error:
            name = str(getattr(error, "name", "T0"))
            expected = f"a pose, 4x4; {str(error).splitlines()[0]}"
            raise ParameterError(self.kind(), name, getattr(self, name), expected) from None

    @cached_property
    def motion(self) -> Pieces:
        """The scaling s(t) from 0 to 1. Raises ParameterError."""
        try:
            return scaling(
                self.duration, start=self.start, method=self.method,  # type: ignore[arg-type]
                speed=self.speed, blend_time=self.blend_time,  # type: ignore[arg-type]
            )  # fmt: skip
        except TrajectoryError as error:
            raise ParameterError(self.kind(), error.argument, error.actual, error.expected) from None

    def constants(self) -> Mapping[str, Array | float]:
        table, way = self.motion.table, self.checked_way()
        return {
            "table": table.reshape(-1, table.shape[2]),
            "first": way.T0,
            "way6": way.way,
            "axes": way.axes,
            "sense": way.sense,
        }

    def timers(self) -> Timer:
        return Timer.at(self.motion.knots.tolist(), closed=True)

    @staticmethod
    def output_twist(
        t: float, mode: int, table: Array, axes: Array, sense: float, way6: Array, twist: Array
    ) -> None:
        s, sd = position_at(table, mode, t), velocity_at(table, mode, t)
        way_twist(axes, sense, way6, s, sd, twist)

    @staticmethod
    def output_acceleration(
        t: float, mode: int, table: Array, axes: Array, sense: float, way6: Array, acceleration: Array
    ) -> None:
        s, sd = position_at(table, mode, t), velocity_at(table, mode, t)
        way_acceleration(axes, sense, way6, s, sd, acceleration_at(table, mode, t), acceleration)
