"""EKFSLAM: a pose and a map of landmarks together, from odometry and ranges and bearings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ...robots.localization.filters import Workspace, begin_landmark, correct, predict
from ...robots.shapes.ground import estimates
from ..contract.capabilities import Marks
from ..contract.errors import ParameterError, Refusal
from ..contract.parameter import Array, Real, option, parameter
from ..contract.port import PER_LANDMARK, Port, Size, State
from ..contract.random_numbers import tick
from .clocked import check_count
from .dead_reckoning import POSE, copy
from .ekf_localization import LandmarkFilter, Readings, innovation_distance, is_taken, room

NEW = 27.631021115928547  # exceeded once in a million by chi-square with two degrees of freedom
FULL = (
    "there are more landmarks than `count`: give it a larger number, or `beyond` a larger one, where readings"
    " of a landmark in the map are taken for new ones"
)


class Before(NamedTuple):
    """The estimate of the previous tick."""

    x: Array
    P: Array
    present: Array


class Outputs(NamedTuple):
    """Outputs of the block."""

    landmarks: Array
    covariance: Array
    mapped: Array
    associated: Array


class EKFSLAM(LandmarkFilter):
    """The pose of a vehicle and the positions of landmarks by one extended Kalman filter.

        state (x, y, theta, m_0, m_1, ...),   P (3 + 2 count) x (3 + 2 count)

    with the prediction and the correction of EKFLocalization; the derivatives of a reading are with respect
    to pose and landmark. A landmark's first reading adds it to the state, with the covariances that follow
    from the pose's and the reading's. With the association `known`, landmark i belongs to reading i. With
    `nearest` a reading is assigned to the landmark with the smallest squared Mahalanobis distance; it is
    ignored beyond `gate`, and starts a new landmark beyond `beyond`. `landmarks` are the estimated positions,
    (0, 0) where `mapped` is 0. With the default P0 the map is in the axes of the first pose.
    Raises ParameterError as EKFLocalization does; more landmarks than `count` end the run.
    Source: Thrun, Burgard, Fox, Probabilistic Robotics (2005), tables 10.1 and 10.2; Corke, Robotics, Vision
    and Control (2017), section 6.4.

    Example:
        {type: EKFSLAM, count: 2, V: [4.0e-4, 7.6e-5], W: [0.01, 3.0e-4]}
    """

    icon = "EKF\nSLAM"
    states: ClassVar = (State("x", "begin_x"), State("P", "begin_P"), State("present", "none"))

    count: int = option(doc="maximum number of landmarks")
    beyond: Real = parameter(
        default=NEW, unit="1", doc="squared Mahalanobis distance of a new landmark", above=0, infinite=True,
        dimensions=(0,),
    )  # fmt: skip

    def landmark_count(self) -> int:
        check_count(self, "count", 1, 2000)
        return self.count

    def output_ports(self) -> tuple[Port, ...]:
        n = self.landmark_count()
        return (
            POSE,
            Port("landmarks", Size((n, 2)), "m", "rows x, y", size_rule="n x 2, a row per landmark"),
            Port(
                "covariance",
                Size((3 + 2 * n, 3 + 2 * n)),
                "",
                "of pose and landmarks",
                size_rule="(3 + 2 n) x (3 + 2 n), n landmarks",
            ),
            Port(
                "mapped",
                n,
                "",
                "1 if a landmark is in the map, otherwise 0",
                flat=True,
                size_rule=PER_LANDMARK,
            ),
            Port("associated", n, "", "landmark of a reading, or -1", flat=True, size_rule=PER_LANDMARK),
        )

    def constants(self) -> Mapping[str, Any]:
        numbers, n = super().constants(), self.landmark_count()
        x, P = np.zeros(3 + 2 * n), np.zeros((3 + 2 * n, 3 + 2 * n))
        x[:3], P[:3, :3] = numbers["start"], numbers["begin"]
        if not float(self.beyond) >= float(self.gate):  # type: ignore[arg-type]
            raise ParameterError(self.kind(), "beyond", self.beyond, f"at least gate, {self.gate}")
        return {**numbers, "begin_x": x, "begin_P": P, "none": np.zeros(n)}

    def scratch(self) -> Mapping[str, tuple[int, ...]]:
        n = 3 + 2 * self.landmark_count()
        return {**room(n), "estimate": (n,)}

    def marks(self) -> Iterator[Marks]:
        yield from super().marks()
        n = self.landmark_count()

        def placed(size: float, landmarks: Array, covariance: Array) -> Array:
            blocks = covariance[:, 3:, 3:].reshape(-1, n, 2, n, 2)
            return estimates(landmarks, np.moveaxis(np.diagonal(blocks, 0, 1, 3), -1, 1), 0.15 * size)

        yield Marks(("landmarks", "covariance"), placed)

    @staticmethod
    def output(
        t: float, sample_time: float, offset: float, odometry: Array, readings: Readings, before: Before,
        drift: Array, beyond: float, room: Workspace, estimate: Array, pose: Array, shown: Outputs,
    ) -> None:  # fmt: skip
        copy(before.x, before.P, estimate, shown.covariance)
        if tick(t, offset, sample_time) > 0.0:
            predict(estimate, shown.covariance, odometry, drift)
        for k in range(shown.mapped.shape[0]):
            shown.mapped[k] = before.present[k]
        for i in range(readings.seen.shape[0]):
            shown.associated[i] = -1.0
            if readings.seen[i] >= 0.5:
                take_in(estimate, readings, i, beyond, room, shown)
        for k in range(3):
            pose[k] = estimate[k]
        for k in range(shown.mapped.shape[0]):
            shown.landmarks[k, 0], shown.landmarks[k, 1] = estimate[3 + 2 * k], estimate[4 + 2 * k]

    @staticmethod
    def update(
        pose: Array, landmarks: Array, covariance: Array, mapped: Array,
        next_x: Array, next_P: Array, next_present: Array,
    ) -> None:  # fmt: skip
        for k in range(3):
            next_x[k] = pose[k]
        for k in range(mapped.shape[0]):
            next_x[3 + 2 * k], next_x[4 + 2 * k] = landmarks[k, 0], landmarks[k, 1]
            next_present[k] = mapped[k]
        for i in range(covariance.shape[0]):
            for j in range(covariance.shape[0]):
                next_P[i, j] = covariance[i, j]


def take_in(x: Array, readings: Readings, i: int, beyond: float, room: Workspace, shown: Outputs) -> None:
    """Correct by reading i, or begin its landmark. Raises Refusal if the map is full."""
    P, k = shown.covariance, i
    if readings.knows == 0.0:
        k, distance = nearest_in_map(x, readings, i, room, shown)
        if distance > readings.gate:
            if distance <= beyond:
                return
            k = 0
            while k < shown.mapped.shape[0] and shown.mapped[k] == 1.0:
                k += 1
            if k == shown.mapped.shape[0]:
                raise Refusal(FULL)
    shown.associated[i] = k
    at = 3 + 2 * k
    if shown.mapped[k] == 1.0:
        innovation_distance(x, P, readings, i, x[at], x[at + 1], at, room)
        correct(x, P, room)
    else:
        begin_landmark(x, P, at, readings.ranges[i], readings.bearings[i], readings.blur)
        shown.mapped[k] = 1.0


def nearest_in_map(
    x: Array, readings: Readings, i: int, room: Workspace, shown: Outputs
) -> tuple[int, float]:
    """The landmark in the map with the smallest Mahalanobis distance from reading i, and the distance."""
    best, least = -1, np.inf
    for k in range(shown.mapped.shape[0]):
        if shown.mapped[k] == 0.0 or is_taken(k, shown.associated, i):
            continue
        at = 3 + 2 * k
        distance = innovation_distance(x, shown.covariance, readings, i, x[at], x[at + 1], at, room)
        if distance < least:
            best, least = k, distance
    return best, least
