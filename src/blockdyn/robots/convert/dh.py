"""Denavit-Hartenberg rows of a serial robot, standard or modified, by the normals of successive axes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from ...base.checked import checked_numbers
from ..calls.kernel import as_robot
from ..construct.dh import Convention, from_dh
from ..errors import InvalidRobot
from ..model.poses import Array, inverse
from ..model.robot import Robot
from .chain import Chain, Station, chain, inertial

TINY = 1e-9  # of direction vectors, and in metres


@dataclass(frozen=True)
class Normal:
    """The common normal of two axes: its feet on them, and its direction."""

    on_first: Array
    on_second: Array
    x: Array


def normals(stations: Sequence[Station], x: Array, origin: Array) -> list[Normal]:
    """The normals between axis i and i + 1; for parallel axes the normal through the previous foot.

    `x` is the direction before the first axis, `origin` its foot there. Of the two directions of a normal,
    the nearer one to the previous normal is used.
    """
    chain: list[Normal] = []
    foot = origin
    for first, second in pairwise(stations):
        normal = _normal(first, second, foot, x)
        chain.append(normal)
        foot, x = normal.on_second, normal.x
    return chain


def _normal(first: Station, second: Station, foot: Array, before: Array) -> Normal:
    a, b = first.axis, second.axis
    across = np.cross(a, b)
    if float(np.linalg.norm(across)) < TINY:
        on_second = second.point + b * float(b @ (foot - second.point))
        between = on_second - foot
        x = between if float(np.linalg.norm(between)) > TINY else before
        return Normal(foot, on_second, _flip_axis(_perpendicular(x, a), before, a))
    gap = second.point - first.point
    s = float(np.cross(gap, b) @ across) / float(across @ across)
    t = float(np.cross(gap, a) @ across) / float(across @ across)
    on_first, on_second = first.point + s * a, second.point + t * b
    between = on_second - on_first
    x = between if float(np.linalg.norm(between)) > TINY else across
    return Normal(on_first, on_second, _flip_axis(_perpendicular(x, a), before, a))


def _perpendicular(x: Array, axis: Array) -> Array:
    x = x - axis * float(axis @ x)
    return np.asarray(x / np.linalg.norm(x))


def _flip_axis(x: Array, before: Array, axis: Array) -> Array:
    """x or -x, whichever is within a right angle of `before` about the axis."""
    angle = math.atan2(float(axis @ np.cross(before, x)), float(before @ x))
    return -x if abs(angle) > math.pi / 2 + TINY else x


def any_perpendicular(axis: Array) -> Array:
    """A unit vector at right angles to an axis: the world's x, or y, made perpendicular."""
    seed = np.array([1.0, 0.0, 0.0]) if abs(axis[0]) < 0.9 else np.array([0.0, 1.0, 0.0])
    return _perpendicular(seed, axis)


def frame(x: Array, z: Array, origin: Array) -> Array:
    """The frame with these axes and this origin."""
    T = np.eye(4)
    T[:3, 0], T[:3, 1], T[:3, 2], T[:3, 3] = x, np.cross(z, x), z, origin
    return T


EXACT = 1e-9
_KEPT = ("lower", "upper", "speed", "effort", "viscous", "coulomb", "gear", "motor_inertia")


@checked_numbers(InvalidRobot)
def to_dh(robot: Robot | str) -> Robot:
    """The robot with its link frames placed by the standard convention.

    robot: a Robot, or the name of one in the library. Tool poses, torques and named poses are unchanged for
    every q; transforms that no row can express become part of base and tool. Fixed joints are merged, and
    link frames move. Raises ConversionError for a robot with branches, UnknownRobot.
    """
    return _convert(as_robot(robot), "standard")


@checked_numbers(InvalidRobot)
def to_mdh(robot: Robot | str) -> Robot:
    """The robot with its link frames placed by the modified convention; otherwise like `to_dh`."""
    return _convert(as_robot(robot), "modified")


def dh_rows(
    robot: Robot, convention: Convention | None = None
) -> tuple[Convention, list[dict[str, float]]] | None:
    """The convention and the rows by which a robot's frames are placed; None if neither convention fits.

    A named convention is the only one that is tried.

    A row holds theta, d, a, alpha; the coordinate and its offset are added.
    """
    candidates: dict[Convention, list[dict[str, float]]] = {"standard": [], "modified": []}
    for i, (joint, link) in enumerate(zip(robot.joints, robot.links)):
        straight = joint.moves and joint.axis[:2] == (0.0, 0.0)
        if not straight or joint.parent != (robot.links[i - 1].name if i else "base"):
            return None
        place, after = np.array(joint.place), np.array(link.frame)
        if "standard" in candidates:
            row = decompose(place @ after, "standard")
            if row is None or not _is(place, np.array(_rz(row["theta"]))):
                del candidates["standard"]
            else:
                candidates["standard"].append(row)
        if "modified" in candidates:
            row = decompose(place, "modified")
            if row is None or not _is(after, np.eye(4)):
                del candidates["modified"]
            else:
                candidates["modified"].append(row)
    return next(((kind, rows) for kind, rows in candidates.items() if convention in (None, kind)), None)


