"""UKFLocalization: a pose from odometry and known landmarks, by sigma points."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from typing import NamedTuple

from ...robots.lie.kernels.angles import wrap_angle
from ...robots.localization.models import move_pose, range_bearing
from ..contract.errors import Refusal
from ..contract.parameter import Array, Real, parameter
from ..contract.random_numbers import tick
from ..estimation.cholesky import cholesky
from .dead_reckoning import Odometer, copy
from .ekf_localization import NO_COVARIANCE, Estimate, PoseFilter, Readings, is_taken
from .known_world import Fix, has_fix

KNOWN_EXACTLY = 1e-15  # relative to a variance: a smaller remainder, given the others, is rounding
WITH_NOISE = 5  # elements of a pose and of the noise of an increment


class Scaling(NamedTuple):
    """Spread and weights of the sigma points; point 0 is the mean itself."""

    alpha: float
    beta: float
    kappa: float


class Sigma(NamedTuple):
    """Workspace for sigma points."""

    joint: Array  # (5, 5), covariance of pose and noise
    root: Array  # (5, 5)
    sent: Array  # (11, 3), sigma points of the pose
    shown: Array  # (7, 2), sigma points of a reading, minus the reading of the mean
    trial: Array  # (3,)
    shift: Array  # (3,)
    cross: Array  # (3, 2)
    gain: Array  # (3, 2)
    S: Array  # (2, 2)


class UKFLocalization(PoseFilter):
    """The pose of a vehicle by an unscented Kalman filter: odometry, known landmarks, measured positions.

    The model and the readings are as in EKFLocalization. Instead of derivatives, it uses sigma points: 11 of
    pose and increment for the motion, 7 of the pose for each reading,

        x_0 = x,   x_i = x +- sqrt((n + lambda) P)_i,   lambda = alpha^2 (n + kappa) - n
        weights lambda / (n + lambda), 1 / (2 (n + lambda)), and 1 - alpha^2 + beta more for the covariance

    Means of angles are means of wrapped differences from the central point, so nothing jumps. Readings are
    associated, and measured positions used, as in EKFLocalization.
    Raises ParameterError as EKFLocalization does.
    Source: Julier, Uhlmann, Proceedings of the IEEE 92(3), 2004, 401-422, doi:10.1109/JPROC.2003.823141;
    Wan, van der Merwe, AS-SPCC 2000, doi:10.1109/ASSPCC.2000.882463.

    Example:
        {type: UKFLocalization, landmarks: [[10, 0], [0, 10]], P0: [0.01, 0.01, 0.001]}
    """

    icon = "UKF"

    alpha: Real = parameter(
        default=1.0, unit="1", doc="spread of the sigma points", above=0, maximum=1, dimensions=(0,)
    )
    beta: Real = parameter(
        default=2.0, unit="1", doc="2 for normal distributions", minimum=0, dimensions=(0,)
    )
    kappa: Real = parameter(
        default=0.0, unit="1", doc="second parameter of the spread", minimum=0, dimensions=(0,)
    )

    def scratch(self) -> Mapping[str, tuple[int, ...]]:
        return {
            **super().scratch(), "joint": (5, 5), "root": (5, 5), "sent": (11, 3), "shown": (7, 2),
            "trial": (3,), "shift": (3,), "cross": (3, 2), "gain": (3, 2), "S": (2, 2),
        }  # fmt: skip

    @staticmethod
    def output(
        t: float, sample_time: float, offset: float, odometer: Odometer, readings: Readings, rows: Array,
        fix: Fix, x: Array, P: Array, scaling: Scaling, sigma: Sigma, estimate: Estimate,
    ) -> None:  # fmt: skip
        pose, covariance, associated = estimate.pose, estimate.covariance, estimate.associated
        count = tick(t, offset, sample_time)
        copy(x, P, pose, covariance)
        if count > 0.0:
            carry(pose, covariance, odometer.odometry, odometer.drift, scaling, sigma)
        if has_fix(fix.fixed, count):
            expect_position(pose, covariance, fix, sigma)
            improve(pose, covariance, sigma)
        for i in range(readings.seen.shape[0]):
            associated[i] = -1.0
            if readings.seen[i] < 0.5:
                continue
            best = i
            if readings.knows == 0.0:
                best, least = -1, readings.gate
                for k in range(rows.shape[0]):
                    if not is_taken(k, associated, i):
                        distance = innovation_distance(pose, covariance, readings, i, rows[k], scaling, sigma)
                        if distance <= least:
                            best, least = k, distance
            if best >= 0:
                associated[i] = best
                innovation_distance(pose, covariance, readings, i, rows[best], scaling, sigma)
                improve(pose, covariance, sigma)


def spread(n: int, scaling: Scaling) -> float:
    """n + lambda."""
    return scaling.alpha * scaling.alpha * (n + scaling.kappa)


def carry(pose: Array, P: Array, odometry: Array, V: Array, scaling: Scaling, sigma: Sigma) -> None:
    """The mean and covariance after an increment, by sigma points of pose and increment."""
    n = WITH_NOISE
    for i in range(n):
        for j in range(n):
            sigma.joint[i, j] = 0.0
    for i in range(3):
        for j in range(3):
            sigma.joint[i, j] = P[i, j]
    for i in range(2):
        for j in range(2):
            sigma.joint[3 + i, 3 + j] = V[i, j]
    cholesky(n, sigma.joint, sigma.root, KNOWN_EXACTLY)
    far = sqrt(spread(n, scaling))
    for m in range(2 * n + 1):
        column, way = (m - 1) // 2, (0.0 if m == 0 else (far if m % 2 == 1 else -far))
        for i in range(3):
            sigma.trial[i] = pose[i] + (way * sigma.root[i, column] if m > 0 else 0.0)
        d = odometry[0] + (way * sigma.root[3, column] if m > 0 else 0.0)
        turn = odometry[1] + (way * sigma.root[4, column] if m > 0 else 0.0)
        move_pose(sigma.trial, d, turn, sigma.sent[m])
    scale = spread(n, scaling)
    for i in range(3):
        total = 0.0
        for m in range(1, 2 * n + 1):
            total += sigma.sent[m, i] - sigma.sent[0, i]
        sigma.shift[i] = 0.5 * total / scale
    first = (scale - n) / scale + 1.0 - scaling.alpha * scaling.alpha + scaling.beta
    for i in range(3):
        for j in range(i + 1):
            total = first * sigma.shift[i] * sigma.shift[j]
            for m in range(1, 2 * n + 1):
                one = sigma.sent[m, i] - sigma.sent[0, i] - sigma.shift[i]
                two = sigma.sent[m, j] - sigma.sent[0, j] - sigma.shift[j]
                total += 0.5 * one * two / scale
            P[i, j] = P[j, i] = total
    for i in range(3):
        pose[i] = sigma.sent[0, i] + sigma.shift[i]


def innovation_distance(
    pose: Array, P: Array, readings: Readings, i: int, at: Array, scaling: Scaling, sigma: Sigma
) -> float:
    """The squared Mahalanobis distance of reading i from a landmark's reading; fills `sigma` for `improve`.

    Raises Refusal if rounding has left no covariance.
    """
    n, scale = 3, spread(3, scaling)
    cholesky(n, P, sigma.root, KNOWN_EXACTLY)
    r, beta = range_bearing(pose, at[0], at[1])
    far = sqrt(scale)
    for m in range(2 * n + 1):
        column, way = (m - 1) // 2, (0.0 if m == 0 else (far if m % 2 == 1 else -far))
        for k in range(n):
            sigma.trial[k] = pose[k] + (way * sigma.root[k, column] if m > 0 else 0.0)
        shown, angle = range_bearing(sigma.trial, at[0], at[1])
        sigma.shown[m, 0], sigma.shown[m, 1] = shown - r, wrap_angle(angle - beta)
    for k in range(2):
        total = 0.0
        for m in range(1, 2 * n + 1):
            total += sigma.shown[m, k]
        sigma.shift[k] = 0.5 * total / scale
    first = (scale - n) / scale + 1.0 - scaling.alpha * scaling.alpha + scaling.beta
    for k in range(2):
        for j in range(2):
            total = readings.blur[k, j] + first * sigma.shift[k] * sigma.shift[j]
            for m in range(1, 2 * n + 1):
                total += (
                    0.5 * (sigma.shown[m, k] - sigma.shift[k]) * (sigma.shown[m, j] - sigma.shift[j]) / scale
                )
            sigma.S[k, j] = total
    for k in range(n):
        for j in range(2):
            # points m and m + 1 are at +-far root[:, column] of the mean
            total = 0.0
            for m in range(1, 2 * n + 1, 2):
                total += sigma.root[k, (m - 1) // 2] * (sigma.shown[m, j] - sigma.shown[m + 1, j])
            sigma.cross[k, j] = 0.5 * far * total / scale
    sigma.shift[0] = readings.ranges[i] - r - sigma.shift[0]
    sigma.shift[1] = wrap_angle(readings.bearings[i] - beta - sigma.shift[1])
    check_positive(sigma.S)
    a, b, c = sigma.S[0, 0], sigma.S[0, 1], sigma.S[1, 1]
    return (  # type: ignore[no-any-return]
        c * sigma.shift[0] * sigma.shift[0]
        - 2.0 * b * sigma.shift[0] * sigma.shift[1]
        + a * sigma.shift[1] * sigma.shift[1]
    ) / (a * c - b * b)


def expect_position(pose: Array, P: Array, fix: Fix, sigma: Sigma) -> None:
    """Fill the data of `improve` for a measured position, which is linear in the pose."""
    for k in range(2):
        sigma.shift[k] = fix.measured_position[k] - pose[k]
        for j in range(2):
            sigma.S[k, j] = P[k, j] + fix.blunt[k, j]
        for i in range(3):
            sigma.cross[i, k] = P[i, k]
    check_positive(sigma.S)


def check_positive(S: Array) -> None:
    """Raise Refusal if rounding has left no covariance."""
    if not (S[0, 0] > 0.0 and S[0, 0] * S[1, 1] - S[0, 1] * S[0, 1] > 0.0):
        raise Refusal(NO_COVARIANCE)


def improve(pose: Array, P: Array, sigma: Sigma) -> None:
    """x <- x + K e,  P <- P - K S K',  K = cross S^-1."""
    a, b, c = sigma.S[0, 0], sigma.S[0, 1], sigma.S[1, 1]
    determinant = a * c - b * b
    for k in range(3):
        one, two = sigma.cross[k, 0], sigma.cross[k, 1]
        sigma.gain[k, 0], sigma.gain[k, 1] = (
            (c * one - b * two) / determinant,
            (a * two - b * one) / determinant,
        )
        pose[k] += sigma.gain[k, 0] * sigma.shift[0] + sigma.gain[k, 1] * sigma.shift[1]
    for k in range(3):
        for j in range(k + 1):
            lost = sigma.gain[k, 0] * sigma.cross[j, 0] + sigma.gain[k, 1] * sigma.cross[j, 1]
            also = sigma.gain[j, 0] * sigma.cross[k, 0] + sigma.gain[j, 1] * sigma.cross[k, 1]
            P[k, j] = P[j, k] = P[k, j] - 0.5 * (lost + also)
