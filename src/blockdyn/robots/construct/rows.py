"""Robots from rows: one mapping a joint, divided between joint and link, each on the parent that it names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from numpy.typing import ArrayLike

from ...base.checked import guarded
from ...base.hints import nearest_word
from ..errors import InvalidRobot
from ..model.joint import BASE, Joint
from ..model.link import Link
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


KEYS = ("kind", "parent", "place", "axis", "frame", "joint")


@guarded(InvalidRobot)
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
