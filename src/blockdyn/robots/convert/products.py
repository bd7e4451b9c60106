"""A serial robot becomes a product of exponentials (Modern Robotics), or a text of elementary transforms."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from ...base.checked import checked_numbers
from ..calls.kernel import as_robot
from ..errors import InvalidRobot
from ..model.poses import Array, inverse
from ..model.robot import Robot
from .chain import Station, chain


@dataclass(frozen=True)
class Screws:
    """M, S and B (6xn, columns (omega, v)), Mlist (n + 1 poses M_{i-1,i}) and Glist (n inertias, 6x6).

    `accepted` is True for each inertia whose violation of the triangle inequality is accepted.
    """

    M: Array
    S: Array
    B: Array
    Mlist: Array
    Glist: Array
    accepted: tuple[bool, ...] = ()

    def keys(self) -> tuple[str, ...]:
        """The names of the data, so that from_screws(**screws) reads them."""
        return tuple(self.__dataclass_fields__)

    def __getitem__(self, name: str) -> Any:
        return getattr(self, name)


@checked_numbers(InvalidRobot)
def to_screws(robot: Robot | str) -> Screws:
    """The screws of a serial robot at q = 0, in the world frame, with the base included.

    The link frames are at the centres of mass of the links (where there is a mass), parallel to the robot's
    link frames. This form does not hold friction, motors and limits. Source: Lynch and Park, Modern
    Robotics (2017), chapters 4 and 8. Raises ConversionError for a robot with branches.
    """
    robot = as_robot(robot)
    links = chain(robot, "screws")
    S = np.array([_screw(station) for station in links.stations]).T.reshape(6, -1)
    frames = [_at_mass(station) for station in links.stations]
    homes = [np.eye(4), *frames, links.tool]
    Mlist = np.array([inverse(before) @ after for before, after in pairwise(homes)])
    Glist = np.array([_inertia(station) for station in links.stations]).reshape(-1, 6, 6)
    return Screws(links.tool, S, _body(S, links.tool), Mlist, Glist, _collect_acceptance(robot))


def _screw(station: Station) -> Array:
    if station.prismatic:
        return np.concatenate([np.zeros(3), station.axis])
    return np.concatenate([station.axis, np.cross(station.point, station.axis)])


def _body(S: Array, M: Array) -> Array:
    """B = Ad(M^-1) S."""
    R, p = M[:3, :3].T, M[:3, 3]
    omega, v = S[:3], S[3:]
    return np.vstack([R @ omega, R @ (v - np.cross(p, omega.T).T)])


def _at_mass(station: Station) -> Array:
    T = station.frame.copy()
    if station.mass > 0:
        T[:3, 3] = station.com
    return T


def _inertia(station: Station) -> Array:
    R = station.frame[:3, :3]
    G = np.zeros((6, 6))
    inertia = R.T @ station.inertia @ R
    G[:3, :3] = (inertia + inertia.T) / 2
    G[3:, 3:] = station.mass * np.eye(3)
    return G


def _collect_acceptance(robot: Robot) -> tuple[bool, ...]:
    """For each moving body, True if a link has an inertia that is accepted although no body can have it."""
    accepted: list[bool] = []
    for joint, link in zip(robot.joints, robot.links):
        if joint.moves:
            accepted.append(link.accepted)
        elif accepted:
            accepted[-1] |= link.accepted
    return tuple(accepted)


TINY = 1e-12


@checked_numbers(InvalidRobot)
def to_elementary(robot: Robot | str) -> str:
    """The product of elementary transforms from the world to the tool, such as "Rz(q1) Tx(0.43) Rx(-90deg)".

    Every axis is written as z. Raises ConversionError for a robot with branches.
    """
    links = chain(as_robot(robot), "product of elementary transforms")
    parts: list[str] = []
    before = np.eye(4)
    for i, station in enumerate(links.stations, 1):
        parts += _terms(inverse(before) @ station.body)
        parts.append(f"{'T' if station.prismatic else 'R'}z(q{i})")
        before = station.body
    return " ".join([*parts, *_terms(inverse(before) @ links.tool)])


def _terms(T: Array) -> list[str]:
    """Translations, then Rz Ry Rx, zeros left out."""
    R = T[:3, :3]
    yaw, roll = math.atan2(R[1, 0], R[0, 0]), math.atan2(R[2, 1], R[2, 2])
    pitch = math.atan2(-R[2, 0], math.hypot(R[0, 0], R[1, 0]))
    if math.hypot(R[0, 0], R[1, 0]) < 1e-9:  # gimbal lock: yaw takes the complete rotation
        yaw, roll = math.atan2(-R[0, 1], R[1, 1]), 0.0
    lengths = [f"T{axis}({_number(p)})" for axis, p in zip("xyz", T[:3, 3]) if abs(p) > TINY]
    angles = [f"R{axis}({_angle(a)})" for axis, a in zip("zyx", (yaw, pitch, roll)) if abs(a) > TINY]
    return lengths + angles


def _number(value: float) -> str:
    return f"{value:.15g}"


def _angle(value: float) -> str:
    degrees = math.degrees(value)
    return f"{round(degrees)}deg" if abs(degrees - round(degrees)) < 1e-10 else _number(value)
