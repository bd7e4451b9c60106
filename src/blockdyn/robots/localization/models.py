"""Models of motion and measurement in the plane, with derivatives: odometry, landmarks, beams on a map."""

from __future__ import annotations

from math import atan2, cos, hypot, inf, pi, sin
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..lie.kernels.angles import wrap_angle
from ..mechanics.bodies import Array
from ..wheels.motion import arc

NEAR_DIAGONAL = 0.66  # tangent above which the fit below uses the diagonal instead of the axis


def direction(ahead: float, left: float) -> float:
    """atan2(left, ahead), to the last bit or two; 0 for the origin.

    Only sums, products, quotients and selections occur, so that compilers vectorise loops, which they do not
    with calls of the C library. The angle is reduced to +-0.58 rad about an axis or a diagonal. The
    rational fit is from Moshier, Methods and Programs for Mathematical Functions (1989), `atan` of Cephes.
    """
    a, b = abs(ahead), abs(left)
    great, small = (a, b) if a > b else (b, a)
    steep = small > NEAR_DIAGONAL * great
    over = small - great if steep else small
    under = small + great if steep else great
    x = over / (under if under > 0.0 else 1.0)
    z = x * x
    top = (
        ((-0.8750608600031904 * z - 16.157537187333652) * z - 75.00855792314705) * z - 122.88666844901361
    ) * z
    bottom = (
        (((z + 24.858464901423062) * z + 165.02700983169885) * z + 432.88106049129027) * z + 485.3903996359137
    ) * z
    angle = x + x * z * (top - 64.85021904942025) / (bottom + 194.5506571482614)
    angle = angle + 0.25 * pi if steep else angle
    angle = 0.5 * pi - angle if b > a else angle
    angle = pi - angle if ahead < 0.0 else angle
    return -angle if left < 0.0 else angle


def range_bearing(pose: Array, x: float, y: float) -> tuple[float, float]:
    """The distance of a point, m, and its direction relative to the heading, rad, from -pi to pi."""
    dx, dy = x - pose[0], y - pose[1]
    return hypot(dx, dy), wrap_angle(atan2(dy, dx) - pose[2])


def range_bearing_slopes(pose: Array, x: float, y: float, H: Array) -> None:
    """H (2, 5): derivatives of range and bearing with respect to x, y, heading, and x, y of the point.

    The distance must not be 0.
    """
    dx, dy = x - pose[0], y - pose[1]
    square = dx * dx + dy * dy
    r = hypot(dx, dy)
    H[0, 0], H[0, 1], H[0, 2] = -dx / r, -dy / r, 0.0
    H[1, 0], H[1, 1], H[1, 2] = dy / square, -dx / square, -1.0
    H[0, 3], H[0, 4] = dx / r, dy / r
    H[1, 3], H[1, 4] = -dy / square, dx / square


def locate_point(pose: Array, distance: float, bearing: float) -> tuple[float, float]:
    """The point seen at this range and bearing from a pose."""
    angle = pose[2] + bearing
    return pose[0] + distance * cos(angle), pose[1] + distance * sin(angle)


NEAR = 0.05  # rad: below it the series, whose first omitted term is 1e-14 of the sum

Gradients = tuple[float, float, float, float, float, float]


def move_pose(pose: Array, distance: float, turn: float, next_pose: Array) -> None:
    """The pose at the end of an arc of this length, over which the heading turns by `turn`; exact.

    With (a, b) the chord of an arc of length 1,

        x + distance (a cos theta - b sin theta),   y + distance (a sin theta + b cos theta),   theta + turn

    The heading is not wrapped.
    """
    a, b = arc(turn)
    c, s = cos(pose[2]), sin(pose[2])
    next_pose[0] = pose[0] + distance * (a * c - b * s)
    next_pose[1] = pose[1] + distance * (a * s + b * c)
    next_pose[2] = pose[2] + turn


def moved_to(pose: Array, distance: float, turn: float, next_pose: Array) -> tuple[float, float]:
    """The final pose, with cosine and sine of its heading, for the chord (a, -b)."""
    a, b = arc(turn)
    theta = pose[2] + turn
    c, s = cos(theta), sin(theta)
    next_pose[0] = pose[0] + distance * (a * c + b * s)
    next_pose[1] = pose[1] + distance * (a * s - b * c)
    next_pose[2] = theta
    return c, s


def arc_slopes(turn: float) -> tuple[float, float]:
    """d/dturn of the chord `arc(turn)`, forwards and to the left."""
    square = turn * turn
    if square < NEAR * NEAR:
        forwards = -turn / 3.0 * (1.0 - square / 10.0 * (1.0 - square / 28.0 * (1.0 - square / 54.0)))
        left = 0.5 - square / 8.0 * (1.0 - square / 18.0 * (1.0 - square / 40.0))
        return forwards, left
    a, b = arc(turn)
    return (cos(turn) - a) / turn, (sin(turn) - b) / turn


