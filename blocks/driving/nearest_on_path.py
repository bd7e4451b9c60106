"""NearestOnPath: a vehicle's position along a path, and its offset from the path."""

from __future__ import annotations

from collections.abc import Mapping
from math import cos, hypot, inf, sin
from typing import ClassVar, NamedTuple

import numpy as np

from ...robots.wheels.pieces import foot, point
from ..contract.parameter import Array, Real, parameter
from ..contract.port import XYZ, Crossing, Port
from .path_parameters import OnPath
from .seen_angle import branch_angle, passes, side, turned_back

# The place is 0 if not determined yet, 1 before the path, 2 i + 2 on piece i, and 2 i + 3 at its end. The
# mode of the block is nine times the place, plus the side on which the path's direction is seen (0
# undetermined, 1 left, 2 right), plus three times the phase of FollowPath's speed.
BEFORE, SIDES, MODES = 1, 3, 9


class Ride(NamedTuple):
    """The vehicle and its path."""

    pose: Array
    ahead: float
    pieces: Array
    knots: Array
    searched: float


def place(ride: Ride) -> tuple[float, float]:
    """The point of the vehicle that follows the path."""
    pose = ride.pose
    return pose[0] + ride.ahead * cos(pose[2]), pose[1] + ride.ahead * sin(pose[2])


def distance_to_piece(i: int, x: float, y: float, pieces: Array) -> float:
    """The distance of a point from a piece, m."""
    s, left = foot(pieces[i], x, y)
    if 0.0 <= s <= pieces[i, 4]:
        return abs(left)
    px, py = point(pieces[i], 0.0 if s < 0.0 else pieces[i, 4])
    return hypot(x - px, y - py)


def turns(i: int, pieces: Array) -> bool:
    """True if the vehicle reverses at the end of a piece, from forwards to backwards or vice versa."""
    return 0 <= i < pieces.shape[0] - 1 and pieces[i, 5] != pieces[i + 1, 5]  # type: ignore[no-any-return]


