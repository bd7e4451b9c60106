"""Particles: weights, moments and systematic resampling of a cloud of poses, for compiled code."""

from __future__ import annotations

from math import atan2, exp, inf

from ..lie.kernels.angles import wrapped
from ..mechanics.work import Array


def weighed(weights: Array, logarithms: Array) -> float:
    """weights <- weights exp(logarithms), of the sum 1; the effective number of particles, 1 / sum w^2.

    Gives 0 where all weights are 0.
    """
    greatest = -inf
    for i in range(weights.shape[0]):
        if weights[i] > 0.0 and logarithms[i] > greatest:
            greatest = logarithms[i]
    total = 0.0
    for i in range(weights.shape[0]):
        # less the greatest, so that what is unlikely everywhere does not vanish everywhere
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
    sum w cos), on the turn of the first particle; differences from it are wrapped.
    """
    x, y, c, s = 0.0, 0.0, 0.0, 0.0
    for i in range(weights.shape[0]):
        x, y = x + weights[i] * cloud[0, i], y + weights[i] * cloud[1, i]
        c, s = c + weights[i] * turns[0, i], s + weights[i] * turns[1, i]
    pose[0], pose[1], pose[2] = x, y, cloud[2, 0] + wrapped(atan2(s, c) - cloud[2, 0])
    xx, xy, yy, xt, yt, tt = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(weights.shape[0]):
        w, dx, dy = weights[i], cloud[0, i] - x, cloud[1, i] - y
        dt = wrapped(cloud[2, i] - pose[2])
        xx, xy, yy = xx + w * dx * dx, xy + w * dx * dy, yy + w * dy * dy
        xt, yt, tt = xt + w * dx * dt, yt + w * dy * dt, tt + w * dt * dt
    covariance[0, 0], covariance[1, 1], covariance[2, 2] = xx, yy, tt
    covariance[0, 1] = covariance[1, 0] = xy
    covariance[0, 2] = covariance[2, 0] = xt
    covariance[1, 2] = covariance[2, 1] = yt


def resampled(cloud: Array, weights: Array, lot: float, particles: Array) -> None:
    """Systematic resampling: as many particles of equal weight, particle i as often as n w_i, up or down.

    `lot` is uniform in (0, 1]: the points (k + lot) / n pick the particles at which the sum of weights
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
