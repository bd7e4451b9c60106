"""Denavit-Hartenberg rows, standard and modified, as a robot."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from ...base.checked import guarded
from ..errors import InvalidRobot
from ..model.joint import BASE, Joint, Kind
from ..model.link import Link
from ..model.poses import rotation, translation
from ..model.robot import EARTH, Robot
from .rows import split

PARAMETERS = ("theta", "d", "a", "alpha")
LARGEST = 1e100  # m, rad: beyond it products overflow
Convention = Literal["standard", "modified"]


@guarded(InvalidRobot)
def from_dh(
    rows: Iterable[Mapping[str, Any]],
    *,
    convention: Convention = "standard",
    name: str = "robot",
    base: ArrayLike | None = None,
    tool: ArrayLike | None = None,
    gravity: ArrayLike = EARTH,
    poses: Mapping[str, Any] | None = None,
    **text: str,
) -> Robot:
    """A serial robot from DH rows, with link frames and inertial data as in the convention.

        standard: A_i = Rz(theta_i) Tz(d_i) Tx(a_i) Rx(alpha_i)
        modified: A_i = Rx(alpha_{i-1}) Tx(a_{i-1}) Rz(theta_i) Tz(d_i)

    A row is a mapping: theta, d, a, alpha (m, rad; a modified row gives a and alpha of its left-hand
    side), kind (revolute or prismatic; without it a row that gives `theta` is prismatic, any other one
    revolute, and one that gives both `theta` and `d` is refused), offset, and parameters of Joint and Link:
    lower, upper, viscous, coulomb, gear, motor_inertia, mass, com, inertia. The coordinate adds to theta or
    d; with flip: true it is subtracted.

    Sources: Denavit and Hartenberg, J. Applied Mechanics 22 (1955) 215; Craig, Introduction to Robotics
    (2005), section 3.4. Raises InvalidRobot.
    """
    joints, links = [], []
    parent = BASE
    for i, row in enumerate(rows, 1):
        joint, link = _row(row, i, parent, convention, name)
        joints.append(joint)
        links.append(link)
        parent = link.name
    return Robot(
        name, tuple(joints), tuple(links),
        base=_pose_or_origin(base), tool=_pose_or_origin(tool), gravity=gravity, poses=poses or {}, **text,
    )  # fmt: skip


@guarded(InvalidRobot)
def from_mdh(rows: Iterable[Mapping[str, Any]], **options: Any) -> Robot:
    """A serial robot from modified DH rows: `from_dh` with convention="modified"."""
    return from_dh(rows, convention="modified", **options)


def _pose_or_origin(pose: object) -> Any:
    return (0.0, 0.0, 0.0) if pose is None else pose


def _row(row: Mapping[str, Any], i: int, parent: str, convention: str, robot: str) -> tuple[Joint, Link]:
    here = f"{robot}, row {i}"
    facts, body = split(row, here, ("kind", "flip", *PARAMETERS))
    theta, d, a, alpha = (_number(row, key, here) for key in PARAMETERS)
    place, after = _frames(theta, d, a, alpha, convention, robot)
    axis = (0.0, 0.0, 1.0)
    if not isinstance(row.get("flip", False), bool):
        raise InvalidRobot(f"{here}, flip", f"found {row['flip']!r}"[:80], "true or false")
    if row.get("flip"):
        axis = (0.0, 0.0, -1.0)
        facts["offset"] = -_number(row, "offset", here)
    joint = Joint(f"joint{i}", _kind(row, here), parent, place, axis, **facts)
    return joint, Link(**{"name": f"link{i}", "frame": after, **body})


def _frames(theta: float, d: float, a: float, alpha: float, convention: str, robot: str) -> tuple[Any, Any]:
    """The constant transforms before and after the joint's motion."""
    if convention == "standard":
        return rotation(2, theta), translation(a, 0, d) @ rotation(0, alpha)
    if convention == "modified":
        return rotation(0, alpha) @ translation(a, 0, d) @ rotation(2, theta), np.eye(4)
    raise InvalidRobot(robot, f"the convention {convention!r}", "standard or modified")


def _kind(row: Mapping[str, Any], place: str) -> Kind:
    kind = row.get("kind")
    if kind is None and "theta" in row and "d" in row:
        expected = "`kind: revolute` if the angle theta moves, `kind: prismatic` if the offset d does"
        raise InvalidRobot(place, "theta and d, and no `kind`: which of them moves?", expected)
    if kind is None:
        return "prismatic" if "theta" in row else "revolute"
    if not isinstance(kind, str) or kind not in ("revolute", "prismatic"):
        raise InvalidRobot(
            place, f"the kind {kind!r}", "revolute or prismatic (lump fixed rows into neighbours)"
        )
    return "prismatic" if kind == "prismatic" else "revolute"


def _number(row: Mapping[str, Any], key: str, place: str) -> float:
    value = row.get(key, 0.0)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not -LARGEST < value < LARGEST:
        raise InvalidRobot(place, f"{key} is {value!r}", "a finite number, rad or m")
    return float(value)
