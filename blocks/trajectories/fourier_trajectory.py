"""FourierTrajectory: joints along finite Fourier series, such as the exciting motions of identification."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, ClassVar

from ...robots.identification.excitation import FourierSeries, fourier_series, series_at
from ...robots.trajectories.motion import TrajectoryError
from ...solvers.events.timer import Timer
from ..contract.block import Block
from ..contract.errors import ParameterError
from ..contract.parameter import Array, Real, option, parameter
from ..contract.port import Port, Size
from .motion import ORDERS


class FourierTrajectory(Block):
    """Periodic motion of joints with N harmonics, omega = 2 pi / period, t counted from `start`.

        q  = centre + sum_k (a_k sin(k omega t) - b_k cos(k omega t)) / (k omega)
        qd = sum_k (a_k cos(k omega t) + b_k sin(k omega t))

    `a` and `b` hold a row for each joint and a number for each harmonic. The motion lasts `periods` periods;
    before and after, the joints rest where the series begins. Start and end are time events; if the sums of
    a_k and of k b_k are 0 for every joint, as in `robots.exciting_trajectory`, the motion begins and ends at
    rest, without jumps. No step of the solver is longer than an eighth of the shortest period. Raises
    ParameterError for arrays whose sizes disagree.
    Source: Swevers, Ganseman, Tukel, De Schutter, Van Brussel, Optimal robot excitation and identification,
    IEEE Trans. Robotics and Automation 13(5), 1997.

    Example:
        {type: FourierTrajectory, period: 10, centre: [0, 0], a: [[1, -1], [0.5, -0.5]], b: [[2, -1], [0, 0]]}
    """

    icon = "periodic"
    outputs: ClassVar = (
        Port("q", None, "rad or m", "position"),
        Port("qd", None, "rad/s or m/s", "velocity"),
        Port("qdd", None, "rad/s2 or m/s2", "acceleration"),
        Port("jerk", None, "rad/s3 or m/s3", "rate of the acceleration"),
    )

    period: Real = parameter(unit="s", doc="period of the first harmonic", above=0, dimensions=(0,))
    centre: Real = parameter(unit="rad or m", doc="mean of q, by joint", dimensions=(1,))
    a: Real = parameter(unit="rad/s or m/s", doc="cosines of qd: a row per joint", dimensions=(2,))
    b: Real = parameter(unit="rad/s or m/s", doc="sines of qd: a row per joint", dimensions=(2,))
    periods: int = option(default=1, doc="number of periods")
    start: Real = parameter(default=0.0, unit="s", doc="start of the motion", dimensions=(0,))

    def check(self) -> None:
        _ = self.motion

    @cached_property
    def motion(self) -> FourierSeries:
        """The series. Raises ParameterError."""
        try:
            return fourier_series(
                self.period, self.centre, self.a, self.b,  # type: ignore[arg-type]
                periods=self.periods, start=self.start,  # type: ignore[arg-type]
            )  # fmt: skip
        except TrajectoryError as error:
            raise ParameterError(self.kind(), error.argument, error.actual, error.expected) from None

    def constants(self) -> Mapping[str, Array]:
        return {"waves": self.motion.waves, "clock": self.motion.clock}

    def sizes(self, inputs: Mapping[str, Size | None]) -> Mapping[str, Size]:
        return dict.fromkeys(ORDERS, Size(self.motion.centre.shape))

    def timers(self) -> Timer:
        return Timer.at([self.motion.start, self.motion.end], closed=True)

    def longest_step(self) -> float:
        return float(self.motion.period / self.motion.a.shape[1] / 8)

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        return {
            "output_q": positions, "output_qd": velocities,
            "output_qdd": accelerations, "output_jerk": jerks,
        }  # fmt: skip


def positions(t: float, mode: int, waves: Array, clock: Array, q: Array) -> None:
    series_at(waves, clock, mode, t, 0, q)


def velocities(t: float, mode: int, waves: Array, clock: Array, qd: Array) -> None:
    series_at(waves, clock, mode, t, 1, qd)


def accelerations(t: float, mode: int, waves: Array, clock: Array, qdd: Array) -> None:
    series_at(waves, clock, mode, t, 2, qdd)


def jerks(t: float, mode: int, waves: Array, clock: Array, jerk: Array) -> None:
    series_at(waves, clock, mode, t, 3, jerk)
