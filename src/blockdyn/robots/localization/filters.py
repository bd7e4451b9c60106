"""Filters estimate a pose in the plane: an extended Kalman filter with landmarks, and particles."""

from __future__ import annotations

from math import atan2, cos, exp, inf, sin
from typing import NamedTuple

from ..lie.kernels.angles import wrap_angle
from ..mechanics.bodies import Array
from .models import locate_point, motion_gradients, move_pose


class Workspace(NamedTuple):
    """Workspace for n states."""

    H: Array  # (2, 5)
    columns: Array  # (5,), the states of the columns of H
    B: Array  # (2, n), H P
    K: Array  # (2, n), the gain, transposed
    S: Array  # (2, 2), covariance of the innovation
    inverse: Array  # (2, 2)
    e: Array  # (2,), the innovation


def predict(x: Array, P: Array, odometry: Array, V: Array) -> None:
    """Move the pose x[:3] by an increment of distance and heading, with the covariance V of its error.

        P <- F P F' + G V G',    F = d next/d pose,  G = d next/d increment

    Landmarks do not move. F and G are the exact derivatives of the motion.
    """
    n = x.shape[0]
    dx, dy, ax, ay, bx, by = motion_gradients(x[2], odometry[0], odometry[1])
    move_pose(x, odometry[0], odometry[1], x)
    for j in range(n):
        P[0, j] -= dy * P[2, j]
        P[1, j] += dx * P[2, j]
    for i in range(n):
        P[i, 0] -= dy * P[i, 2]
        P[i, 1] += dx * P[i, 2]
    v, c, w = V[0, 0], V[0, 1], V[1, 1]
    P[0, 0] += ax * ax * v + 2.0 * ax * bx * c + bx * bx * w
    P[1, 1] += ay * ay * v + 2.0 * ay * by * c + by * by * w
    P[0, 1] += ax * ay * v + (ax * by + ay * bx) * c + bx * by * w
    P[0, 2] += ax * c + bx * w
    P[1, 2] += ay * c + by * w
    P[2, 2] += w
    for i in range(3):
        for j in range(i):
            P[i, j] = P[j, i]


def innovate(P: Array, W: Array, room: Workspace, parts: int) -> float:
    """B, S and S^-1 of a measurement of `parts` states with H; the squared Mahalanobis distance of e.

        B = H P,   S = H P H' + W,   e' S^-1 e

    Returns -1 if S is not positive definite.
    """
    n, B, H, S = P.shape[0], room.B, room.H, room.S
    for k in range(2):
        for j in range(n):
            B[k, j] = 0.0
        for m in range(parts):
            at, slope = int(room.columns[m]), H[k, m]
            for j in range(n):
                B[k, j] += slope * P[at, j]
    for k in range(2):
        for m in range(2):
            total = W[k, m]
            for i in range(parts):
                total += B[k, int(room.columns[i])] * H[m, i]
            S[k, m] = total
    off = 0.5 * (S[0, 1] + S[1, 0])
    S[0, 1] = S[1, 0] = off
    determinant = S[0, 0] * S[1, 1] - off * off
    if not (determinant > 0.0 and S[0, 0] > 0.0):
        return -1.0
    inverse, e = room.inverse, room.e
    inverse[0, 0], inverse[1, 1] = S[1, 1] / determinant, S[0, 0] / determinant
    inverse[0, 1] = inverse[1, 0] = -off / determinant
    return (  # type: ignore[no-any-return]
        inverse[0, 0] * e[0] * e[0] + 2.0 * inverse[0, 1] * e[0] * e[1] + inverse[1, 1] * e[1] * e[1]
    )


def correct(x: Array, P: Array, room: Workspace) -> None:
    """Update with the measurement for which `innovate` has computed B and S^-1.

        K = P H' S^-1,   x <- x + K e,   P <- (I - K H) P (I - K H)' + K W K'

    Joseph's form, whose error is quadratic in the error of K. With D = H P - S K' / 2 it is P - K D - D' K',
    one pass over P that is exactly symmetric, because a sum of two numbers does not depend on their order.
    Source: Bar-Shalom, Li, Kirubarajan, Estimation with Applications to Tracking and Navigation (2001),
    section 5.2.3.
    """
    n, B, K, S, e = x.shape[0], room.B, room.K, room.S, room.e
    a, b, c = room.inverse[0, 0], room.inverse[0, 1], room.inverse[1, 1]
    for j in range(n):
        K[0, j] = a * B[0, j] + b * B[1, j]
        K[1, j] = b * B[0, j] + c * B[1, j]
        x[j] += K[0, j] * e[0] + K[1, j] * e[1]
    for j in range(n):
        B[0, j] -= 0.5 * (S[0, 0] * K[0, j] + S[0, 1] * K[1, j])
        B[1, j] -= 0.5 * (S[1, 0] * K[0, j] + S[1, 1] * K[1, j])
    for i in range(n):
        k0, k1, d0, d1 = K[0, i], K[1, i], B[0, i], B[1, i]
        for j in range(n):
            P[i, j] -= (k0 * B[0, j] + d0 * K[0, j]) + (k1 * B[1, j] + d1 * K[1, j])


