"""Inverses for compiled code: Gauss-Jordan with pivoting, and the pseudo-inverse by singular values."""

from __future__ import annotations

from math import sqrt

from ..contract.parameter import Array

SINGULAR = 1e-14
"""A pivot counts as zero up to this fraction of the largest element of the matrix.

If exact elimination leaves 0, rounding leaves a few times 2.2e-16, the spacing of doubles, times that
element.
"""
ROUNDOFF = 2.0**-53
"""Unit roundoff: a cosine between columns of m elements counts as 0 up to m times this value.

This is the rounding bound of their product (Golub, Van Loan, Matrix Computations, 4th ed., 2013,
section 2.7), below which rotations only act on noise. The stopping rule is from Demmel, Veselic (1992).
"""
SWEEPS = 40  # maximum, through all pairs of columns; convergence is quadratic: 6 for 6 x 6, 9 for 30 x 30


def invert_matrix(A: Array, work: Array, y: Array) -> bool:
    """y = A^-1 by Gauss-Jordan elimination with row pivoting; False if A is singular to rounding."""
    n = A.shape[0]
    largest = 0.0
    for i in range(n):
        for j in range(n):
            work[i, j] = A[i, j]
            y[i, j] = 1.0 if i == j else 0.0
            largest = max(largest, abs(A[i, j]))
    for k in range(n):
        # With the largest pivot of its column, multipliers are at most 1: rounding errors stay small.
        p = k
        for i in range(k + 1, n):
            if abs(work[i, k]) > abs(work[p, k]):
                p = i
        if not abs(work[p, k]) > SINGULAR * largest:  # `not >` catches NaN too
            return False
        for j in range(n):
            work[k, j], work[p, j] = work[p, j], work[k, j]
            y[k, j], y[p, j] = y[p, j], y[k, j]
        scale = 1.0 / work[k, k]
        for j in range(n):
            work[k, j] *= scale
            y[k, j] *= scale
        for i in range(n):
            factor = work[i, k]
            if i != k and factor != 0.0:
                for j in range(n):
                    work[i, j] -= factor * work[k, j]
                    y[i, j] -= factor * y[k, j]
    return True


def rotate_columns(U: Array, V: Array) -> None:
    """U = A V with orthogonal columns, from U = A: one-sided Jacobi rotations, V orthogonal.

    Column norms of U are the singular values. Source: Hestenes, Journal of the SIAM 6(1), 1958; Golub, Van
    Loan, Matrix Computations (4th ed., 2013), section 8.6.
    """
    # Slower than QR iteration, but short, and more accurate for small singular values (Demmel, Veselic, SIAM
    # J. Matrix Anal. Appl. 13(4), 1992): these show how near an arm is to a singular pose.
    rows, n = U.shape
    orthogonal = (rows * ROUNDOFF) ** 2
    for i in range(n):
        for j in range(n):
            V[i, j] = 1.0 if i == j else 0.0
    for _ in range(SWEEPS):
        turned = False
        for p in range(n - 1):
            for q in range(p + 1, n):
                a = b = c = 0.0
                for i in range(rows):
                    a += U[i, p] * U[i, p]
                    b += U[i, q] * U[i, q]
                    c += U[i, p] * U[i, q]
                if c * c <= orthogonal * a * b:
                    continue
                turned = True
                # The smaller root of tan^2 + 2 zeta tan - 1 = 0, written without cancellation: a rotation of
                # at most 45 degrees; with larger rotations the sweeps need not converge.
                zeta = 0.5 * (b - a) / c
                tangent = (1.0 if zeta >= 0.0 else -1.0) / (abs(zeta) + sqrt(1.0 + zeta * zeta))
                cosine = 1.0 / sqrt(1.0 + tangent * tangent)
                sine = cosine * tangent
                for i in range(rows):
                    x, z = U[i, p], U[i, q]
                    U[i, p] = cosine * x - sine * z
                    U[i, q] = sine * x + cosine * z
                for i in range(n):
                    x, z = V[i, p], V[i, q]
                    V[i, p] = cosine * x - sine * z
                    V[i, q] = sine * x + cosine * z
        if not turned:
            return


def pseudo_inverse(
    A: Array, damping: float, tolerance: float, U: Array, V: Array, y: Array, values: Array
) -> None:
    """y = V diag(s / (s^2 + damping^2)) U^T, s the singular values of A above tolerance times the largest.

    U has the shape of A, or of A^T if A has fewer rows than columns; V is square, with the size of the
    shorter side. `values` become all singular values, largest first.
    """
    wide = A.shape[0] < A.shape[1]  # then of A^T: the work grows with the square of the number of columns
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            if wide:
                U[j, i] = A[i, j]
            else:
                U[i, j] = A[i, j]
            y[j, i] = 0.0
    rotate_columns(U, V)
    column_lengths(U, values)
    least = tolerance * values[0]
    for k in range(V.shape[0]):
        square = column_square(U, k)
        if sqrt(square) > least:
            # Column k of U is s u: (s u) v^T / (s^2 + damping^2) is the term, without a division by s.
            factor = 1.0 / (square + damping * damping)
            for i in range(U.shape[0]):
                for j in range(V.shape[0]):
                    if wide:
                        y[i, j] += factor * U[i, k] * V[j, k]
                    else:
                        y[j, i] += factor * V[j, k] * U[i, k]


def column_lengths(U: Array, values: Array) -> None:
    """The lengths of the columns, largest first."""
    for k in range(U.shape[1]):
        length = sqrt(column_square(U, k))
        place = k
        while place > 0 and values[place - 1] < length:
            values[place] = values[place - 1]
            place -= 1
        values[place] = length


def column_square(U: Array, k: int) -> float:
    """The squared length of column k."""
    total = 0.0
    for i in range(U.shape[0]):
        total += U[i, k] * U[i, k]
    return total
