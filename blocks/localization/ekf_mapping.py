"""EKFMapping: a map of landmarks from their ranges and bearings, seen from known poses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import KW_ONLY
from typing import Any, ClassVar

import numpy as np

from ...robots.lie.kernels.angles import wrap_angle
from ...robots.localization.filters import Workspace, correct, innovate
from ...robots.localization.models import locate_point, range_bearing, range_bearing_slopes
from ...robots.shapes.ground import estimates
from ..contract.capabilities import Marks
from ..contract.errors import Refusal
from ..contract.parameter import Array, Real, option, parameter
from ..contract.port import PER_LANDMARK, Port, Size, State
from ..estimation.covariance import covariance
from .clocked import ClockedBlock, check_count
from .ekf_localization import NO_COVARIANCE, room
from .known_world import readings_ports
from .range_bearing import W_PUBLISHED


class EKFMapping(ClockedBlock):
    """The positions of landmarks, by an extended Kalman filter for each, from known poses.

        m <- m + K (z - h(pose, m)),   P <- (I - K H) P (I - K H)' + K W K',   H = dh/dm

    A landmark's first reading places it, with the covariance that follows from W. Reading i is of landmark i,
    as output by RangeBearing. `covariance` has two rows for each landmark. `landmarks` are (0, 0) where
    `mapped` is 0. Raises ParameterError for a W that is not a positive covariance; a pose on a landmark that
    is measured ends the run. Source: Corke, Robotics, Vision and Control (2017), section 6.3.

    Example:
        {type: EKFMapping, count: 2, W: [0.01, 3.0e-4]}
    """

    icon = "EKF\nmapping"
    states: ClassVar = (State("m", "zero"), State("P", "no_spread"), State("present", "none"))

    count: int = option(doc="landmarks")
    _: KW_ONLY
    W: Real = parameter(
        default=list(W_PUBLISHED), unit="m2, rad2", doc="covariance of a reading", dimensions=(0, 1, 2)
    )

    def input_ports(self) -> tuple[Port, ...]:
        return (Port("pose", 3, "m, m, rad", "x, y and heading"), *readings_ports(self.count))

    def output_ports(self) -> tuple[Port, ...]:
        return (
            Port("landmarks", Size((self.count, 2)), "m", "rows x, y", size_rule="n x 2, a row per landmark"),
            Port(
                "covariance",
                Size((2 * self.count, 2)),
                "m2",
                "two rows for each landmark",
                size_rule="2 n x 2, two rows per landmark",
            ),
            Port(
                "mapped",
                self.count,
                "",
                "1 if a landmark is in the map, otherwise 0",
                flat=True,
                size_rule=PER_LANDMARK,
            ),
        )

    def constants(self) -> Mapping[str, Any]:
        n = self.count
        check_count(self, "count", 1, 100_000)
        return {
            "blur": covariance(self, "W", 2, positive=True),
            "zero": np.zeros((n, 2)), "no_spread": np.zeros((2 * n, 2)), "none": np.zeros(n),
        }  # fmt: skip

    def scratch(self) -> Mapping[str, tuple[int, ...]]:
        return room(2)

    def marks(self) -> Iterator[Marks]:
        def placed(size: float, landmarks: Array, covariance: Array) -> Array:
            return estimates(landmarks, covariance.reshape(-1, self.count, 2, 2), 0.15 * size)

        yield Marks(("landmarks", "covariance"), placed)

    @staticmethod
    def output(
        pose: Array, ranges: Array, bearings: Array, seen: Array, blur: Array, m: Array, P: Array,
        present: Array, room: Workspace, landmarks: Array, covariance: Array, mapped: Array,
    ) -> None:  # fmt: skip
        copy_map(m, P, present, landmarks, covariance, mapped)
        for i in range(seen.shape[0]):
            if seen[i] < 0.5:
                continue
            spread = covariance[2 * i : 2 * i + 2]
            if mapped[i] == 0.0:
                landmarks[i, 0], landmarks[i, 1] = locate_point(pose, ranges[i], bearings[i])
                first_spread(pose, landmarks[i], ranges[i], blur, spread)
                mapped[i] = 1.0
            else:
                improve(pose, ranges[i], bearings[i], blur, landmarks[i], spread, room)

    @staticmethod
    def update(
        landmarks: Array, covariance: Array, mapped: Array, next_m: Array, next_P: Array, next_present: Array
    ) -> None:
        copy_map(landmarks, covariance, mapped, next_m, next_P, next_present)


def copy_map(m: Array, P: Array, present: Array, next_m: Array, next_P: Array, next_present: Array) -> None:
    """Landmarks, their covariances, and which are mapped."""
    for i in range(present.shape[0]):
        next_present[i] = present[i]
        for j in range(2):
            next_m[i, j] = m[i, j]
            next_P[2 * i, j], next_P[2 * i + 1, j] = P[2 * i, j], P[2 * i + 1, j]


def first_spread(pose: Array, at: Array, distance: float, W: Array, P: Array) -> None:
    """The covariance of a landmark that one reading has placed."""
    dx, dy = at[0] - pose[0], at[1] - pose[1]
    c, s = dx / distance, dy / distance
    v, o, w = W[0, 0], W[0, 1], W[1, 1]
    P[0, 0] = c * c * v - 2.0 * c * dy * o + dy * dy * w
    P[1, 1] = s * s * v + 2.0 * s * dx * o + dx * dx * w
    P[0, 1] = P[1, 0] = c * s * v + (c * dx - s * dy) * o - dx * dy * w


def improve(
    pose: Array, distance: float, bearing: float, W: Array, at: Array, P: Array, room: Workspace
) -> None:
    """Correct a landmark by a reading. Raises Refusal if the pose is on it."""
    r, beta = range_bearing(pose, at[0], at[1])
    if r == 0.0:
        raise Refusal(
            "the pose is on a landmark, whose direction is not defined: let the sensor leave out short ranges"
            " (minimum)"
        )
    range_bearing_slopes(pose, at[0], at[1], room.H)
    for k in range(2):
        room.columns[k] = k
        room.H[k, 0], room.H[k, 1] = room.H[k, 3], room.H[k, 4]
    room.e[0], room.e[1] = distance - r, wrap_angle(bearing - beta)
    if innovate(P, W, room, 2) < 0.0:
        raise Refusal(NO_COVARIANCE)
    correct(at, P, room)
