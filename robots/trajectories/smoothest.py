"""Smoothest: the spline through given points whose squared derivative of order r is least."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import factorial, perm
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class Hermite(NamedTuple):
    """A polynomial of degree 2r - 1 on [0, 1], given by its first r derivatives at 0, then those at 1."""

    coefficients: Array  # (2r, 2r), from the derivatives
    cost: Array  # (2r, 2r): the integral of the r-th derivative squared is d^T cost d


@cache
def hermite(r: int) -> Hermite:
    """The matrices of a segment; r = 2 for the least acceleration, 4 for the least snap."""
    n = 2 * r
    ends = np.zeros((n, n))
    for k in range(r):
        ends[k, k] = factorial(k)
        ends[r + k] = [perm(i, k) for i in range(n)]
    coefficients = np.linalg.inv(ends)
    square = np.zeros((n, n))
    for i in range(r, n):
        for j in range(r, n):
            square[i, j] = perm(i, r) * perm(j, r) / (i + j - 2 * r + 1)
    cost = coefficients.T @ square @ coefficients
    return Hermite(np.asarray(coefficients, np.float64), np.asarray(cost, np.float64))


@dataclass(frozen=True)
class Spline:
    """A spline of order r over segments of given `durations` (m,), s."""

    durations: Array
    derivatives: Array  # (m + 1, r, n): of the n coordinates at every point, the position first

    def _of_segments(self) -> Array:
        """The derivatives at both ends of each segment (m, 2r, n), in the time as a part of the segment."""
        r = self.derivatives.shape[1]
        power = self.durations[:, np.newaxis] ** np.arange(r)
        return np.concatenate(
            [self.derivatives[:-1] * power[..., np.newaxis], self.derivatives[1:] * power[..., np.newaxis]],
            axis=1,
        )

    def coefficients(self) -> Array:
        """The polynomials (m, n, 2r) in the time since their segments begin, lowest degree first."""
        r = self.derivatives.shape[1]
        c = np.einsum("ij,mjn->mni", hermite(r).coefficients, self._of_segments())
        c /= (self.durations[:, np.newaxis] ** np.arange(2 * r))[:, np.newaxis]
        # What the derivatives at the beginning say is exact: a start at rest has zeros here.
        c[..., :r] = self.derivatives[:-1].transpose(0, 2, 1) / [factorial(k) for k in range(r)]
        return np.asarray(c)

    def cost(self) -> float:
        """The integral over time of the squared r-th derivative, over all coordinates."""
        r, d = self.derivatives.shape[1], self._of_segments()
        each = np.einsum("min,ij,mjn->m", d, hermite(r).cost, d)
        return float(np.sum(each / self.durations ** (2 * r - 1)))


def smoothest(points: Array, durations: Array, derivatives: Array) -> Spline:
    """The spline of order r through points (m + 1, n) with the least integral of the squared r-th derivative.

    `derivatives` (m + 1, r - 1, n) are the derivatives 1 ... r - 1 at the points; those that are NaN are
    free, at all coordinates alike. At points where all are free the spline has 2r - 2 continuous derivatives.

    The free derivatives are the unknowns, not the coefficients: what is continuous needs no equation, and
    the matrix is symmetric, positive definite, and banded, so the time is proportional to the points.
    Source: Richter, Bry, Roy, Polynomial Trajectory Planning for Aggressive Quadrotor Flight in Dense Indoor
    Environments, Robotics Research (ISRR 2013), Springer 2016, section 3; Mellinger, Kumar, Minimum snap
    trajectory generation and control for quadrotors, ICRA 2011.
    """
    from scipy.linalg import solveh_banded

    count, r, n = len(points), derivatives.shape[1] + 1, points.shape[1]
    mean = float(np.mean(durations))
    T = durations / mean  # near 1, for the condition of the matrix
    scale = mean ** np.arange(r)[np.newaxis, :, np.newaxis]
    d = np.concatenate([points[:, np.newaxis], derivatives], axis=1) * scale
    free = np.isnan(d[:, 1:, 0])
    d = np.where(np.isnan(d), 0.0, d)
    H = _costs(r, T)
    ends = np.concatenate([d[:-1], d[1:]], axis=1)
    slope = np.einsum("mij,mjn->min", H, ends)  # half the gradient of the cost at what is known
    right = np.zeros((count, r - 1, n))
    right[:-1] -= slope[:, 1:r]
    right[1:] -= slope[:, r + 1 :]
    right[~free] = 0.0
    solution = solveh_banded(
        _banded(H, free), right.reshape(-1, n), lower=True, overwrite_ab=True, check_finite=False
    )
    d[:, 1:] += np.asarray(solution).reshape(count, r - 1, n)
    return Spline(durations, d / scale)


def _costs(r: int, T: Array) -> Array:
    """The cost matrices (m, 2r, 2r) of segments of durations T, in derivatives by time."""
    power = T[:, np.newaxis] ** np.tile(np.arange(r), 2)
    H = hermite(r).cost * power[:, :, np.newaxis] * power[:, np.newaxis, :]
    return np.asarray(H / T[:, np.newaxis, np.newaxis] ** (2 * r - 1))


def _banded(H: Array, free: NDArray[np.bool_]) -> Array:
    """The matrix of the free derivatives, by its diagonals from the main one down; 1 for those not free."""
    count, k = free.shape
    r = k + 1
    diagonals = np.zeros((2 * k, count * k))
    for a in range(k):
        for b in range(k):
            if a >= b:
                at = diagonals[a - b, b::k]
                at[:-1] += H[:, 1 + a, 1 + b]
                at[1:] += H[:, r + 1 + a, r + 1 + b]
            diagonals[k + a - b, b::k][:-1] += H[:, r + 1 + a, 1 + b]
    flat = free.ravel()
    for below, diagonal in enumerate(diagonals):
        linked = flat[: flat.size - below] & flat[below:]
        diagonal[: flat.size - below][~linked] = 0.0
    diagonals[0][~flat] = 1.0
    return diagonals
