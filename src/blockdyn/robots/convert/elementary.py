"""Elementary transforms: the geometry of a serial robot as text."""

from __future__ import annotations

import math

import numpy as np

from ...base.checked import guarded
from ..calls.kernel import as_robot
from ..errors import InvalidRobot
from ..model.poses import Array, inverse
from ..model.robot import Robot
from .chain import chain

TINY = 1e-12


@guarded(InvalidRobot)
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
    if math.hypot(R[0, 0], R[1, 0]) < 1e-9:  # gimbal lock: all of the turn into yaw
        yaw, roll = math.atan2(-R[0, 1], R[1, 1]), 0.0
    lengths = [f"T{axis}({_number(p)})" for axis, p in zip("xyz", T[:3, 3]) if abs(p) > TINY]
    angles = [f"R{axis}({_angle(a)})" for axis, a in zip("zyx", (yaw, pitch, roll)) if abs(a) > TINY]
    return lengths + angles


def _number(value: float) -> str:
    return f"{value:.15g}"


def _angle(value: float) -> str:
    degrees = math.degrees(value)
    return f"{round(degrees)}deg" if abs(degrees - round(degrees)) < 1e-10 else _number(value)