def begin_landmark(x: Array, P: Array, at: int, distance: float, bearing: float, W: Array) -> None:
    """Initialise the states at, at + 1 as the landmark seen from the pose x[:3].

        x_l = g(pose, z),   P_ll = G_x P G_x' + G_z W G_z',   P_lj = G_x P_j

    with the derivatives of the point g by the pose and with respect to range and bearing.
    """
    x[at], x[at + 1] = locate_point(x, distance, bearing)
    dx, dy = x[at] - x[0], x[at + 1] - x[1]
    c, s = cos(x[2] + bearing), sin(x[2] + bearing)
    for j in range(x.shape[0]):
        P[at, j] = P[0, j] - dy * P[2, j]
        P[at + 1, j] = P[1, j] + dx * P[2, j]
    for j in range(x.shape[0]):
        P[j, at], P[j, at + 1] = P[at, j], P[at + 1, j]
    v, o, w = W[0, 0], W[0, 1], W[1, 1]
    P[at, at] = P[at, 0] - dy * P[at, 2] + c * c * v - 2.0 * c * dy * o + dy * dy * w
    P[at + 1, at + 1] = P[at + 1, 1] + dx * P[at + 1, 2] + s * s * v + 2.0 * s * dx * o + dx * dx * w
    P[at, at + 1] = P[at, 1] + dx * P[at, 2] + c * s * v + (c * dx - s * dy) * o - dx * dy * w
    P[at + 1, at] = P[at, at + 1]


def update_weights(weights: Array, logarithms: Array) -> float:
    """weights <- weights exp(logarithms) with sum 1; returns the effective number of particles, 1 / sum w^2.

    Returns 0 if all weights are 0.
    """
    greatest = -inf
    for i in range(weights.shape[0]):
        if weights[i] > 0.0 and logarithms[i] > greatest:
            greatest = logarithms[i]
    total = 0.0
    for i in range(weights.shape[0]):
        # minus the greatest, so that very small weights do not all underflow
        weights[i] = weights[i] * exp(logarithms[i] - greatest) if weights[i] > 0.0 else 0.0
        total += weights[i]
    if not total > 0.0:
        return 0.0
    squares = 0.0
    for i in range(weights.shape[0]):
        weights[i] /= total
        squares += weights[i] * weights[i]
    return 1.0 / squares


def moments(cloud: Array, turns: Array, weights: Array, pose: Array, covariance: Array) -> None:
    """The weighted mean of poses, the columns of `cloud`, and their covariance about it.

    `turns` has rows of the cosines and sines of the headings. Their mean is circular, atan2(sum w sin,
    sum w cos), within half a turn of the first particle's heading; differences from it are wrapped.
    """
    x, y, c, s = 0.0, 0.0, 0.0, 0.0
    for i in range(weights.shape[0]):
        x, y = x + weights[i] * cloud[0, i], y + weights[i] * cloud[1, i]
        c, s = c + weights[i] * turns[0, i], s + weights[i] * turns[1, i]
    pose[0], pose[1], pose[2] = x, y, cloud[2, 0] + wrap_angle(atan2(s, c) - cloud[2, 0])
    xx, xy, yy, xt, yt, tt = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(weights.shape[0]):
        w, dx, dy = weights[i], cloud[0, i] - x, cloud[1, i] - y
        dt = wrap_angle(cloud[2, i] - pose[2])
        xx, xy, yy = xx + w * dx * dx, xy + w * dx * dy, yy + w * dy * dy
        xt, yt, tt = xt + w * dx * dt, yt + w * dy * dt, tt + w * dt * dt
    covariance[0, 0], covariance[1, 1], covariance[2, 2] = xx, yy, tt
    covariance[0, 1] = covariance[1, 0] = xy
    covariance[0, 2] = covariance[2, 0] = xt
    covariance[1, 2] = covariance[2, 1] = yt


def resample_particles(cloud: Array, weights: Array, lot: float, particles: Array) -> None:
    """Systematic resampling: n particles of equal weight; particle i occurs n w_i times, rounded up or down.

    `lot` is uniform in (0, 1]: the points (k + lot) / n select the particles at which the sum of weights
    reaches them. Source: Kitagawa, Journal of Computational and Graphical Statistics 5(1), 1996, 1-25,
    doi:10.2307/1390750.
    """
    n = weights.shape[0]
    i, reached = 0, weights[0]
    for k in range(n):
        while reached < (k + lot) / n and i < n - 1:
            i += 1
            reached += weights[i]
        for j in range(3):
            particles[k, j] = cloud[j, i]
    for k in range(n):
        weights[k] = 1.0 / n
