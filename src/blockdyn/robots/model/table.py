"""A robot is the table that the mechanics kernels read: one row of numbers per joint.

Fixed joints are lumped into the bodies that carry them, so each row is one moving joint and the body that
it carries. The joint's own frame is placed in its parent body's frame by PLACE_R, PLACE_P; the joint then
rotates about, or slides along, its z axis; the result is the body frame. Parents come before children.
A joint that mimics another joint shares its coordinate, so there may be fewer coordinates than rows: row i
then has the body of joint i, and the motor, friction and limits of coordinate i. The last row holds values of
the whole robot: gravity, and the tool in the frame of the body that carries it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..errors import UnknownFrame
from .joint import BASE, Joint
from .poses import Array, skew, turn_to

if TYPE_CHECKING:
    from .link import Link
    from .robot import Robot


PARENT = 0  # row of the parent body, -1 for the base
PRISMATIC = 1  # 0 revolute, 1 prismatic
OFFSET = 2  # added to the joint coordinate, rad or m
PLACE_R = 3  # 9 numbers, row by row: orientation of the joint frame in the parent body's frame
PLACE_P = 12  # 3: its origin there, m
MASS = 15  # kg
MOMENT = 16  # 3: mass times centre of mass, in the body frame, kg m
INERTIA = (
    19  # Ixx, Iyy, Izz, Ixy, Ixz, Iyz about the body frame's ORIGIN, kg m2 (tensor elements, not products)
)
ARMATURE = 25  # of coordinate i, as are all up to UPPER: motor inertia seen at the joint, G^2 Jm, kg m2 or kg
VISCOUS = 26  # at the joint, G^2 B, N m s/rad or N s/m
COULOMB_PLUS = 27  # torque that resists positive velocity, at least 0, N m or N
COULOMB_MINUS = 28  # torque that resists negative velocity, at least 0, N m or N
LOWER = 29  # limits of the joint coordinate; infinite without limits
UPPER = 30
LINK_R = (
    31  # 9: the user's link frame in the body frame (identity for most robots, Tz(d) Tx(a) Rx(alpha) for DH)
)
LINK_P = 40  # 3
COORDINATE = 43  # of joint i: the index of its coordinate in q
RATIO = 44  # of joint i: its value is RATIO times the coordinate, plus OFFSET
PERIODIC = 45  # of coordinate i: 1 if its full turns leave every pose unchanged
WIDTH = 46

# in the last row
TIP = PARENT  # the row of the body that carries the tool, -1 for the base
TOOL_R, TOOL_P = PLACE_R, PLACE_P  # the tool frame in that body's frame
COUNT = COORDINATE  # of coordinates
GRAVITY = MOMENT  # 3: acceleration of free fall in the world frame, m/s2


@dataclass(frozen=True)
class Seat:
    """The pose of a link's frame: the row of the body (-1 for the world) and the pose in its frame."""

    row: int
    pose: Array


def tabulate(robot: Robot, of: str) -> Array:
    """The table of `model/table.py`; `of` names the tool frame in its last row. Raises UnknownFrame."""
    arm = np.zeros((len(robot.shares) + 1, WIDTH))
    seats = {BASE: Seat(-1, np.array(robot.base))}
    row = 0
    for joint, link in zip(robot.joints, robot.links):
        parent = seats[joint.parent]
        place = parent.pose @ np.array(joint.place)
        if joint.moves:
            turn = turn_to(np.array(joint.axis))
            seat = Seat(row, turn.T @ np.array(link.frame))
            arm[row, PARENT], arm[row, PRISMATIC], arm[row, OFFSET] = (
                parent.row,
                joint.kind == "prismatic",
                joint.offset,
            )
            arm[row, [COORDINATE, RATIO]] = robot.shares[joint.name]
            _put_pose(arm, row, PLACE_R, PLACE_P, place @ turn)
            _put_pose(arm, row, LINK_R, LINK_P, seat.pose)
            row += 1
        else:
            seat = Seat(parent.row, place @ np.array(link.frame))
        _add_mass(arm, seat, link)
        seats[link.name] = seat
    arm[: robot.n, PERIODIC] = 1.0
    for joint in robot.joints:
        if joint.moves:
            _add_drive(arm, joint, *robot.shares[joint.name])
    for i, leader in enumerate(robot.moving):
        arm[i, LOWER], arm[i, UPPER] = leader.lower, leader.upper
    _fill_last(arm, robot, of, seats)
    return arm


def _add_drive(arm: Array, joint: Joint, i: int, ratio: float) -> None:
    """Motor and friction of a joint, reduced to its coordinate i."""
    gear = abs(joint.gear) * abs(ratio)
    plus, minus = joint.coulomb if ratio > 0 else joint.coulomb[::-1]
    arm[i, ARMATURE] += gear * gear * joint.motor_inertia
    arm[i, VISCOUS] += gear * gear * joint.viscous
    arm[i, COULOMB_PLUS] += gear * plus
    arm[i, COULOMB_MINUS] += gear * minus
    arm[i, PERIODIC] *= joint.kind == "revolute" and ratio.is_integer()


def _put_pose(arm: Array, row: int, rotation: int, position: int, T: Array) -> None:
    arm[row, rotation : rotation + 9] = T[:3, :3].ravel()
    arm[row, position : position + 3] = T[:3, 3]


def _add_mass(arm: Array, seat: Seat, link: Link) -> None:
    """Mass, moment and inertia about the body's origin; links fixed to the base are left out."""
    if seat.row < 0:
        return
    R, p = seat.pose[:3, :3], seat.pose[:3, 3]
    c = p + R @ np.array(link.com)
    inertia = R @ np.array(link.inertia) @ R.T + link.mass * skew(c) @ skew(c).T
    arm[seat.row, MASS] += link.mass
    arm[seat.row, MOMENT : MOMENT + 3] += link.mass * c
    arm[seat.row, INERTIA : INERTIA + 6] += inertia[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]


def _fill_last(arm: Array, robot: Robot, of: str, seats: dict[str, Seat]) -> None:
    if of == "tool":
        seat = seats[robot.tip]
        tool = seat.pose @ np.array(robot.tool)
    elif of in seats:
        seat = seats[of]
        tool = seat.pose
    else:
        raise UnknownFrame(robot.name, of, robot.frames)
    arm[-1, TIP] = seat.row
    arm[-1, COUNT] = robot.n
    _put_pose(arm, -1, TOOL_R, TOOL_P, tool)
    arm[-1, GRAVITY : GRAVITY + 3] = robot.gravity
