"""The smoothest spline through given points has the least squared derivative of order r."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import factorial, perm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .motion import TrajectoryError

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Spline:
    """A spline of order r over segments of given `durations` (m,), s."""

    durations: Array
    coefficients: Array  # (m, n, 2r), in the time since the segments begin, lowest degree first

    def cost(self) -> float:
        """The integral over time of the squared r-th derivative, over all coordinates."""
        n = self.coefficients.shape[2]
        r = n // 2
        c = (self.coefficients * self.durations[:, np.newaxis, np.newaxis] ** np.arange(n))[..., r:]
        square = [[perm(i, r) * perm(j, r) / (i + j - n + 1) for j in range(r, n)] for i in range(r, n)]
        each = np.einsum("mni,ij,mnj->m", c, square, c)
        return float(np.sum(each / self.durations ** (n - 1)))


def smoothest(points: Array, durations: Array, derivatives: Array) -> Spline:
    """The spline of order r through points (m + 1, n) with the least integral of the squared r-th derivative.

    `derivatives` (m + 1, r - 1, n) are the derivatives 1 ... r - 1 at the points; they are NaN at the points
    where they are free, and numbers at the first and the last. The optimum has degree 2r - 1, and 2r - 2
    continuous derivatives where they are free (Schoenberg, On interpolation by spline functions and its
    minimal properties, 1964), which makes it unique. Raises TrajectoryError if double precision cannot
    distinguish three points and their times.
    """
    fixed = np.flatnonzero(~np.isnan(derivatives[:, 0, 0]))
    coefficients = [
        _fit_spline(points[i : j + 1], durations[i:j], derivatives[[i, j]])
        for i, j in pairwise(fixed.tolist())
    ]
    return Spline(durations, np.concatenate(coefficients))


def _fit_spline(points: Array, durations: Array, derivatives: Array) -> Array:
    """The coefficients (m, n, 2r) of a spline whose derivatives (2, r - 1, n) are given at both ends.

    The unknowns are control points of B-splines, each of the size of the segments that it covers: their
    matrix is without negative minors, and elimination is as exact as the values of the points, however uneven
    the segments are. With the derivatives at the points as unknowns, the rounding grows with the power 2r - 1
    of the ratio of two segments.
    Source: de Boor, Pinkus, Backward error analysis for totally positive linear systems, Numerische
    Mathematik 27, 1977; de Boor, A Practical Guide to Splines (2001), chapters IX and XIII.
    """
    from scipy.interpolate import BSpline
    from scipy.linalg import solve_banded

    r, degree = derivatives.shape[1] + 1, 2 * derivatives.shape[1] + 1
    inner, mean = len(points) - 2, float(np.mean(durations))
    x = np.concatenate([[0.0], np.cumsum(durations / mean)])
    scale = mean ** np.arange(degree + 1)
    relative = points - points[0]  # places far from the origin keep their digits
    ends = np.concatenate([relative[[0, -1]][:, np.newaxis], derivatives], axis=1) * scale[:r, np.newaxis]
    control = np.zeros((inner + 2 * r, points.shape[1]))
    control[:r] = _end_controls(ends[0], x[1:])
    control[-r:] = _end_controls(ends[1], (x - x[-1])[-2::-1])[::-1]
    knots = np.concatenate([np.zeros(degree), x, np.full(degree, x[-1])])
    if inner:
        basis = BSpline.design_matrix(x[1:-1], knots, degree)
        unknown: Any = basis[:, r:-r]
        sizes = unknown.max(axis=1).toarray().reshape(-1, 1)
        unknown, right = unknown.multiply(1.0 / sizes).tocsr(), (relative[1:-1] - basis @ control) / sizes
        width = min(r, inner) - 1
        bands = [np.pad(unknown.diagonal(k), (max(k, 0), max(-k, 0))) for k in range(width, -width - 1, -1)]
        try:
            control[r:-r] = solve_banded((width, width), bands, right)
        except np.linalg.LinAlgError:
            raise TrajectoryError(
                "points", "so close together that their order is lost in rounding", "fewer of them"
            ) from None
    spline = BSpline(knots, control, degree)
    c = np.stack([spline(x[:-1], k) / factorial(k) for k in range(degree + 1)], axis=2) / scale
    c[..., 0] = points[:-1]
    c[0, :, 1:r] = (derivatives[0] / [[factorial(k)] for k in range(1, r)]).T  # at rest these are zeros
    return np.asarray(c)


def _end_controls(ends: Array, later: Array) -> Array:
    """The first r control points (r, n): the polar form of the Taylor polynomial at the next knots.

    `ends` (r, n) are the derivatives there, `later` the distances to the other knots, signed.
    Source: Ramshaw, Blossoms are polar forms, Computer Aided Geometric Design 6, 1989.
    """
    r = len(ends)
    control = np.empty_like(ends)
    sums = np.zeros(r)  # elementary symmetric polynomials of the distances so far
    sums[0] = 1.0
    for j in range(r):
        weights = [sums[k] * factorial(2 * r - 1 - k) / factorial(2 * r - 1) for k in range(j + 1)]
        control[j] = weights @ ends[: j + 1]
        sums[1:] = sums[1:] + sums[:-1] * later[min(j, len(later) - 1)]
    return control
