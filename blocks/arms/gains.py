"""Gains of controllers: one number for all joints, one per joint, or a matrix."""

from __future__ import annotations

import numpy as np

from ..contract.errors import ParameterError
from ..contract.parameter import Array


def gain_matrix(block: str, name: str, value: object, n: int) -> Array:
    """The n x n matrix of a gain: k I, diag(k) or K itself.

    Raises ParameterError for a gain of another size.
    """
    gain = np.asarray(value, np.float64)
    if gain.ndim == 0:
        return np.asarray(np.eye(n) * gain)
    if gain.shape == (n,):
        return np.diag(gain)
    if gain.shape == (n, n):
        return gain
    raise ParameterError(block, name, value, f"a number, {n} numbers, or a {n} x {n} matrix")


# Gains are matrices in all kernels: one control law serves numbers, vectors and matrices, because n^2
# products cost little next to the dynamics of the arm.


def add_product(K: Array, x: Array, y: Array) -> None:
    """y += K x."""
    for i in range(K.shape[0]):
        total = 0.0
        for j in range(K.shape[1]):
            total += K[i, j] * x[j]
        y[i] += total


def add_error(K: Array, reference: Array, measured: Array, y: Array) -> None:
    """y += K (reference - measured)."""
    for i in range(K.shape[0]):
        total = 0.0
        for j in range(K.shape[1]):
            total += K[i, j] * (reference[j] - measured[j])
        y[i] += total
