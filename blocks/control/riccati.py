"""Gains of optimal regulators and estimators from Riccati equations."""

from __future__ import annotations

import numpy as np

from ..contract.errors import ParameterError
from ..contract.parameter import Array


def weight(
    block: str, name: str, value: object, n: int, *, noun: str = "a cost", positive: bool = False
) -> Array:
    """A symmetric n x n matrix from a number, a diagonal or a matrix.

    Raises ParameterError if it is not symmetric, or has an eigenvalue below 0, or, with `positive`, one
    that is not above 0.
    """
    matrix = np.asarray(value, np.float64)
    if matrix.ndim == 0:
        matrix = matrix * np.eye(n)
    elif matrix.ndim == 1:
        matrix = np.diag(matrix)
    if matrix.shape != (n, n) or not np.allclose(matrix, matrix.T, rtol=1e-10, atol=0.0):
        raise ParameterError(block, name, value, f"a number, {n} numbers, or a symmetric matrix of {n}x{n}")
    least = np.linalg.eigvalsh(matrix)
    # Zero eigenvalues of a matrix of rank below n are computed as +-1e-16 of the largest.
    if least[0] < -1e-12 * max(least[-1], 0.0) or (positive and least[0] <= 0.0):
        expected = f"{noun} {'above' if positive else 'not below'} 0; its least eigenvalue is {least[0]:.3g}"
        raise ParameterError(block, name, value, expected)
    return matrix


def regulator_gain(A: Array, B: Array, Q: Array, R: Array, *, discrete: bool) -> Array:
    """K of the optimal u = -K x. Raises LinAlgError or ValueError if there is none."""
    from scipy.linalg import solve, solve_continuous_are, solve_discrete_are

    if discrete:
        P = solve_discrete_are(A, B, Q, R)
        K = solve(R + B.T @ P @ B, B.T @ P @ A, assume_a="pos")
        slowest = np.abs(np.linalg.eigvals(A - B @ K)).max() - 1.0
    else:
        P = solve_continuous_are(A, B, Q, R)
        K = solve(R, B.T @ P, assume_a="pos")
        slowest = np.linalg.eigvals(A - B @ K).real.max()
    if not slowest < 0.0:
        raise np.linalg.LinAlgError("a mode does not decay")
    return np.ascontiguousarray(K)
