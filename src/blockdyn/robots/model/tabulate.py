"""Tabulate: a robot as rows of numbers, fixed joints lumped, every axis turned to z."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..errors import UnknownFrame
from . import table
from .joint import BASE, Joint
from .poses import Array, skew, turn_to

if TYPE_CHECKING:
    from .link import Link
    from .robot import Robot


@dataclass(frozen=True)
class Seat:
    """Where a link's frame sits: the row of the body (-1 for the world) and the pose in that body's frame."""

    row: int
    pose: Array


def tabulate(robot: Robot, of: str) -> Array:
    """The table of `model/table.py`; `of` names what its last row calls the tool. Raises UnknownFrame."""
    arm = np.zeros((robot.n + 1, table.WIDTH))
    seats = {BASE: Seat(-1, np.array(robot.base))}
    row = 0
    for joint, link in zip(robot.joints, robot.links):
        parent = seats[joint.parent]
        place = parent.pose @ np.array(joint.place)
        if joint.moves:
            turn = turn_to(np.array(joint.axis))
            seat = Seat(row, turn.T @ np.array(link.frame))
            _fill_joint(arm, row, joint, parent.row, place @ turn)
            _put_pose(arm, row, table.LINK_R, table.LINK_P, seat.pose)
            row += 1
        else:
            seat = Seat(parent.row, place @ np.array(link.frame))
        _add_mass(arm, seat, link)
        seats[link.name] = seat
    _fill_last(arm, robot, of, seats)
    return arm


def _fill_joint(arm: Array, row: int, joint: Joint, parent: int, place: Array) -> None:
    gear = abs(joint.gear)
    values = {
        table.PARENT: parent,
        table.PRISMATIC: joint.kind == "prismatic",
        table.OFFSET: joint.offset,
        table.ARMATURE: gear * gear * joint.motor_inertia,
        table.VISCOUS: gear * gear * joint.viscous,
        table.COULOMB_PLUS: gear * joint.coulomb[0],
        table.COULOMB_MINUS: gear * joint.coulomb[1],
        table.LOWER: joint.lower,
        table.UPPER: joint.upper,
    }
    for column, value in values.items():
        arm[row, column] = value
    _put_pose(arm, row, table.PLACE_R, table.PLACE_P, place)


def _put_pose(arm: Array, row: int, rotation: int, position: int, T: Array) -> None:
    arm[row, rotation : rotation + 9] = T[:3, :3].ravel()
    arm[row, position : position + 3] = T[:3, 3]


def _add_mass(arm: Array, seat: Seat, link: Link) -> None:
    """Mass, moment and inertia about the body's origin; what is fixed to the base moves nothing."""
    if seat.row < 0:
        return
    R, p = seat.pose[:3, :3], seat.pose[:3, 3]
    c = p + R @ np.array(link.com)
    inertia = R @ np.array(link.inertia) @ R.T + link.mass * skew(c) @ skew(c).T
    arm[seat.row, table.MASS] += link.mass
    arm[seat.row, table.MOMENT : table.MOMENT + 3] += link.mass * c
    arm[seat.row, table.INERTIA : table.INERTIA + 6] += inertia[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]


def _fill_last(arm: Array, robot: Robot, of: str, seats: dict[str, Seat]) -> None:
    if of == "tool":
        seat = seats[robot.tip]
        tool = seat.pose @ np.array(robot.tool)
    elif of in seats:
        seat = seats[of]
        tool = seat.pose
    else:
        raise UnknownFrame(robot.name, of, robot.frames)
    arm[-1, table.TIP] = seat.row
    _put_pose(arm, robot.n, table.TOOL_R, table.TOOL_P, tool)
    arm[-1, table.GRAVITY : table.GRAVITY + 3] = robot.gravity
