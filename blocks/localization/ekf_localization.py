"""EKFLocalization: a pose from odometry and the ranges and bearings of known landmarks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np

from ...robots.lie.kernels.angles import wrap_angle
from ...robots.localization.filters import Workspace, correct, innovate, predict
from ...robots.localization.models import range_bearing, range_bearing_slopes
from ..contract.errors import Refusal
from ..contract.parameter import Array, Real, option, parameter
from ..contract.port import PER_LANDMARK, Port
from ..contract.random_numbers import tick
from ..estimation.covariance import covariance
from .dead_reckoning import COVARIANCE, ODOMETRY, POSE, STATES, Odometer, OdometryFilter, copy, keep
from .known_world import Fix, KnownWorld, has_fix, readings_ports
from .range_bearing import W_PUBLISHED

NO_COVARIANCE = (
    "the covariance of the innovation is not positive: W is too small compared with P0 for 16 digits;"
    " give P0 smaller values, or W and position_covariance larger ones"
)
GATE = 13.815510557964274  # exceeded once in a thousand by chi-square with two degrees of freedom


class Readings(NamedTuple):
    """The readings of a RangeBearing, their covariance and their association."""

    ranges: Array
    bearings: Array
    seen: Array
    blur: Array  # W
    knows: float  # 1 if reading i is of landmark i
    gate: float


class LandmarkFilter(OdometryFilter):
    """The common part of filters of ranges and bearings."""

    abstract: ClassVar = True

    _: KW_ONLY
    W: Real = parameter(
        default=list(W_PUBLISHED), unit="m2, rad2", doc="covariance of a reading", dimensions=(0, 1, 2)
    )
    association: Literal["known", "nearest"] = option(
        default="known",
        doc="reading i is of landmark i, or of the nearest by Mahalanobis distance",
        choices=("known", "nearest"),
    )
    gate: Real = parameter(
        default=GATE,
        unit="1",
        doc="maximum squared Mahalanobis distance",
        above=0,
        infinite=True,
        dimensions=(0,),
    )

    def landmark_count(self) -> int:
        """Number of readings."""
        raise NotImplementedError

    def input_ports(self) -> tuple[Port, ...]:
        n = self.landmark_count()
        return (ODOMETRY, *readings_ports(n))

    def constants(self) -> Mapping[str, Any]:
        return {
            **super().constants(), "blur": covariance(self, "W", 2, positive=True),
            "knows": 1.0 if self.association == "known" else 0.0,
        }  # fmt: skip


class PoseFilter(KnownWorld, LandmarkFilter):
    """The common part of Kalman filters for a pose in a given world."""

    abstract: ClassVar = True
    states: ClassVar = STATES

    def input_ports(self) -> tuple[Port, ...]:
        return (ODOMETRY, *self.world_ports())

    def output_ports(self) -> tuple[Port, ...]:
        if self.landmarks is None:
            return (POSE, COVARIANCE)
        n = len(np.atleast_1d(np.asarray(self.landmarks, np.float64)))
        return (
            POSE,
            COVARIANCE,
            Port("associated", n, "", "landmark of a reading, or -1", flat=True, size_rule=PER_LANDMARK),
        )

    def check(self) -> None:
        self.check_world()
        super().check()

    def scratch(self) -> Mapping[str, tuple[int, ...]]:
        return {} if self.landmarks is not None else {"associated": (1,)}

    update = staticmethod(keep)


def room(n: int) -> Mapping[str, tuple[int, ...]]:
    """The shapes of the workspace for n states."""
    return {
        "H": (2, 5), "columns": (5,), "B": (2, n), "K": (2, n), "S": (2, 2), "inverse": (2, 2), "e": (2,)
    }  # fmt: skip


class Estimate(NamedTuple):
    """The outputs: the pose, its covariance, and the landmark of each reading."""

    pose: Array
    covariance: Array
    associated: Array


class EKFLocalization(PoseFilter):
    """The pose of a vehicle by an extended Kalman filter: odometry, known landmarks, measured positions.

        x <- f(x, odometry),   P <- F P F' + G V G'              at each tick but the first
        x <- x + K (z - h(x)),   P <- (I - K H) P (I - K H)' + K W K'    for each reading

    h is the range and bearing of a landmark; differences of bearings are wrapped, and all derivatives are
    taken of f and h at the estimate. Readings come from a RangeBearing with the same `sample_time`; they feed
    through to the estimate directly. With the association `known`, reading i is of landmark i. With `nearest`
    it is assigned to the landmark with the smallest squared Mahalanobis distance (z - h)' S^-1 (z - h), with
    each landmark at most once per tick; beyond `gate` it is ignored. `associated` gives the landmark for each
    reading, or -1. V and W are covariances in m2 and rad2, P0 the covariance of `initial_pose`, the pose at
    the first tick. With `position_covariance`, m2, the filter also uses a measured position, such as the
    output of a PlanarGPS without drift whose `sample_time` is `position_every` times the filter's. Raises
    ParameterError if there are neither landmarks nor positions, for matrices that are not covariances or not
    positive, and for coinciding landmarks; a pose on a landmark whose bearing is measured ends the run.
    Source: Thrun, Burgard, Fox, Probabilistic Robotics (2005), tables 7.2 and 7.3; Corke, Robotics, Vision
    and Control (2017), section 6.2.

    Example:
        {type: EKFLocalization, landmarks: [[10, 0], [0, 10]], P0: [0.01, 0.01, 0.001]}
    """

    icon = "EKF"

    def scratch(self) -> Mapping[str, tuple[int, ...]]:
        return {**super().scratch(), **room(3)}

    @staticmethod
    def output(
        t: float, sample_time: float, offset: float, odometer: Odometer, readings: Readings, rows: Array,
        fix: Fix, x: Array, P: Array, room: Workspace, estimate: Estimate,
    ) -> None:  # fmt: skip
        pose, covariance, associated = estimate.pose, estimate.covariance, estimate.associated
        count = tick(t, offset, sample_time)
        copy(x, P, pose, covariance)
        if count > 0.0:
            predict(pose, covariance, odometer.odometry, odometer.drift)
        if has_fix(fix.fixed, count):
            see_position(pose, covariance, fix, room)
        for i in range(readings.seen.shape[0]):
            associated[i] = -1.0
            if readings.seen[i] < 0.5:
                continue
            best = (
                i if readings.knows == 1.0 else nearest(pose, covariance, readings, i, rows, associated, room)
            )
            if best >= 0:
                associated[i] = best
                innovation_distance(pose, covariance, readings, i, rows[best, 0], rows[best, 1], -1, room)
                correct(pose, covariance, room)


def see_position(x: Array, P: Array, fix: Fix, room: Workspace) -> None:
    """Correct by a measured position: x and y directly. Raises Refusal as `innovation_distance` does."""
    for k in range(2):
        room.columns[k], room.e[k] = k, fix.measured_position[k] - x[k]
        room.H[k, k], room.H[k, 1 - k] = 1.0, 0.0
    if innovate(P, fix.blunt, room, 2) < 0.0:
        raise Refusal(NO_COVARIANCE)
    correct(x, P, room)


def nearest(
    pose: Array, P: Array, readings: Readings, i: int, rows: Array, associated: Array, room: Workspace
) -> int:
    """The landmark of reading i with the smallest Mahalanobis distance within the gate, or -1.

    Landmarks already assigned to earlier readings are left out.
    """
    best, least = -1, readings.gate
    for k in range(rows.shape[0]):
        if is_taken(k, associated, i):
            continue
        distance = innovation_distance(pose, P, readings, i, rows[k, 0], rows[k, 1], -1, room)
        if distance <= least:
            best, least = k, distance
    return best


def is_taken(k: int, associated: Array, count: int) -> bool:
    """True if one of the first readings is of landmark k."""
    one = False
    for i in range(count):
        one = one or associated[i] == k
    return one


def innovation_distance(
    x: Array, P: Array, readings: Readings, i: int, px: float, py: float, at: int, room: Workspace
) -> float:
    """The squared Mahalanobis distance of reading i from the expected reading of a landmark at (px, py).

    Its states are at, at + 1; with at = -1 it is not among the states. Raises Refusal if the pose is on the
    landmark, and if rounding has left no covariance.
    """
    r, beta = range_bearing(x, px, py)
    if r == 0.0:
        raise Refusal(
            "the estimated pose is on a landmark, whose direction is not defined: check the landmarks,"
            " or let the sensor leave out short ranges (minimum)"
        )
    range_bearing_slopes(x, px, py, room.H)
    for k in range(3):
        room.columns[k] = k
    room.columns[3], room.columns[4] = at, at + 1
    room.e[0], room.e[1] = readings.ranges[i] - r, wrap_angle(readings.bearings[i] - beta)
    distance = innovate(P, readings.blur, room, 3 if at < 0 else 5)
    if distance < 0.0:
        raise Refusal(NO_COVARIANCE)
    return distance
