"""Products of matrices for compiled code: elements are counted in C order, so that vectors are columns."""

from __future__ import annotations

from ..contract.parameter import Array


def product(A: Array, u: Array, y: Array) -> None:
    """y = A u, for a matrix or a vector u."""
    # Flat indices serve both: a vector is a matrix of one column. BLAS is not used, because the order of its
    # sums, and with it the last bits of results, depends on library and processor.
    rows, inner = A.shape
    columns = u.size // inner
    for i in range(rows):
        for j in range(columns):
            total = 0.0
            for k in range(inner):
                total += A[i, k] * u.flat[k * columns + j]
            y.flat[i * columns + j] = total


def transposed_product(A: Array, u: Array, y: Array) -> None:
    """y = A^T u."""
    inner, rows = A.shape
    columns = u.size // inner
    for i in range(rows):
        for j in range(columns):
            total = 0.0
            for k in range(inner):
                total += A[k, i] * u.flat[k * columns + j]
            y.flat[i * columns + j] = total
