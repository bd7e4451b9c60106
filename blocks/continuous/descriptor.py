"""Descriptor: equations E dx/dt = f; if E is singular, some of them contain no derivative."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..contract.errors import ParameterError, SizeError
from ..contract.parameter import Array

REGULAR = 1e-12  # relative to the largest singular value: smaller ones are 0, after scaling rows and columns


class Parts(NamedTuple):
    """E dx/dt = f as dz/dt = slopes f and 0 = conditions f, with x = flowing z + algebraic a.

    slopes (r, n), conditions (n - r, n), flowing (n, r) and algebraic (n, n - r), r the rank of E; z = x
    if E is regular. `begin` (r, n) and `search` (n - r, n) give z and a for an x.
    """

    slopes: Array
    conditions: Array
    flowing: Array
    algebraic: Array
    begin: Array
    search: Array


def parts_of(E: Array) -> Parts:
    """The differential part and the algebraic part.

    If the nonzero rows and columns form a regular matrix, z and a are elements of x; otherwise
    they are orthogonal combinations, by the singular value decomposition of E.
    Source: Kunkel and Mehrmann, Differential-Algebraic Equations (2006), section 3.1, doi:10.4171/017.
    """
    n = E.shape[0]
    rows, columns = np.any(E != 0.0, axis=1), np.any(E != 0.0, axis=0)
    inside = E[np.ix_(rows, columns)]
    identity = np.eye(n)
    if rows.sum() == columns.sum() and is_regular(inside):
        slopes = np.zeros((int(rows.sum()), n))
        slopes[:, rows] = np.linalg.inv(inside)
        z, a = identity[:, columns], identity[:, ~columns]
        return Parts(slopes, identity[~rows], z, a, z.T, a.T)
    by_rows, by_columns = scales(E)
    left, sizes, right = np.linalg.svd(by_rows[:, None] * E * by_columns)
    rank = int(np.sum(sizes > REGULAR * sizes[0]))
    largest = np.argmax(np.abs(right), axis=1)
    signs = np.sign(right[np.arange(n), largest])  # LAPACK chooses them arbitrarily
    left, right = (left * by_rows[:, None] * signs).T, right * signs[:, None]
    x = by_columns[:, None] * right.T
    back = right / by_columns
    return Parts(
        left[:rank] / sizes[:rank, None], left[rank:], x[:, :rank], x[:, rank:], back[:rank], back[rank:]
    )


def is_regular(matrix: Array) -> bool:
    """True if a matrix has an inverse, for any units of its rows and columns."""
    if not matrix.size:
        return True
    by_rows, by_columns = scales(matrix)
    sizes = np.linalg.svd(by_rows[:, None] * matrix * by_columns, compute_uv=False)
    return bool(sizes[-1] > REGULAR * sizes[0])


def scales(matrix: Array) -> tuple[Array, Array]:
    """Powers of two that bring the largest elements of rows, and then of columns, near 1."""
    by_rows = _scale(np.abs(matrix).max(axis=1))
    return by_rows, _scale(np.abs(by_rows[:, None] * matrix).max(axis=0))


def _scale(largest: Array) -> Array:
    return np.exp2(-np.round(np.log2(np.where(largest > 0.0, largest, 1.0))))


def square(block: str, E: object) -> Array:
    """E as a square matrix that is not 0. Raises SizeError, ParameterError."""
    matrix = np.atleast_2d(np.asarray(E, np.float64))
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise SizeError(f"E of {'x'.join(map(str, matrix.shape))}", "a square matrix E")
    if not matrix.any():
        expected = "a matrix that is not 0; AlgebraicConstraint is for equations without any derivative"
        raise ParameterError(block, "E", E, expected)
    return matrix