def onto(number: int, ride: Ride) -> tuple[int, float, float]:
    """The piece, the distance along it, m, and the offset to its left, m, in a determined place."""
    x, y = place(ride)
    i = max(number // 2 - 1, 0)
    s, left = foot(ride.pieces[i], x, y)
    if number >= 2 and number % 2 == 0:
        return i, s, left
    s = ride.pieces[i, 4] if number > BEFORE else 0.0
    px, py = point(ride.pieces[i], s)
    gap = hypot(x - px, y - py)
    return i, s, (gap if left >= 0.0 else -gap)


def direction(number: int, ride: Ride) -> tuple[float, float]:
    """The required direction of the vehicle there, in the axes of the vehicle."""
    i, s, _ = onto(number, ride)
    heading, way = ride.pieces[i, 2] + s * ride.pieces[i, 3], ride.pieces[i, 5]
    return turned_back(way * cos(heading), way * sin(heading), ride.pose[2])


def leaves(number: int, ride: Ride) -> tuple[float, float, float, float]:
    """The crossings of a place: beyond its end, before its start, nearer to the next piece, or the last."""
    x, y = place(ride)
    count, i = ride.pieces.shape[0], max(number // 2 - 1, 0)
    s, left = foot(ride.pieces[i], x, y)
    if number <= BEFORE:
        return s, -1.0, -1.0, -1.0
    length = ride.pieces[i, 4]
    if number % 2 == 1:
        onwards = foot(ride.pieces[i + 1], x, y)[0] if i + 1 < count else -1.0
        return onwards, length - s, -1.0, -1.0
    onwards, begun = i + 1 < count and not turns(i, ride.pieces), turns(i - 1, ride.pieces)
    after = abs(left) - distance_at_foot(i + 1, x, y, ride.pieces) if onwards else -1.0
    earlier = abs(left) - distance_at_foot(i - 1, x, y, ride.pieces) if i > 0 and not begun else -1.0
    return s - length, -1.0 if begun else -s, max(after, -1.0), max(earlier, -1.0)


def distance_at_foot(i: int, x: float, y: float, pieces: Array) -> float:
    """The distance of a point from a piece if its foot is on the piece, otherwise infinite."""
    s, left = foot(pieces[i], x, y)
    return abs(left) if 0.0 <= s <= pieces[i, 4] else inf


def next_place(number: int, ride: Ride) -> int:
    """The next place: at the start the nearest of the searched pieces, then neighbours of the last one."""
    x, y = place(ride)
    count = ride.pieces.shape[0]
    if number == 0:
        nearest = 0
        for k in range(1, int(ride.searched)):
            if distance_to_piece(k, x, y, ride.pieces) < distance_to_piece(nearest, x, y, ride.pieces):
                nearest = k
        s, _ = foot(ride.pieces[nearest], x, y)
        if s < 0.0:
            return 2 * nearest + 1  # at the end of the piece before, or before the path
        if s <= ride.pieces[nearest, 4]:
            return 2 * nearest + 2
        return 2 * nearest + (4 if turns(nearest, ride.pieces) else 3)
    for _ in range(2 * count + 2):
        beyond, back, after, earlier = leaves(number, ride)
        on_piece = number > BEFORE and number % 2 == 0
        if after > 0.0:
            number += 2
        elif earlier > 0.0:
            number -= 2
        elif beyond > 0.0:
            number += 2 if on_piece and turns(number // 2 - 1, ride.pieces) else 1
        elif back > 0.0 and (on_piece or number > BEFORE):
            number -= 1
        else:
            return number
    return number


def mode_with_side(number: int, way: int, ride: Ride) -> int:
    """The mode of a place, with the new side."""
    ahead, left = direction(number, ride)
    chosen = side(0 if way == 0 else (1 if way == 1 else -1), ahead, left)
    return MODES * number + (1 if chosen > 0 else 2)


def crossing_values(mode: int, ride: Ride) -> tuple[float, float, float, float, float, float]:
    """The crossings of the block: for the place and for the angle."""
    number, way = mode // MODES, mode % SIDES
    ahead, left = direction(number, ride)
    beyond, back, after, earlier = leaves(number, ride)
    behind, across = passes(1 if way < 2 else -1, ahead, left)
    return beyond, back, after, earlier, behind, across


def angle(mode: int, ride: Ride) -> float:
    """The direction of the path minus the heading."""
    ahead, left = direction(mode // MODES, ride)
    return branch_angle(1 if mode % SIDES < 2 else -1, ahead, left)


class NearestOnPath(OnPath):
    """The nearest point of a path, as a vehicle moves along it.

        point = c(s), with (position + ahead e(theta) - c(s)) . c'(s) = 0

    `offset` is the distance of the vehicle to the left of the path, `alpha` the direction of the path minus
    the heading, in [-pi, pi). On each line and arc the point has a closed form; moving on to the next piece,
    staying at a corner, and jumping across the inside of a corner are located events. At the start the search
    covers the whole path (if it is `closed`, the first half of a lap; with reversals, the part before the
    first one). Later it covers only the current piece and its neighbours, so the point does not jump to
    another part of the path that comes close. `ahead` shifts the reference point of the vehicle forwards, as
    Stanley does to the front axle. On `arcs` of negative length the vehicle drives backwards: left and
    curvature are as seen in the direction of travel, and s continues to increase.

    Example:
        {type: NearestOnPath, waypoints: [[0, 0], [10, 0], [10, 10]]}
    """

    icon = "nearest on a path"
    backwards: ClassVar = True
    inputs: ClassVar = (Port("pose", 3, "m, m, rad", "x, y and heading"),)
    outputs: ClassVar[tuple[Port, ...]] = (
        Port("s", 1, "m", "along the path, from its start"),
        Port("offset", 1, "m", "to the left of the path"),
        Port("alpha", 1, "rad", "direction of the path minus the heading"),
        Port("curvature", 1, "1/m", "of the path, to the left"),
        Port("point", 2, "m", "the nearest point", elements=XYZ[:2]),
    )
    crossings: ClassVar[tuple[Crossing, ...]] = (
        Crossing("beyond", +1),
        Crossing("back", +1),
        Crossing("next_is_nearer", +1),
        Crossing("last_is_nearer", +1),
        Crossing("behind", +1),
        Crossing("across", +1),
    )

    ahead: Real = parameter(
        default=0.0, unit="m", doc="distance of the reference point ahead of the axle", dimensions=(0,)
    )

    def constants(self) -> Mapping[str, Array | float]:
        constants = dict(super().constants())
        lengths, ways = self.pieces[:, 4:6].T
        knots = np.concatenate([[0.0], np.cumsum(lengths)])
        half = np.searchsorted(knots, 0.5 * knots[-1] / self.laps) if self.closed else len(lengths)
        first = np.argmax(ways != ways[0]) or len(ways)
        return {**constants, "knots": knots, "searched": float(min(half, first))}

    @staticmethod
    def crossing(mode: int, ride: Ride) -> tuple[float, float, float, float, float, float]:
        return crossing_values(mode, ride)

    @staticmethod
    def mode(mode: int, ride: Ride) -> int:
        return mode_with_side(next_place(mode // MODES, ride), mode % SIDES, ride)

    @staticmethod
    def output_s(mode: int, ride: Ride) -> float:
        i, s, _ = onto(mode // MODES, ride)
        return ride.knots[i] + s  # type: ignore[no-any-return]

    @staticmethod
    def output_offset(mode: int, ride: Ride) -> float:
        i, _, offset = onto(mode // MODES, ride)
        return ride.pieces[i, 5] * offset  # type: ignore[no-any-return]

    @staticmethod
    def output_alpha(mode: int, ride: Ride) -> float:
        return angle(mode, ride)

    @staticmethod
    def output_curvature(mode: int, ride: Ride) -> float:
        i, _, _ = onto(mode // MODES, ride)
        return ride.pieces[i, 5] * ride.pieces[i, 3]  # type: ignore[no-any-return]

    @staticmethod
    def output_point(mode: int, ride: Ride, point: Array) -> None:
        on_path(mode // MODES, ride, point)


def on_path(number: int, ride: Ride, target: Array) -> None:
    """Write the point of the path."""
    i, s, _ = onto(number, ride)
    target[0], target[1] = point(ride.pieces[i], s)
