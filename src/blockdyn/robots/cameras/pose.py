"""The pose of a camera follows from an image of points: by linear equations, then by least squares.

Points q are relative to their centre, with lengths near 1; xy is their image over the focal length. The
pose (R, place) maps them to camera axes: z (x, y, 1) = R q + place. The unknowns are the elements of the
matrix (R, place) over the depth of the centre, which is not 0; the last element is 1.
Source: Hartley, Zisserman, Multiple View Geometry (2nd ed., 2004), sections 4.1, 7.1 and 8.1.1.

Gauss-Newton steps over small motions of the points in camera axes, (v, w), each halved until the sum of the
squared errors falls.
Source: Hartley, Zisserman, Multiple View Geometry (2nd ed., 2004), appendix 6.
"""

from __future__ import annotations

from math import nan, sqrt
from typing import NamedTuple

from ..lie.kernels.rotation import exp3
from ..mechanics.mass_matrix import factor, solve
from .projection import Array


def first_pose(q: Array, xy: Array, normal: Array, matrix: Array, R: Array, place: Array) -> bool:
    """R and place, with workspace for m unknowns: 8 for points in the plane q_z = 0, 11 for points in space.

    False if the image does not determine them.
    """
    m = matrix.shape[0]
    k = (m - 2) // 3  # coordinates in use: 2 or 3
    for r in range(m):
        matrix[r] = 0.0
        for c in range(m):
            normal[r, c] = 0.0
    for i in range(q.shape[0]):
        add_equation(q, i, k, 0, xy[2 * i], normal, matrix)
        add_equation(q, i, k, 1, xy[2 * i + 1], normal, matrix)
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


def add_equation(q: Array, i: int, k: int, row: int, x: float, normal: Array, right: Array) -> None:
    """Add (row of the matrix - x its last row) (q_i, 1) = 0 to the normal equations."""
    for r in range(right.shape[0]):
        a = coefficient(q, i, k, row, x, r)
        if a != 0.0:
            right[r] += a * x
            for c in range(r + 1):
                normal[r, c] += a * coefficient(q, i, k, row, x, c)


def coefficient(q: Array, i: int, k: int, row: int, x: float, unknown: int) -> float:
    """The coefficient of an unknown of row unknown // (k + 1), 0 if it is in neither row."""
    of, j = unknown // (k + 1), unknown % (k + 1)
    value = q[i, j] if j < k else 1.0
    return value if of == row else (-x * value if of == 2 else 0.0)


def orthonormal(R: Array) -> bool:
    """Gram and Schmidt on two columns; the third is their product. False if they are parallel."""
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


STEPS = 50  # at most: from the linear solution five to ten suffice, with strong noise some more
HALVINGS = 30
SMALL = 1e-15  # of the pose: shorter steps are rounding


class Search(NamedTuple):
    """Workspace for the steps of least squares."""

    normal: Array  # (6, 6)
    step: Array  # (6,)
    turn: Array  # (3, 3)
    R: Array  # (3, 3)
    next_turned: Array
    place: Array  # (3,)
    next_place: Array


def settle(q: Array, xy: Array, f: Array, search: Search) -> float:
    """Improve R, place of points q; the sum of squared errors in pixels, NaN if a point is not in front.

    xy is their image over the focal lengths f (2,), in pixels.
    """
    error = squared_error(q, xy, f, search.R, search.place)
    for _ in range(STEPS):
        if not error >= 0.0:
            return nan
        size = gauss_newton(q, xy, f, search)
        if not size >= 0.0:
            return nan
        better = False
        for _halving in range(HALVINGS):
            apply_step(search)
            next_error = squared_error(q, xy, f, search.next_turned, search.next_place)
            if next_error < error:
                better = True
                break
            if size < SMALL:
                break
            size *= 0.5
            for k in range(6):
                search.step[k] *= 0.5
        if not better:
            return error
        error = next_error
        for i in range(3):
            search.place[i] = search.next_place[i]
            for j in range(3):
                search.R[i, j] = search.next_turned[i, j]
    return error


def squared_error(q: Array, xy: Array, f: Array, R: Array, place: Array) -> float:
    """The squared error in pixels squared; NaN if a point is not in front."""
    total = 0.0
    for i in range(q.shape[0]):
        x, y, z = to_camera_axes(q, i, R, place)
        if not z > 0.0:
            return nan
        total += (f[0] * (x / z - xy[2 * i])) ** 2 + (f[1] * (y / z - xy[2 * i + 1])) ** 2
    return total


def to_camera_axes(q: Array, i: int, R: Array, place: Array) -> tuple[float, float, float]:
    """Point i in camera axes, R q + place."""
    return (
        R[0, 0] * q[i, 0] + R[0, 1] * q[i, 1] + R[0, 2] * q[i, 2] + place[0],
        R[1, 0] * q[i, 0] + R[1, 1] * q[i, 1] + R[1, 2] * q[i, 2] + place[1],
        R[2, 0] * q[i, 0] + R[2, 1] * q[i, 1] + R[2, 2] * q[i, 2] + place[2],
    )


def gauss_newton(q: Array, xy: Array, f: Array, search: Search) -> float:
    """The step (v, w) into search.step; its length, or NaN if the points do not determine some motion."""
    normal, step = search.normal, search.step
    for r in range(6):
        step[r] = 0.0
        for c in range(6):
            normal[r, c] = 0.0
    for i in range(q.shape[0]):
        x, y, z = to_camera_axes(q, i, search.R, search.place)
        x, y, inverse = x / z, y / z, 1.0 / z
        add_residual(normal, step, f[0], (inverse, 0.0, -x * inverse, -x * y, 1.0 + x * x, -y), xy[2 * i] - x)
        add_residual(
            normal, step, f[1], (0.0, inverse, -y * inverse, -1.0 - y * y, x * y, x), xy[2 * i + 1] - y
        )
    if factor(normal, 0, 6) >= 0:
        return nan
    solve(normal, 0, 6, step)
    total = 0.0
    for k in range(6):
        total += step[k] * step[k]
    return sqrt(total)


def add_residual(
    normal: Array, step: Array, f: float, row: tuple[float, float, float, float, float, float], error: float
) -> None:
    """Add a row of the Jacobian to the normal equations."""
    for r in range(6):
        step[r] += f * f * row[r] * error
        for c in range(r + 1):
            normal[r, c] += f * f * row[r] * row[c]


def apply_step(search: Search) -> None:
    """next_turned = exp [w] R, next_place = exp [w] place + v."""
    R, place, turn, step = search.R, search.place, search.turn, search.step
    exp3(step[3], step[4], step[5], turn)
    for i in range(3):
        search.next_place[i] = step[i] + turn[i, 0] * place[0] + turn[i, 1] * place[1] + turn[i, 2] * place[2]
        for j in range(3):
            search.next_turned[i, j] = turn[i, 0] * R[0, j] + turn[i, 1] * R[1, j] + turn[i, 2] * R[2, j]
