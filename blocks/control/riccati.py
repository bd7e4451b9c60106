"""Gains of optimal regulators and estimators from Riccati equations."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..contract.errors import ParameterError
from ..contract.parameter import Array


def weight(block: str, name: str, value: Any, n: int) -> Array:
    """A symmetric n x n matrix from a number, a diagonal or a matrix. Raises ParameterError."""
    matrix = np.asarray(value, np.float64)
    if matrix.ndim == 0:
        matrix = matrix * np.eye(n)
    elif matrix.ndim == 1:
        matrix = np.diag(matrix)
    if matrix.shape != (n, n) or not np.allclose(matrix, matrix.T, rtol=1e-10, atol=0.0):
        raise ParameterError(block, name, value, f"a number, {n} numbers, or a symmetric matrix of {n}x{n}")
    return matrix


def regulator_gain(A: Array, B: Array, Q: Array, R: Array, *, discrete: bool) -> Array:
    """K of the optimal u = -K x. Raises LinAlgError or ValueError where there is none."""
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
        raise np.linalg.LinAlgError("a motion does not die away")
    return np.ascontiguousarray(K)
