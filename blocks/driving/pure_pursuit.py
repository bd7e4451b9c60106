"""PurePursuit: steering towards a point of a path that lies a fixed distance ahead."""

from __future__ import annotations

from collections.abc import Mapping
from math import atan, cos, hypot, sin
from typing import ClassVar

import numpy as np

from ...robots.wheels.pieces import foot, last_at, point
from ..contract.parameter import Array, Real, parameter
from ..contract.port import XYZ, Crossing, Port
from .path_parameters import OnPath

NEAR, FAR, BEFORE, STATES = 0, 1, 2, 3


def target_position(mode: int, pose: Array, pieces: Array, look_ahead: float) -> float:
    """Position of the target along its piece, m."""
    piece, state = pieces[mode // STATES], mode % STATES
    if state == NEAR:
        return last_at(piece, pose[0], pose[1], look_ahead)
    return foot(piece, pose[0], pose[1])[0] if state == FAR else 0.0


def aim(mode: int, pose: Array, pieces: Array, end: Array, look_ahead: float) -> tuple[float, float]:
    """The point that the vehicle steers to."""
    i = mode // STATES
    if i >= pieces.shape[0]:
        return end[0], end[1]
    return point(pieces[i], target_position(mode, pose, pieces, look_ahead))


class PurePursuit(OnPath):
    """Steers towards the point of a path at the look-ahead distance, on a circle through it.

        |target - position| = look_ahead     curvature = 2 y / rho^2     gamma = atan(wheelbase curvature)

    with y the target in vehicle axes, to the left, and rho its distance. The target moves only along the
    path: on each piece it is the point at which the circle of that radius around the vehicle leaves the
    piece, and it moves on to the next piece at the located instant when it reaches the end. It therefore
    never jumps to another part of a path that comes close to itself. If the path is farther away than the
    look-ahead distance, the target is its nearest point; if the end of the path is nearer, the target is the
    end. `rest` is the distance to the end; on a `closed` path it is the distance to the target plus the
    remaining length of all laps from the target on. The curvature is the same for a target ahead or astern: a
    vehicle drives straight away from a target exactly at its rear.

    `target` can also serve as the goal of DriveToPoint. Raises ParameterError for repeated points. Source:
    Coulter, Implementation of the Pure Pursuit Path Tracking Algorithm, CMU-RI-TR-92-01 (1992).

    Example:
        {type: PurePursuit, waypoints: [[0, 0], [10, 0], [10, 10]], look_ahead: 2.0}
    """

    icon = "pursuit"
    inputs: ClassVar = (Port("pose", 3, "m, m, rad", "x, y and heading"),)
    outputs: ClassVar = (
        Port("target", 2, "m", "the point that it steers towards", elements=XYZ[:2]),
        Port("curvature", 1, "1/m", "of the circle to it, to the left"),
        Port("gamma", 1, "rad", "steering angle of a bicycle on that circle"),
        Port("rest", 1, "m", "from the end of the path"),
    )
    crossings: ClassVar = (Crossing("piece_ends", +1), Crossing("far"), Crossing("begins"))

    look_ahead: Real = parameter(
        default=1.0, unit="m", doc="distance to the target", above=0, dimensions=(0,)
    )
    wheelbase: Real = parameter(
        default=1.0, unit="m", doc="wheelbase of the bicycle", above=0, dimensions=(0,)
    )

    @staticmethod
    def crossing(mode: int, pose: Array, pieces: Array, look_ahead: float) -> tuple[float, float, float]:
        i, state = mode // STATES, mode % STATES
        if i >= pieces.shape[0]:
            return -1.0, 1.0, 1.0
        begun = foot(pieces[i], pose[0], pose[1])[0] if state != NEAR else 1.0
        return beyond(mode, pose, pieces, look_ahead), look_ahead - distance_to_piece(i, pose, pieces), begun

    @staticmethod
    def mode(mode: int, pose: Array, pieces: Array, look_ahead: float) -> int:
        """STATES times the number of the piece, plus the relation of the vehicle to it."""
        i = mode // STATES
        while i < pieces.shape[0]:
            state = NEAR
            if distance_to_piece(i, pose, pieces) > look_ahead:
                state = BEFORE if foot(pieces[i], pose[0], pose[1])[0] < 0.0 else FAR
            if beyond(STATES * i + state, pose, pieces, look_ahead) < 0.0:
                return STATES * i + state
            i += 1
        return STATES * i

    @staticmethod
    def output_target(
        mode: int, pose: Array, pieces: Array, end: Array, look_ahead: float, target: Array
    ) -> None:
        target[0], target[1] = aim(mode, pose, pieces, end, look_ahead)

    @staticmethod
    def output_curvature(mode: int, pose: Array, pieces: Array, end: Array, look_ahead: float) -> float:
        return bend(mode, pose, pieces, end, look_ahead)

    @staticmethod
    def output_gamma(
        mode: int, pose: Array, pieces: Array, end: Array, look_ahead: float, wheelbase: float
    ) -> float:
        return atan(wheelbase * bend(mode, pose, pieces, end, look_ahead))

    @staticmethod
    def output_rest(
        mode: int, pose: Array, pieces: Array, end: Array, look_ahead: float, knots: Array, around: float
    ) -> float:
        i = mode // STATES
        if around == 0.0 or i >= pieces.shape[0]:
            return hypot(end[0] - pose[0], end[1] - pose[1])
        x, y = aim(mode, pose, pieces, end, look_ahead)
        s = target_position(mode, pose, pieces, look_ahead)
        return hypot(x - pose[0], y - pose[1]) + knots[-1] - knots[i] - s  # type: ignore[no-any-return]

    def constants(self) -> Mapping[str, Array | float]:
        knots = np.concatenate([[0.0], np.cumsum(self.pieces[:, 4])])
        return {**super().constants(), "knots": knots, "around": 1.0 if self.closed else 0.0}


def distance_to_piece(i: int, pose: Array, pieces: Array) -> float:
    """Distance of the vehicle from a piece extended beyond its end: from its line or circle, or its start."""
    s, left = foot(pieces[i], pose[0], pose[1])
    return abs(left) if s >= 0.0 else hypot(pieces[i, 0] - pose[0], pieces[i, 1] - pose[1])


def beyond(mode: int, pose: Array, pieces: Array, look_ahead: float) -> float:
    """Distance of the target beyond the end of its piece, m."""
    piece, state = pieces[mode // STATES], mode % STATES
    return target_position(mode, pose, pieces, look_ahead) - piece[4] if state != BEFORE else -1.0


def bend(mode: int, pose: Array, pieces: Array, end: Array, look_ahead: float) -> float:
    """The curvature of the circle from the vehicle, tangent to its heading, to the target, 1/m."""
    x, y = aim(mode, pose, pieces, end, look_ahead)
    dx, dy = x - pose[0], y - pose[1]
    square = dx * dx + dy * dy
    return 2.0 * (cos(pose[2]) * dy - sin(pose[2]) * dx) / square if square > 0.0 else 0.0