def decompose(T: Array, convention: Convention) -> dict[str, float] | None:
    """theta, d, a, alpha of a pose, or None if no row describes it."""
    R, p = T[:3, :3], T[:3, 3]
    if convention == "standard":
        theta, alpha = math.atan2(R[1, 0], R[0, 0]), math.atan2(R[2, 1], R[2, 2])
        d, a = float(p[2]), float(p[:2] @ R[:2, 0])
        fits = abs(R[2, 0]) < EXACT and abs(p[0] * R[1, 0] - p[1] * R[0, 0]) < EXACT
    else:
        theta, alpha = math.atan2(-R[0, 1], R[0, 0]), math.atan2(-R[1, 2], R[2, 2])
        d, a = float(p[1:] @ R[1:, 2]), float(p[0])
        fits = abs(R[0, 2]) < EXACT and abs(p[1] * R[2, 2] - p[2] * R[1, 2]) < EXACT
    return {"theta": theta, "d": d, "a": a, "alpha": alpha} if fits else None


def _convert(robot: Robot, convention: Convention) -> Robot:
    form = f"{convention} Denavit-Hartenberg form"
    links = chain(robot, form)
    frames = _standard(links, robot) if convention == "standard" else _place_modified_frames(links, robot)
    rows: list[Mapping[str, Any]] = []
    for i, station in enumerate(links.stations):
        row = decompose(inverse(frames[i]) @ frames[i + 1], convention)
        assert row is not None  # the frames are chosen so that a row exists
        offset = row.pop("theta")
        limits = {key: getattr(robot.moving[i], key) for key in _KEPT}
        turn = {"kind": "prismatic", "theta": offset} if station.prismatic else {"offset": offset}
        rows.append({**row, **turn, **limits, **inertial(station, frames[i + 1])})
    built = from_dh(rows, convention=convention, name=robot.name, base=frames[0], gravity=robot.gravity)
    tool = inverse(frames[-1]) @ links.tool
    return replace(
        built, tool=tool, poses=robot.poses, title=robot.title, source=robot.source, notes=robot.notes
    )


def _start(links: Chain, robot: Robot) -> Array:
    """A frame on the first axis: the base if it lies there, otherwise its projection onto the axis."""
    base = np.array(robot.base)
    first = links.stations[0]
    z, offset = first.axis, base[:3, 3] - first.point
    origin = first.point + z * float(z @ offset)
    x = base[:3, 0] - z * float(z @ base[:3, 0])
    x = x / np.linalg.norm(x) if float(np.linalg.norm(x)) > 0.1 else any_perpendicular(z)
    return frame(x, z, origin)


def _standard(links: Chain, robot: Robot) -> list[Array]:
    """Frames 0 to n: z of frame i along axis i + 1."""
    stations = links.stations
    frames = [_start(links, robot)]
    for normal, station in zip(normals(stations, frames[0][:3, 0], frames[0][:3, 3]), stations[1:]):
        frames.append(frame(normal.x, station.axis, normal.on_second))
    last = stations[-1].frame
    fits = decompose(inverse(frames[-1]) @ last, "standard") is not None
    return [*frames, last if fits else frames[-1]]


def _place_modified_frames(links: Chain, robot: Robot) -> list[Array]:
    """Frames 0 to n: z of frame i along axis i."""
    stations = links.stations
    start = _start(links, robot)
    perpendiculars = normals(stations, start[:3, 0], start[:3, 3])
    frames = [
        frame(normal.x, station.axis, normal.on_first) for normal, station in zip(perpendiculars, stations)
    ]
    last = stations[-1]
    if perpendiculars:
        final = frame(perpendiculars[-1].x, last.axis, perpendiculars[-1].on_second)
    else:
        final = start
    along = inverse(final) @ last.frame
    on_axis = _is(along[:3, 2], np.array([0.0, 0.0, 1.0])) and _is(along[:2, 3], np.zeros(2))
    frames.append(last.frame if on_axis else final)
    base = np.array(robot.base)
    fits = decompose(inverse(base) @ frames[0], "modified") is not None
    return [base if fits else frames[0], *frames]


def _is(a: Array, b: Array) -> bool:
    return bool(np.abs(a - b).max() < EXACT)


def _rz(theta: float) -> Array:
    from ..model.poses import rotation

    return rotation(2, theta)
