"""NearestOnPath: where on a path a vehicle is, and how far beside it."""

from __future__ import annotations

from collections.abc import Mapping
from math import cos, hypot, inf, sin
from typing import ClassVar, NamedTuple

import numpy as np

from ...robots.wheels.pieces import foot, point
from ..contract.parameter import Array, Real, parameter
from ..contract.port import Crossing, Port
from .path_parameters import OnPath
from .seen_angle import passes, seen, side, turned_back

# The place: 0 is not known yet, 1 is before the path, 2 i + 2 on piece i, 2 i + 3 at its end. The mode of the
# block is three times that, and the side on which the path's direction is seen: 0 not known, 1 left, 2 right.
BEFORE, SIDES = 1, 3


class Ride(NamedTuple):
    """The vehicle and its path."""

    pose: Array
    ahead: float
    pieces: Array
    knots: Array
    searched: float


def place(ride: Ride) -> tuple[float, float]:
    """The point of the vehicle that is to be on the path."""
    pose = ride.pose
    return pose[0] + ride.ahead * cos(pose[2]), pose[1] + ride.ahead * sin(pose[2])


def apart(i: int, x: float, y: float, pieces: Array) -> float:
    """The distance of a point from a piece, m."""
    s, left = foot(pieces[i], x, y)
    if 0.0 <= s <= pieces[i, 4]:
        return abs(left)
    px, py = point(pieces[i], 0.0 if s < 0.0 else pieces[i, 4])
    return hypot(x - px, y - py)


def onto(number: int, ride: Ride) -> tuple[int, float, float]:
    """The piece, how far along it, m, and how far to its left, m, in a place that is known."""
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
    """The direction of the path there, in the axes of the vehicle."""
    i, s, _ = onto(number, ride)
    heading = ride.pieces[i, 2] + s * ride.pieces[i, 3]
    return turned_back(cos(heading), sin(heading), ride.pose[2])


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
    after = abs(left) - beside(i + 1, x, y, ride.pieces) if i + 1 < count else -1.0
    earlier = abs(left) - beside(i - 1, x, y, ride.pieces) if i > 0 else -1.0
    return s - length, -s, max(after, -1.0), max(earlier, -1.0)


def beside(i: int, x: float, y: float, pieces: Array) -> float:
    """The distance of a point from a piece that it is beside, infinite before and after that."""
    s, left = foot(pieces[i], x, y)
    return abs(left) if 0.0 <= s <= pieces[i, 4] else inf


def next_place(number: int, ride: Ride) -> int:
    """The place from now on: the nearest of those searched at the start, then beside the one before only."""
    x, y = place(ride)
    count = ride.pieces.shape[0]
    if number == 0:
        nearest = 0
        for k in range(1, int(ride.searched)):
            if apart(k, x, y, ride.pieces) < apart(nearest, x, y, ride.pieces):
                nearest = k
        s, _ = foot(ride.pieces[nearest], x, y)
        if s < 0.0:
            return 2 * nearest + 1  # at the end of the piece before, or before the path
        return 2 * nearest + (3 if s > ride.pieces[nearest, 4] else 2)
    for _ in range(2 * count + 2):
        beyond, back, after, earlier = leaves(number, ride)
        on_piece = number > BEFORE and number % 2 == 0
        if after > 0.0:
            number += 2
        elif earlier > 0.0:
            number -= 2
        elif beyond > 0.0:
            number += 1
        elif back > 0.0 and (on_piece or number > BEFORE):
            number -= 1
        else:
            return number
    return number


def watched(mode: int, ride: Ride) -> tuple[float, float, float, float, float, float]:
    """The crossings of the block: those of its place, and those of the angle."""
    number, way = mode // SIDES, mode % SIDES
    ahead, left = direction(number, ride)
    beyond, back, after, earlier = leaves(number, ride)
    behind, across = passes(1 if way < 2 else -1, ahead, left)
    return beyond, back, after, earlier, behind, across


def angle(mode: int, ride: Ride) -> float:
    """The direction of the path less the heading."""
    ahead, left = direction(mode // SIDES, ride)
    return seen(1 if mode % SIDES < 2 else -1, ahead, left)


class NearestOnPath(OnPath):
    """The nearest point of a path, as a vehicle goes along it.

        point = c(s), with (position + ahead e(theta) - c(s)) . c'(s) = 0

    `offset` is how far the vehicle is to the left of the path, `alpha` the direction of the path less the
    heading, in [-pi, pi). On each line and arc the point has a closed form; that it goes on to the next
    piece, stays at a corner, or jumps across the inside of one, is a located event. At the start the nearest
    point of the whole path is taken, later the nearest on the piece and its neighbours: the point does not
    jump to another part of the path that comes near. `ahead` moves the point of the vehicle that counts, as
    Stanley does to the front axle.

    Example:
        {type: NearestOnPath, waypoints: [[0, 0], [10, 0], [10, 10]]}
    """

    icon = "nearest on a path"
    inputs: ClassVar = (Port("pose", 3, "m, m, rad", "x, y and heading"),)
    outputs: ClassVar[tuple[Port, ...]] = (
        Port("s", 1, "m", "along the path, from its start"),
        Port("offset", 1, "m", "to the left of the path"),
        Port("alpha", 1, "rad", "direction of the path less the heading"),
        Port("curvature", 1, "1/m", "of the path, to the left"),
        Port("point", 2, "m", "the nearest point"),
    )
    crossings: ClassVar[tuple[Crossing, ...]] = (
        Crossing("beyond", +1),
        Crossing("back", +1),
        Crossing("next_is_nearer", +1),
        Crossing("last_is_nearer", +1),
        Crossing("behind", +1),
        Crossing("across", +1),
    )

    ahead: Real = parameter(default=0.0, unit="m", doc="of the axle, the point that counts", dimensions=(0,))

    def constants(self) -> Mapping[str, Array | float]:
        constants = dict(super().constants())
        lengths = self.pieces[:, 4]
        knots = np.concatenate([[0.0], np.cumsum(lengths)])
        half = np.searchsorted(knots, 0.5 * knots[-1])
        return {**constants, "knots": knots, "searched": float(half if self.closed else len(lengths))}

    @staticmethod
    def crossing(mode: int, ride: Ride) -> tuple[float, float, float, float, float, float]:
        return watched(mode, ride)

    @staticmethod
    def mode(mode: int, ride: Ride) -> int:
        number, way = next_place(mode // SIDES, ride), mode % SIDES
        ahead, left = direction(number, ride)
        chosen = side(0 if way == 0 else (1 if way == 1 else -1), ahead, left)
        return SIDES * number + (1 if chosen > 0 else 2)

    @staticmethod
    def output_s(mode: int, ride: Ride) -> float:
        i, s, _ = onto(mode // SIDES, ride)
        return ride.knots[i] + s  # type: ignore[no-any-return]

    @staticmethod
    def output_offset(mode: int, ride: Ride) -> float:
        return onto(mode // SIDES, ride)[2]

    @staticmethod
    def output_alpha(mode: int, ride: Ride) -> float:
        return angle(mode, ride)

    @staticmethod
    def output_curvature(mode: int, ride: Ride) -> float:
        i, _, _ = onto(mode // SIDES, ride)
        return ride.pieces[i, 3]  # type: ignore[no-any-return]

    @staticmethod
    def output_point(mode: int, ride: Ride, point: Array) -> None:
        on_path(mode // SIDES, ride, point)


def on_path(number: int, ride: Ride, target: Array) -> None:
    """Write the point of the path."""
    i, s, _ = onto(number, ride)
    target[0], target[1] = point(ride.pieces[i], s)
