"""Elementary transforms, such as "Rz(q1) Tx(0.43) Rx(-90deg) Rz(q2)", become a robot."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...base.checked import checked_numbers
from ..errors import InvalidRobot
from ..model.joint import BASE, Joint
from ..model.link import Link
from ..model.poses import elementary, terms
from ..model.robot import EARTH, Robot
from .dh import split

PATTERN = (
    "transforms such as `Rz(q1) Tx(0.43) Rx(-90deg) Rz(q2)`, joints q1, q2, ... in order along the chain"
)


@checked_numbers(InvalidRobot)
def from_elementary(
    text: str,
    values: Mapping[str, float] | None = None,
    *,
    rows: Iterable[Mapping[str, Any]] = (),
    name: str = "robot",
    base: ArrayLike = (0.0, 0.0, 0.0),
    tool: ArrayLike = (0.0, 0.0, 0.0),
    gravity: ArrayLike = EARTH,
    poses: Mapping[str, Any] | None = None,
    **about: str,
) -> Robot:
    """A serial robot from a product of elementary rotations and translations.

        T(q) = prod_k R_k or T_k,   R_k, T_k in {Rx, Ry, Rz, Tx, Ty, Tz}

    An argument is a number (rad or m), a formula over `values`, or one joint coordinate, which may be negated
    and shifted: `Rz(q1)`, `Tz(0.3 - q2)`. R of a coordinate is a revolute joint, T a prismatic one. The link
    frame follows its joint; constant transforms after the last joint belong to the tool. `rows` gives,
    link by link, the values besides geometry: mass, com, inertia, lower, upper, viscous and so on.

    Source: Corke, A simple and systematic approach to assigning Denavit-Hartenberg parameters, IEEE Trans.
    Robotics 23 (2007) 590. Raises InvalidRobot.
    """
    try:
        chain = terms(text, values)
    except ValueError as error:
        raise InvalidRobot(name, str(error), PATTERN) from None
    table = [dict(row) for row in rows]
    joints: list[Joint] = []
    links: list[Link] = []
    T = np.eye(4)
    for kind, axis, argument in chain:
        if not argument.joint:
            T = T @ elementary(kind, axis, argument.constant)
            continue
        _check(argument.joint, argument.coefficient, len(joints) + 1, name)
        direction = [argument.coefficient * (i == axis) for i in range(3)]
        number = len(joints) + 1
        facts, body = split(table[number - 1] if number <= len(table) else {}, f"{name}, link {number}")
        facts["offset"] = facts.get("offset", 0.0) + argument.coefficient * argument.constant
        parent = links[-1].name if links else BASE
        moves: Any = "revolute" if kind == "R" else "prismatic"
        joints.append(Joint(f"joint{number}", moves, parent, T, direction, **facts))
        links.append(Link(**{"name": f"link{number}", **body}))
        T = np.eye(4)
    if len(table) > len(joints):
        raise InvalidRobot(name, f"{len(table)} rows for {len(joints)} joints", "at most one row per joint")
    return Robot(
        name, tuple(joints), tuple(links), base=base, tool=T @ _pose(tool, name),
        gravity=gravity, poses=poses or {}, **about,
    )  # fmt: skip


def _pose(value: object, name: str) -> Any:
    from ..model.poses import pose

    return np.array(pose(value, f"{name}, tool"))


def _check(joint: int, coefficient: float, expected: int, name: str) -> None:
    if joint != expected:
        raise InvalidRobot(name, f"q{joint} instead of q{expected}", PATTERN)
    if abs(coefficient) != 1.0:
        raise InvalidRobot(name, f"q{joint} is multiplied by {coefficient:g}", "q or -q")
