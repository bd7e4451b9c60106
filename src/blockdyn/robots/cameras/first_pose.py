"""First pose: that of a camera from an image of points, by linear equations, as a start for least squares.

Points q are given in axes of their own, about their centre and with lengths near 1; xy is their image over
the focal length. The pose (R, place) takes them into camera axes: z (x, y, 1) = R q + place. Of the matrix
(R, place) over the depth of the centre, which is not 0, all elements but the last, 1, are unknown.
Source: Hartley, Zisserman, Multiple View Geometry (2nd ed., 2004), sections 4.1, 7.1 and 8.1.1.
"""

from __future__ import annotations

from math import sqrt

from ..mechanics.cholesky import factor, solve
from .projection import Array


def first_pose(q: Array, xy: Array, normal: Array, matrix: Array, R: Array, place: Array) -> bool:
    """R and place, with room for m unknowns: 8 for points of the plane q_z = 0, 11 for those of no plane.

    False where the image does not determine them.
    """
    m = matrix.shape[0]
    k = (m - 2) // 3  # coordinates that count: 2 or 3
    for r in range(m):
        matrix[r] = 0.0
        for c in range(m):
            normal[r, c] = 0.0
    for i in range(q.shape[0]):
        add(q, i, k, 0, xy[2 * i], normal, matrix)
        add(q, i, k, 1, xy[2 * i + 1], normal, matrix)
    if factor(normal, 0, m) >= 0:
        return False
    solve(normal, 0, m, matrix)
    length = 0.0
    for j in range(k):
        for i in range(3):
            R[i, j] = matrix[(k + 1) * i + j]
            length += R[i, j] * R[i, j] / k
    length = sqrt(length)
    place[0], place[1], place[2] = matrix[k] / length, matrix[2 * k + 1] / length, 1.0 / length
    return orthonormal(R)


def add(q: Array, i: int, k: int, row: int, x: float, normal: Array, right: Array) -> None:
    """Add (row of the matrix - x its last row) (q_i, 1) = 0 to the normal equations."""
    for r in range(right.shape[0]):
        a = coefficient(q, i, k, row, x, r)
        if a != 0.0:
            right[r] += a * x
            for c in range(r + 1):
                normal[r, c] += a * coefficient(q, i, k, row, x, c)


def coefficient(q: Array, i: int, k: int, row: int, x: float, unknown: int) -> float:
    """What multiplies an unknown of row unknown // (k + 1), 0 where it is in neither row."""
    of, j = unknown // (k + 1), unknown % (k + 1)
    value = q[i, j] if j < k else 1.0
    return value if of == row else (-x * value if of == 2 else 0.0)


def orthonormal(R: Array) -> bool:
    """Gram and Schmidt on two columns; the third is their product. False where they are parallel."""
    for j in range(2):
        along = R[0, 0] * R[0, 1] + R[1, 0] * R[1, 1] + R[2, 0] * R[2, 1] if j == 1 else 0.0
        square = 0.0
        for i in range(3):
            R[i, j] -= along * R[i, 0] if j == 1 else 0.0
            square += R[i, j] * R[i, j]
        if not square > 0.0:
            return False
        for i in range(3):
            R[i, j] /= sqrt(square)
    for i in range(3):
        a, b = (i + 1) % 3, (i + 2) % 3
        R[i, 2] = R[a, 0] * R[b, 1] - R[b, 0] * R[a, 1]
    return True
