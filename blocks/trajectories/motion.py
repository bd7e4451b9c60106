"""Outputs of joint motions: position, velocity, acceleration and jerk from a table of polynomials."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, ClassVar

from ...robots.trajectories.motion import Pieces, TrajectoryError
from ...robots.trajectories.polynomial import acceleration_at, jerk_at, position_at, velocity_at
from ...solvers.events.timer import Timer
from ..contract.block import Block
from ..contract.errors import ParameterError
from ..contract.parameter import Array
from ..contract.port import Port, Size

ORDERS = ("q", "qd", "qdd", "jerk")


class _JointMotion(Block):
    """Base of sources made of polynomials in time; `mode` counts the knots so far."""

    outputs: ClassVar = (
        Port("q", None, "rad or m", "position"),
        Port("qd", None, "rad/s or m/s", "velocity"),
        Port("qdd", None, "rad/s2 or m/s2", "acceleration"),
        Port("jerk", None, "rad/s3 or m/s3", "rate of the acceleration"),
    )

    @abstractmethod
    def pieces(self) -> Pieces:
        """The polynomials and their knots. Raises TrajectoryError."""

    def check(self) -> None:
        _ = self.motion

    @cached_property
    def motion(self) -> Pieces:
        """The polynomials and their knots. Raises ParameterError."""
        try:
            return self.pieces()
        except TrajectoryError as error:
            raise ParameterError(self.kind(), error.argument, error.actual, error.expected) from None

    def constants(self) -> Mapping[str, Array]:
        table = self.motion.table
        return {"table": table.reshape(-1, table.shape[2])}

    def sizes(self, inputs: Mapping[str, Size | None]) -> Mapping[str, Size]:
        pieces = self.motion
        size = Size(() if pieces.scalar else pieces.table.shape[1:2])
        return dict.fromkeys(ORDERS, size)

    def timers(self) -> Timer:
        # The end belongs to the motion: a run that stops there outputs the last derivatives, not zero.
        return Timer.at(self.motion.knots.tolist(), closed=True)

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        if self.motion.scalar:
            return {
                "output_q": position, "output_qd": velocity,
                "output_qdd": acceleration, "output_jerk": jerk,
            }  # fmt: skip
        return {
            "output_q": positions, "output_qd": velocities,
            "output_qdd": accelerations, "output_jerk": jerks,
        }  # fmt: skip


# The mode counts the knots that have passed, so it is the index of the piece; the table holds n rows for each
# piece, one per joint. The choice of polynomial is thus frozen within a step, and t is never compared with
# knots.


def position(t: float, mode: int, table: Array) -> float:
    return position_at(table, mode, t)


def velocity(t: float, mode: int, table: Array) -> float:
    return velocity_at(table, mode, t)


def acceleration(t: float, mode: int, table: Array) -> float:
    return acceleration_at(table, mode, t)


def jerk(t: float, mode: int, table: Array) -> float:
    return jerk_at(table, mode, t)


def positions(t: float, mode: int, table: Array, q: Array) -> None:
    for i in range(q.shape[0]):
        q[i] = position_at(table, mode * q.shape[0] + i, t)


def velocities(t: float, mode: int, table: Array, qd: Array) -> None:
    for i in range(qd.shape[0]):
        qd[i] = velocity_at(table, mode * qd.shape[0] + i, t)


def accelerations(t: float, mode: int, table: Array, qdd: Array) -> None:
    for i in range(qdd.shape[0]):
        qdd[i] = acceleration_at(table, mode * qdd.shape[0] + i, t)


def jerks(t: float, mode: int, table: Array, jerk: Array) -> None:
    for i in range(jerk.shape[0]):
        jerk[i] = jerk_at(table, mode * jerk.shape[0] + i, t)