def motion_gradients(heading: float, distance: float, turn: float) -> Gradients:
    """dx, dy of `move_pose`, d(x, y)/d(distance), d(x, y)/d(turn).

    The other derivatives follow: d(x, y)/d(heading) = (-dy, dx), and d(heading)/d(turn) = 1.
    """
    a, b = arc(turn)
    da, db = arc_slopes(turn)
    c, s = cos(heading), sin(heading)
    x, y = a * c - b * s, a * s + b * c
    return (
        distance * x, distance * y, x, y, distance * (da * c - db * s), distance * (da * s + db * c)
    )  # fmt: skip


OUTSIDE = -1.0
BITS = 12  # of a side: four sides make an integer below 2^53, which a float represents exactly
LONGEST = 2**BITS - 1


def empty_squares(occupied: ArrayLike) -> Array:
    """For each cell, the sides of the largest empty squares that start there, one per quadrant.

    They are the four digits of one number to the base 2^12: to rising columns and rows; to falling columns;
    to falling rows; to both. An occupied cell has 0; outside the map all is empty, up to 4095 cells. One
    number per cell keeps the table of a large map in the processor's cache.
    """
    cells = np.asarray(occupied, bool)
    packed = np.zeros(cells.shape)
    for quadrant in range(4):
        ahead = slice(None, None, -1 if quadrant & 2 else 1), slice(None, None, -1 if quadrant & 1 else 1)
        packed[ahead] += 2.0 ** (BITS * quadrant) * _squares_ahead(cells[ahead])
    return packed


def _squares_ahead(occupied: Any) -> Any:
    """Sides of the squares to increasing columns and rows: 1 + the least side of the three cells ahead."""
    sides, column = np.empty(occupied.shape, np.int64), np.arange(occupied.shape[1])
    above = np.full(occupied.shape[1] + 1, LONGEST)
    for i in range(len(sides) - 1, -1, -1):
        # Along a row, side[j] <= side[l] + (l - j) for all l > j: the running minimum of side[l] + l.
        reach = np.where(occupied[i], 0, np.minimum(above[:-1], above[1:]) + 1) + column
        sides[i] = above[:-1] = np.minimum(np.minimum.accumulate(reach[::-1])[::-1] - column, LONGEST)
    return sides


def beam(squares: Array, x: float, y: float, angle: float, farthest: float) -> float:
    """The distance, in cells, from (x, y) along a direction to the first occupied cell, or `farthest`.

    `squares` comes from `empty_squares`. A beam that leaves the map ends at `farthest`; from outside it is
    OUTSIDE. A beam exactly through a corner passes between cells that touch it only there.

    The walk from border to border is by Amanatides and Woo, A Fast Voxel Traversal Algorithm for Ray
    Tracing, Eurographics 1987, doi:10.2312/egtp.19871000, with the largest empty square in place of a cell.
    """
    rows, columns = squares.shape
    if not (0.0 <= x < columns and 0.0 <= y < rows):
        return OUTSIDE
    dx, dy = cos(angle), sin(angle)
    digit = BITS * ((1 if dx < 0.0 else 0) + (2 if dy < 0.0 else 0))
    i, j = int(y), int(x)
    step_i, step_j = (1 if dy >= 0.0 else -1), (1 if dx >= 0.0 else -1)
    # Below, columns and rows are counted in the direction of the beam, which begins at (u, v).
    u, v = (x - j if step_j > 0 else j + 1 - x), (y - i if step_i > 0 else i + 1 - y)
    dx, dy = abs(dx), abs(dy)
    per_x, per_y = (1.0 / dx if dx > 0.0 else inf), (1.0 / dy if dy > 0.0 else inf)
    passed_j = passed_i = 0
    gone = 0.0
    while gone < farthest:
        row, column = i + step_i * passed_i, j + step_j * passed_j
        if not (0 <= row < rows and 0 <= column < columns):
            return farthest
        side = (int(squares[row, column]) >> digit) & LONGEST
        if side == 0:
            return gone
        end_j, end_i = passed_j + side, passed_i + side
        to_x, to_y = (end_j - u) * per_x, (end_i - v) * per_y
        gone = min(to_x, to_y)
        # Rounding must not move it off the side of the square that it crosses.
        passed_j = end_j if to_x <= to_y else min(max(int(u + gone * dx), passed_j), end_j - 1)
        passed_i = end_i if to_y <= to_x else min(max(int(v + gone * dy), passed_i), end_i - 1)
    return farthest
