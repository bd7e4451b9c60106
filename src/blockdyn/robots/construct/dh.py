"""Robots are made from rows: Denavit-Hartenberg parameters, standard and modified, or joints of a tree."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from ...base.checked import checked_numbers
from ...base.hints import nearest_word
from ..errors import InvalidRobot
from ..model.joint import BASE, Joint, Kind
from ..model.link import Link
from ..model.poses import rotation, translation
from ..model.robot import EARTH, Robot

JOINT = (
    "offset", "lower", "upper", "speed", "effort", "viscous", "coulomb", "gear", "motor_inertia",
    "mimic", "multiplier",
)  # fmt: skip
LINK = ("name", "mass", "com", "inertia", "accepted")


def split(
    row: Mapping[str, Any], place: str, more: tuple[str, ...] = ()
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The keys of the joint and of the link; `more` are keys that the caller reads. Raises InvalidRobot."""
    keys = (*LINK, *JOINT, *more)
    for key in row:
        if key not in keys:
            raise InvalidRobot(
                place, f"the key `{key}`{nearest_word(str(key), keys)}", f"one of {', '.join(keys)}"
            )
    return {key: row[key] for key in JOINT if key in row}, {key: row[key] for key in LINK if key in row}


PARAMETERS = ("theta", "d", "a", "alpha")
LARGEST = 1e100  # m, rad: products of larger values overflow
Convention = Literal["standard", "modified"]


@checked_numbers(InvalidRobot)
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
    side), kind (revolute or prismatic; without it a row that gives `theta` is prismatic, any other row
    revolute, and a row with both `theta` and `d` is refused), offset, and parameters of Joint and Link:
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


@checked_numbers(InvalidRobot)
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


KEYS = ("kind", "parent", "place", "axis", "frame", "joint")


@checked_numbers(InvalidRobot)
def from_tree(
    rows: Iterable[Mapping[str, Any]],
    *,
    name: str = "robot",
    tip: str = "",
    base: ArrayLike = (0.0, 0.0, 0.0),
    tool: ArrayLike = (0.0, 0.0, 0.0),
    gravity: ArrayLike = EARTH,
    poses: Mapping[str, Any] | None = None,
    **about: str,
) -> Robot:
    """A robot of any shape, one row per link, parents first.

    A row has the link's `name`, its `parent` (default: the previous link; for the first one, the base), the
    `kind` of the joint between them, its `place` in the parent's frame (a pose in any form), its `axis`
    there, `frame` (the link frame after the joint), the joint's name as `joint`, and the arguments of Joint
    and Link.
    Raises InvalidRobot.
    """
    joints: list[Joint] = []
    links: list[Link] = []
    for i, row in enumerate(rows, 1):
        facts, body = split(row, f"{name}, row {i}", KEYS)
        if "name" not in body:
            raise InvalidRobot(f"{name}, row {i}", "no name", "the name of the link")
        facts |= {key: row[key] for key in ("kind", "place", "axis") if key in row}
        facts["parent"] = row.get("parent", links[-1].name if links else BASE)
        joints.append(Joint(row.get("joint", f"joint{i}"), **facts))
        links.append(Link(**body, **({"frame": row["frame"]} if "frame" in row else {})))
    return Robot(
        name, tuple(joints), tuple(links), base=base, tool=tool, tip=tip,
        gravity=gravity, poses=poses or {}, **about,
    )  # fmt: skip
