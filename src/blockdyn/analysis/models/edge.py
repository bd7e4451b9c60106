"""Poles on the stability boundary: the imaginary axis or, in discrete time, the unit circle.

The error of a computed pole is about the rounding of its matrix's norm times its condition number. A pole
within this distance of the edge counts as on it; otherwise its side would be the sign of a rounding error.
Source: Golub and Van Loan, Matrix Computations, 4th ed. (2013), section 7.2.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .linear_model import Complex, Matrix

ROUNDING = 4.0 * np.finfo(float).eps  # relative error of a number after a few operations


def eigenvalues(A: Matrix, sample_time: float) -> Complex:
    """The eigenvalues of A (..., n, n). Those on the edge of stability have a real part of exactly 0, in
    discrete time a modulus that `beyond_edge` counts as 1.

    Each strongly connected part of the states has separate eigenvalues and rounding errors: a fast filter in
    series with a slow loop does not disturb the loop's poles.
    """
    if A.ndim > 2:
        return np.array([eigenvalues(each, sample_time) for each in A])
    if not A.size:
        return np.zeros(0, np.complex128)
    from scipy.sparse.csgraph import connected_components

    count, part = connected_components(A != 0.0, connection="strong")
    parts = [_of_part(A[np.ix_(part == k, part == k)], sample_time) for k in range(count)]
    return np.concatenate(parts)


def beyond_edge(poles: Complex, sample_time: float) -> Matrix:
    """Distance of poles of `eigenvalues` beyond the edge of stability; 0 on it, below 0 stable."""
    if not sample_time:
        return np.asarray(poles.real)
    beyond = np.abs(poles) - 1.0
    return np.asarray(np.where(np.abs(beyond) <= ROUNDING, 0.0, beyond))


def _of_part(A: Matrix, sample_time: float) -> Complex:
    from scipy.linalg import eig, matrix_balance

    balanced, _ = matrix_balance(A)
    eigensystem: Any = eig(balanced, left=True)
    poles, left, right = eigensystem
    unit = ROUNDING * len(A)
    # the rounding of a multiple pole, whose eigenvectors are orthogonal, is the root of the matrix's rounding
    alignment = np.maximum(np.abs(np.sum(left.conj() * right, axis=0)), np.sqrt(unit))
    rounding = unit * float(np.linalg.norm(balanced)) / alignment
    if not sample_time:
        return np.asarray(np.where(np.abs(poles.real) <= rounding, 1j * poles.imag + 0.0, poles))
    sizes = np.abs(poles)
    return np.asarray(
        np.where(np.abs(sizes - 1.0) <= rounding, poles / np.where(sizes == 0.0, 1.0, sizes), poles)
    )
