"""Characteristic loci: the eigenvalues of a square loop transfer over frequency, each a curve of its own.

A loop whose wire takes several values in a period has a matrix L(z) of these, see `loop_sampling`. The factor
c on all of them leaves poles on the edge of stability where -1 / c is an eigenvalue of L there.
Source: MacFarlane and Postlethwaite, International Journal of Control 25(1) (1977), 81-127.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np

from ..errors import AnalysisError
from .frequency import at_points, frequency_response
from .linear_model import Complex, LinearModel, Matrix
from .text import sizes

Locus = tuple[Callable[[float], complex], Complex]
"""An eigenvalue over frequency in rad/s, and its values on a grid."""

REAL = 1e-6  # relative: an imaginary part that is rounding
ROUNDING = 1e3 * np.finfo(float).eps  # of the norm of L: smaller eigenvalues are not exact to three digits


def lifted(model: LinearModel) -> bool:
    """True if a model is a loop of several samples in a period. Raises AnalysisError for other models with
    more than one input or output.
    """
    if model.D.shape == (1, 1):
        return False
    if not model.sample_time or model.inputs != model.outputs:
        raise AnalysisError(sizes(model), 'one of each: model.part("speed", "voltage")')
    return True


def loci(model: LinearModel, grid: Matrix) -> list[Locus]:
    """The eigenvalues of L over a grid of frequencies, each continued from one to the next.

    NaN where they are rounding errors, such as the small eigenvalues of an L that is unbounded near z = 1.
    """
    from scipy.optimize import linear_sum_assignment

    values, rounding = _eigenvalues(model, grid)
    for before, row in pairwise(values):
        row[:] = row[linear_sum_assignment(_distance(before[:, None], row[None, :]))[1]]

    def between(column: Complex) -> Callable[[float], complex]:
        def at(omega: float) -> complex:
            near = complex(np.interp(omega, grid, column))
            there = _eigenvalues(model, np.array([omega]))[0][0]
            return complex(there[np.argmin(_distance(there, near))])

        return at

    exact = np.where(np.abs(values) > rounding[:, None], values, np.nan)
    return [(between(column), exact_values) for column, exact_values in zip(values.T, exact.T, strict=True)]


def factors(model: LinearModel, z: float) -> Matrix:
    """The factors above 0 with which the closed loop has a real pole at z: eigenvalues c of the pencil

        [A - z I, B; 0, I] + c [0, 0; C, D]

    which remains finite if L has a pole at z.
    """
    from scipy.linalg import eig

    still, scaled = _closing(model, z)
    with np.errstate(all="ignore"):
        values = np.asarray(eig(still, -scaled, right=False), np.complex128)
    real = np.isfinite(values) & (np.abs(values.imag) <= REAL * np.abs(values)) & (values.real > 0.0)
    result: Matrix = np.asarray(values.real[real], np.float64)
    return result


def factor_derivative(model: LinearModel, change: LinearModel, factor: float, z: float) -> float:
    """The derivative of such a factor; `change` holds the derivatives of A, B, C and D."""
    still, scaled = _closing(model, z)
    left, _, right = np.linalg.svd(still + factor * scaled)
    before, after = left[:, -1], right[-1]
    moved = np.block([[change.A, change.B], [factor * change.C, factor * change.D]])
    return -float((before @ moved @ after) / (before @ scaled @ after))


def _closing(model: LinearModel, z: float) -> tuple[Matrix, Matrix]:
    n, m = model.B.shape
    still = np.block([[model.A - z * np.eye(n), model.B], [np.zeros((m, n)), np.eye(m)]])
    return still, np.block([[np.zeros((n, n + m))], [model.C, model.D]])


def distances(model: LinearModel, grid: Matrix) -> Matrix:
    """The smallest singular value of I + L over frequency: the inverse of the largest gain of (I + L)^-1.
    Infinite where it is only rounding.
    """
    values = frequency_response(model, grid)
    finite = np.all(np.isfinite(values), axis=(1, 2))
    result = np.full(grid.size, np.inf)
    through = np.eye(model.D.shape[0]) + values[finite]
    singular = np.linalg.svd(through, compute_uv=False)
    exact = singular[:, -1] > ROUNDING * singular[:, 0]
    result[finite] = np.where(exact, singular[:, -1], np.inf)
    return result


def eigenvectors(model: LinearModel, omega: float, near: complex) -> tuple[Complex, Complex]:
    """The left and right eigenvectors of L, for the eigenvalue closest to a number, with left @ right = 1."""
    z = np.exp(1j * omega * model.sample_time)
    values, right = np.linalg.eig(at_points(model, np.array([z]))[0])
    k = int(np.argmin(np.abs(values - near)))
    return np.linalg.inv(right)[k], right[:, k]


def _eigenvalues(model: LinearModel, grid: Matrix) -> tuple[Complex, Matrix]:
    """Eigenvalues of L, (k, n), and the size below which they are rounding, (k,)."""
    values = frequency_response(model, grid)
    values[~np.isfinite(values)] = np.finfo(float).max ** 0.25
    eigenvalues = np.asarray(np.linalg.eigvals(values), np.complex128)
    return eigenvalues, np.asarray(ROUNDING * np.linalg.norm(values, axis=(1, 2)))


def _distance(a: Complex | complex, b: Complex | complex) -> Matrix:
    """Distance on the sphere of complex numbers, where large numbers lie close together."""
    return np.asarray(np.abs(a - b) / np.sqrt((1.0 + np.abs(a) ** 2) * (1.0 + np.abs(b) ** 2)))
