"""Outputs of flights: position and yaw with their derivatives, of polynomials in time or of curves."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from ...robots.trajectories.curves import FlightCurve, curve_at
from ...robots.trajectories.flight_path import (
    COLUMNS,
    FlightPath,
    vector_at,
    yaw_acceleration_at,
    yaw_at,
    yaw_rate_at,
)
from ...robots.trajectories.motion import TrajectoryError
from ...solvers.events.timer import Timer
from ..contract.block import Block
from ..contract.errors import ParameterError
from ..contract.parameter import Array, Real, option, parameter
from ..contract.port import XYZ, Port

FLIGHT = (
    Port("position", 3, "m", "in the world frame, z down", elements=XYZ),
    Port("velocity", 3, "m/s", elements=XYZ),
    Port("acceleration", 3, "m/s2", elements=XYZ),
    Port("jerk", 3, "m/s3", elements=XYZ),
    Port("snap", 3, "m/s4", elements=XYZ),
    Port("yaw", 1, "rad"),
    Port("yaw_rate", 1, "rad/s"),
    Port("yaw_acceleration", 1, "rad/s2"),
)


class _Flight(Block):
    """Base of flights; `mode` counts the knots so far."""

    outputs: ClassVar = FLIGHT

    @abstractmethod
    def curve(self) -> FlightPath | FlightCurve:
        """The path of the flight. Raises TrajectoryError."""

    def check(self) -> None:
        _ = self.flight

    @cached_property
    def flight(self) -> Any:
        """The flight. Raises ParameterError."""
        try:
            return self.curve()
        except TrajectoryError as error:
            raise ParameterError(self.kind(), error.argument, error.actual, error.expected) from None

    def timers(self) -> Timer:
        # The end belongs to the flight: a run that stops there outputs the last derivatives, not zero.
        return Timer.at(self.flight.knots.tolist(), closed=True)


# The mode is the index of the piece, so the choice of polynomial is frozen within a step. The table has its
# six columns one below the other, because functions of blocks take matrices.


class _PathFlight(_Flight):
    """Base of flights made of polynomials."""

    @property
    def duration(self) -> float:
        """Duration of the flight, s."""
        return float(self.flight.knots[-1] - self.flight.knots[0])

    def constants(self) -> Mapping[str, Array]:
        table = self.flight.table
        return {"table": np.ascontiguousarray(table.reshape(-1, table.shape[2]))}

    @staticmethod
    def output_position(t: float, mode: int, table: Array, position: Array) -> None:
        vector_at(table[COLUMNS * mode :], 0, t, position)

    @staticmethod
    def output_velocity(t: float, mode: int, table: Array, velocity: Array) -> None:
        vector_at(table[COLUMNS * mode :], 1, t, velocity)

    @staticmethod
    def output_acceleration(t: float, mode: int, table: Array, acceleration: Array) -> None:
        vector_at(table[COLUMNS * mode :], 2, t, acceleration)

    @staticmethod
    def output_jerk(t: float, mode: int, table: Array, jerk: Array) -> None:
        vector_at(table[COLUMNS * mode :], 3, t, jerk)

    @staticmethod
    def output_snap(t: float, mode: int, table: Array, snap: Array) -> None:
        vector_at(table[COLUMNS * mode :], 4, t, snap)

    @staticmethod
    def output_yaw(t: float, mode: int, table: Array) -> float:
        return yaw_at(table[COLUMNS * mode :], t)

    @staticmethod
    def output_yaw_rate(t: float, mode: int, table: Array) -> float:
        return yaw_rate_at(table[COLUMNS * mode :], t)

    @staticmethod
    def output_yaw_acceleration(t: float, mode: int, table: Array) -> float:
        return yaw_acceleration_at(table[COLUMNS * mode :], t)


class _CurveFlight(_Flight):
    """Base of flights along curves of sines."""

    frequency: Real = parameter(default=1.0, unit="rad/s", doc="rate of the phase", dimensions=(0,))
    centre: Real = parameter(default=[0.0, 0.0, 0.0], unit="m", dimensions=(1,))
    heading: Real = parameter(default=0.0, unit="rad", doc="the yaw", dimensions=(0,))
    ramp: Real = parameter(
        default=0.0, unit="s", doc="time in which the phase reaches its rate", minimum=0, dimensions=(0,)
    )
    turns: Real | None = parameter(
        default=None,
        unit="1",
        doc="turns of the phase until it rests; default: no end",
        above=0,
        dimensions=(0,),
    )

    along: bool = option(
        default=False, doc="point the nose in the direction of flight; heading is added to it"
    )
    start: Real = parameter(default=0.0, unit="s", doc="start of the flight", dimensions=(0,))

    @property
    def duration(self) -> float:
        """Duration of the flight, s; infinite without `turns`."""
        return np.inf if self.turns is None else float(self.flight.knots[-1] - self.flight.knots[0])

    def options(self) -> dict[str, Any]:
        """Arguments of all curves."""
        return {
            "centre": self.centre, "heading": self.heading, "along": self.along, "ramp": self.ramp,
            "turns": self.turns, "start": self.start,
        }  # fmt: skip

    def constants(self) -> Mapping[str, Array]:
        flight = self.flight
        return {"phases": flight.table, "waves": flight.waves, "facing": flight.facing}

    def longest_step(self) -> float:
        fastest = abs(float(self.frequency)) * max(1.0, float(np.max(abs(self.flight.waves[:, 3]))))  # type: ignore[arg-type]
        return 2.0 * np.pi / fastest / 8

    @staticmethod
    def output(
        t: float, mode: int, waves: Array, facing: Array, phases: Array,
        position: Array, velocity: Array, acceleration: Array, jerk: Array, snap: Array,
    ) -> tuple[float, float, float]:  # fmt: skip
        return curve_at(waves, facing, phases[mode], t, position, velocity, acceleration, jerk, snap)
