"""A chain in the book's form (Mlist, Glist, Slist) becomes the table that the mechanics kernels read.

A screw axis becomes a joint about or along the z axis of its body's frame. An axis of length L is the unit
axis with L theta as its coordinate; an axis with a pitch is two joints in series that share theta,
so the table then has more rows than the chain has joints. `source` is the joint of a row, `scale` its share.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...base.annotations import real_numbers
from ..errors import InvalidRobot
from ..lie import checks
from ..lie.checks import WrongShape
from ..lie.kernels.pose import between
from ..lie.kernels.rotation import exp3
from ..lie.rotations import skew, vex
from ..model.table import (
    COORDINATE,
    COUNT,
    INERTIA,
    LINK_P,
    LINK_R,
    LOWER,
    MASS,
    MOMENT,
    PARENT,
    PLACE_P,
    PLACE_R,
    PRISMATIC,
    RATIO,
    TIP,
    TOOL_P,
    TOOL_R,
    UPPER,
    WIDTH,
)
from .rigid_motions import MEMBER

Array = NDArray[np.float64]

STRAIGHT = 1e-12  # a pitch this small relative to the axis is rounding
RIGID = 1e-6  # largest relative difference of a spatial inertia matrix from the matrix of a rigid body


@dataclass(frozen=True)
class Chain:
    """The table of a chain, with the joint variable of each row and its ratio to it."""

    arm: Array
    source: Array
    scale: Array
    joints: int


def chain(Mlist: ArrayLike, Glist: ArrayLike, Slist: ArrayLike) -> Chain:
    """The table of the chain. Mlist (n + 1, 4, 4), Glist (n, 6, 6), Slist (6, n), as in the book's chapter 8.

    Raises GroupError, InvalidRobot (an inertia that no rigid body has); warns of axes that are not unit.
    """
    frames, inertias, screws = lists(Mlist, Glist, Slist)
    n = screws.shape[1]
    checks.warn_of_non_unit(screws[:3], screws[3:])
    rows: list[Array] = []
    source: list[float] = []
    scale: list[float] = []
    link, before = np.eye(4), np.eye(4)  # the link frame and the row's frame, in space, at home
    for i in range(n):
        link = link @ frames[i]
        frame, shares = joint_frame(screws[:, i], link)
        for prismatic, share in shares:
            row = np.zeros(WIDTH)
            row[PARENT], row[PRISMATIC] = len(rows) - 1, prismatic
            row[COORDINATE], row[RATIO] = len(rows), 1.0
            row[LOWER], row[UPPER] = -np.inf, np.inf
            put_pose(row, PLACE_R, PLACE_P, before, frame)
            put_pose(row, LINK_R, LINK_P, frame, link)
            rows.append(row)
            source.append(i)
            scale.append(share)
            before = frame
        put_inertia(rows[-1], inertias[i], frame, link, f"Glist[{i}]")
    last = np.zeros(WIDTH)
    last[TIP], last[COUNT] = len(rows) - 1, len(rows)
    put_pose(last, TOOL_R, TOOL_P, before, link @ frames[n])
    return Chain(np.array([*rows, last]), np.array(source, np.float64), np.array(scale, np.float64), n)


def lists(Mlist: ArrayLike, Glist: ArrayLike, Slist: ArrayLike) -> tuple[Array, Array, Array]:
    """The three lists as arrays of matching sizes."""
    screws = real_numbers(Slist)
    if screws.ndim != 2 or screws.shape[0] != 6:
        raise WrongShape("Slist", f"found shape {screws.shape}", "(6, n), a screw axis in each column")
    n = screws.shape[1]
    frames = checks.array(Mlist, (n + 1, 4, 4), "Mlist")
    for i, frame in enumerate(frames):
        checks.pose(frame, f"Mlist[{i}]", tolerance=MEMBER)
    return frames, checks.array(Glist, (n, 6, 6), "Glist"), checks.array(screws, (6, n), "Slist")


def joint_frame(S: Array, link: Array) -> tuple[Array, list[tuple[float, float]]]:
    """A frame with z on the screw axis, near the link; its rows: prismatic or not, the share of theta."""
    w, v = S[:3], S[3:]
    turning, sliding = float(np.linalg.norm(w)), float(np.linalg.norm(v))
    frame = np.eye(4)
    if turning == 0.0:
        frame[:3, :3] = turn_z_to(v / sliding if sliding else np.array([0.0, 0.0, 1.0]))
        frame[:3, 3] = link[:3, 3]
        return frame, [(1.0, sliding)]
    axis = w / turning
    point = np.cross(w, v) / (turning * turning)
    frame[:3, :3] = turn_z_to(axis)
    frame[:3, 3] = point + axis * float(axis @ (link[:3, 3] - point))
    along = float(axis @ v)
    if abs(along) <= STRAIGHT * (turning + sliding):
        return frame, [(0.0, turning)]
    return frame, [(0.0, turning), (1.0, along)]


def turn_z_to(axis: Array) -> Array:
    """The shortest rotation that takes z to a unit vector."""
    R = np.empty((3, 3))
    sine = float(np.hypot(axis[0], axis[1]))
    angle = float(np.arctan2(sine, axis[2]))
    if sine == 0.0:
        exp3(angle, 0.0, 0.0, R)
    else:
        exp3(-axis[1] / sine * angle, axis[0] / sine * angle, 0.0, R)
    return R


def put_pose(row: Array, at_rotation: int, at_origin: int, outer: Array, inner: Array) -> None:
    """Write the pose of `inner` as seen from `outer` into a row."""
    T = np.empty((4, 4))
    between(outer, inner, T)
    row[at_rotation : at_rotation + 9] = T[:3, :3].ravel()
    row[at_origin : at_origin + 3] = T[:3, 3]


def put_inertia(row: Array, G: Array, frame: Array, link: Array, name: str) -> None:
    """Write a spatial inertia, given in the link frame, as mass, moment and inertia in the row's frame."""
    mass, moment, inertia = rigid(G, name)
    T = np.empty((4, 4))
    between(frame, link, T)
    R, p = T[:3, :3], T[:3, 3]
    moved = R @ moment
    tensor = R @ inertia @ R.T
    # about the row's origin: I + 2 (p . c) - p c^T - c p^T with c the first moment, and m (p . p - p p^T)
    tensor += (2.0 * p @ moved + mass * p @ p) * np.eye(3)
    tensor -= np.outer(p, moved) + np.outer(moved, p) + mass * np.outer(p, p)
    row[MASS] = mass
    row[MOMENT : MOMENT + 3] = moved + mass * p
    row[INERTIA : INERTIA + 6] = tensor[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]


def rigid(G: Array, name: str) -> tuple[float, Array, Array]:
    """Mass, first moment and inertia of G = [I, [c]; -[c], m 1]. Raises InvalidRobot."""
    mass = float(np.trace(G[3:, 3:])) / 3.0
    corner = 0.5 * (G[:3, 3:] + G[3:, :3].T)
    moment = vex(corner)
    inertia = 0.5 * (G[:3, :3] + G[:3, :3].T)
    like = np.zeros((6, 6))
    like[:3, :3], like[3:, 3:] = inertia, mass * np.eye(3)
    like[:3, 3:] = skew(moment)
    like[3:, :3] = like[:3, 3:].T
    off = float(abs(G - like).max())
    if off > RIGID * float(abs(G).max()):
        raise InvalidRobot(
            name,
            f"no rigid body has this spatial inertia (off by {off:.2g})",
            "[I, 0; 0, m 1] with I symmetric, 6x6, in the order (angular, linear)",
        )
    return mass, moment, inertia
