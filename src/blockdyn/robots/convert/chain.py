"""A chain gives the axes, link frames and masses of a serial robot when all coordinates are 0."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..errors import ConversionError
from ..model import table
from ..model.poses import Array, inverse, rotation, skew, translation
from ..model.robot import Robot


@dataclass(frozen=True)
class Station:
    """One moving joint with the body that it carries, in the world at q = 0.

    The axis passes through the origin of `body`, along its z; `frame` is the link frame.
    """

    prismatic: bool
    body: Array
    frame: Array
    mass: float
    com: Array  # in the world
    inertia: Array  # about the centre of mass, in the axes of the world

    @property
    def point(self) -> Array:
        """A point of the axis."""
        return np.asarray(self.body[:3, 3])

    @property
    def axis(self) -> Array:
        """The direction of the axis."""
        return np.asarray(self.body[:3, 2])


@dataclass(frozen=True)
class Chain:
    """The stations of a serial robot in order, and its tool."""

    stations: Sequence[Station]
    tool: Array


def chain(robot: Robot, form: str) -> Chain:
    """The chain of a robot, fixed joints lumped. Raises ConversionError for a robot with branches."""
    arm = robot.table()
    n = robot.n
    if len(arm) - 1 != n:
        raise ConversionError(robot.name, form, "it has joints that mimic others")
    parents = [int(arm[i, table.PARENT]) for i in range(n)]
    if parents != list(range(-1, n - 1)) or int(arm[n, table.TIP]) != n - 1:
        raise ConversionError(
            robot.name, form, "its joints do not form a single chain from the base to the tool"
        )
    stations = []
    before = np.eye(4)
    for i in range(n):
        prismatic = bool(arm[i, table.PRISMATIC])
        offset = float(arm[i, table.OFFSET])
        motion = translation(0, 0, offset) if prismatic else rotation(2, offset)
        body = before @ _pose(arm, i, table.PLACE_R, table.PLACE_P) @ motion
        stations.append(_station(arm, i, prismatic, body))
        before = body
    return Chain(stations, before @ _pose(arm, n, table.TOOL_R, table.TOOL_P))


def _station(arm: Array, i: int, prismatic: bool, body: Array) -> Station:
    mass = float(arm[i, table.MASS])
    moment = arm[i, table.MOMENT : table.MOMENT + 3]
    c = moment / mass if mass > 0 else np.zeros(3)
    xx, yy, zz, xy, xz, yz = arm[i, table.INERTIA : table.INERTIA + 6]
    about_origin = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    R = body[:3, :3]
    inertia = R @ without_noise(about_origin - mass * skew(c) @ skew(c).T, about_origin) @ R.T
    frame = body @ _pose(arm, i, table.LINK_R, table.LINK_P)
    return Station(prismatic, body, frame, mass, body[:3, 3] + R @ c, inertia)


def inertial(station: Station, frame: Array) -> dict[str, object]:
    """Mass, centre and inertia of a station in a frame given in the world, as Link takes them."""
    R = frame[:3, :3]
    centre = inverse(frame) @ np.append(station.com, 1.0) if station.mass > 0 else np.zeros(4)
    inertia = R.T @ station.inertia @ R
    return {"mass": station.mass, "com": centre[:3], "inertia": (inertia + inertia.T) / 2, "accepted": True}


def without_noise(difference: Array, minuend: Array) -> Array:
    """A symmetric difference of tensors, 0 where only rounding remains."""
    symmetric = (difference + difference.T) / 2
    return np.asarray(np.where(np.abs(symmetric) < 1e-13 * np.abs(minuend).max(), 0.0, symmetric))


def _pose(arm: Array, row: int, rotation_at: int, position_at: int) -> Array:
    T = np.eye(4)
    T[:3, :3] = arm[row, rotation_at : rotation_at + 9].reshape(3, 3)
    T[:3, 3] = arm[row, position_at : position_at + 3]
    return T
