"""Lines on the ground show the measurements of sensors and the estimates.

Lines are ends (k, n, 2, 2), m: n at each of k instants, from (x, y) to (x, y). Equal ends mean no line.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..model.poses import Array

CORNERS = 32  # of an ellipse
WITHIN = 5.991464547107979  # the 95 % quantile of chi-square with two degrees of freedom
MOST_NEEDLES = 400  # of a cloud, evenly sampled: more would hide each other
MOST_BEAMS = 180
BREEZE = 5.0  # m/s of a wind with an arrow as long as the vehicle
BARB = 0.25  # of the length of an arrow


@dataclass(frozen=True)
class Ground:
    """Lines (k, n, 2, 2), m, at the instants of a film, in one colour, under a label."""

    lines: Array
    color: str
    label: str


def ellipses(places: Array, covariances: Array) -> Array:
    """Outlines of the 95 % ellipses of normal distributions: (k, n, 2), (k, n, 2, 2)."""
    values, vectors = np.linalg.eigh(0.5 * (covariances + np.swapaxes(covariances, -1, -2)))
    axes = vectors * np.sqrt(WITHIN * np.maximum(values, 0.0))[..., None, :]
    angles = 2.0 * np.pi * np.arange(CORNERS + 1) / CORNERS
    round_ = places[..., None, :] + np.stack([np.cos(angles), np.sin(angles)], axis=-1) @ np.swapaxes(
        axes, -1, -2
    )
    sides = np.stack([round_[..., :-1, :], round_[..., 1:, :]], axis=-2)
    return sides.reshape(len(places), -1, 2, 2)


def needles(poses: Array, length: float) -> Array:
    """Short lines along the headings of clouds of poses (k, n, 3)."""
    step = -(-poses.shape[1] // MOST_NEEDLES)
    some = poses[:, ::step]
    along = length * np.stack([np.cos(some[..., 2]), np.sin(some[..., 2])], axis=-1)
    return np.stack([some[..., :2], some[..., :2] + along], axis=-2)


def beams(poses: Array, scans: Array, angles: Array, maximum: float) -> Array:
    """Lines from poses (k, 3) to the ends of scans (k, n) with a hit before `maximum`, m; the
    angles are (n,) or (k, n)."""
    step = -(-scans.shape[1] // MOST_BEAMS)
    scans, way = scans[:, ::step], poses[:, 2:3] + angles[..., ::step]
    reach = np.where(scans < maximum, scans, 0.0)
    ends = reach[..., None] * np.stack([np.cos(way), np.sin(way)], axis=-1)
    starts = np.broadcast_to(poses[:, None, :2], ends.shape)
    return np.stack([starts, starts + ends], axis=-2)


def arrows(places: Array, ways: Array) -> Array:
    """Arrows (k, 3, 2, 2) from places (k, 2), along the vectors (k, 2): shafts and the sides of tips."""
    ends = places + ways
    across = np.stack([-ways[:, 1], ways[:, 0]], axis=-1)
    barbs = [ends - BARB * ways + sign * 0.5 * BARB * across for sign in (1.0, -1.0)]
    return np.stack([np.stack([places, ends], axis=1), *(np.stack([b, ends], axis=1) for b in barbs)], axis=1)


def wind_arrows(size: float, position: Array, wind: Array) -> Array:
    """Arrows of winds (k, 3), m/s, below positions (k, 3), m, z down, of a vehicle of this size, m."""
    drawn = np.array([1.0, -1.0])  # films have z up, and so y to the left
    return arrows(position[:, :2] * drawn, wind[:, :2] * drawn * size / BREEZE)


def stars(places: Array, size: float) -> Array:
    """Three short lines across each of the places (k, n, 2)."""
    angles = np.pi * np.arange(3) / 3.0
    arm = size * np.column_stack([np.cos(angles), np.sin(angles)])
    ends = np.stack([places[..., None, :] - arm, places[..., None, :] + arm], axis=-2)
    return ends.reshape(len(places), -1, 2, 2)


def estimates(places: Array, covariances: Array, size: float) -> Array:
    """Stars and ellipses of 95 % of places (k, n, 2) with a covariance; other places lack an estimate."""
    present = covariances[..., 0, 0] > 0.0
    k, n = present.shape
    arms = stars(places, size).reshape(k, n, 3, 2, 2) * present[..., None, None, None]
    return np.concatenate([arms.reshape(k, -1, 2, 2), ellipses(places, covariances)], axis=1)
