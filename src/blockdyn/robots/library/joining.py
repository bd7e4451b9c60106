"""One robot is joined to the end of another."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ...base.checked import guarded
from ..calls.kernel import as_robot
from ..errors import InvalidRobot
from ..model.joint import BASE, Joint
from ..model.link import Link
from ..model.poses import Array
from ..model.robot import Robot


@guarded(InvalidRobot)
def join(first: Robot | str, second: Robot | str, *, name: str = "") -> Robot:
    """The first robot, with the second one mounted at its tool.

        T(q) = T_first(q_1) T_second(q_2),   q = (q_1, q_2)

    The second one's base pose is kept as the mounting on the first one's tool, its tool is the tool of the
    whole; gravity is the first one's. (The Robotics Toolbox, R1 * R2, drops both poses between them.) Joints
    and links of the second one are renamed if necessary: `joint1` becomes `joint7` after six joints; other
    names that both have are prefixed with the second robot's name. Raises InvalidRobot.
    """
    first, second = as_robot(first), as_robot(second)
    if not second.joints:
        return first.with_tool(_pose(first.tool) @ _pose(second.base) @ _pose(second.tool))
    joints = {j.name: _rename_part(j.name, first, second, "joint") for j in second.joints}
    links = {k.name: _rename_part(k.name, first, second, "link") for k in second.links}
    added: list[Joint] = []
    mount = _pose(first.tool) @ _pose(second.base)
    for joint in second.joints:
        moved: dict[str, Any] = {"name": joints[joint.name], "parent": links.get(joint.parent, first.tip)}
        if joint.mimic:
            moved["mimic"] = joints[joint.mimic]
        if joint.parent == BASE:
            moved["place"] = mount @ _pose(joint.place)
        added.append(replace(joint, **moved))
    bodies: list[Link] = [replace(link, name=links[link.name]) for link in second.links]
    clash = {k.name for k in first.links} & {k.name for k in bodies}
    clash |= {j.name for j in first.joints} & {j.name for j in added}
    if clash:
        raise InvalidRobot("join", f"both robots have `{min(clash)}`", "names that differ")
    return Robot(
        name or f"{first.name}+{second.name}", (*first.joints, *added), (*first.links, *bodies),
        base=first.base, tool=second.tool, tip=links.get(second.tip, first.tip), gravity=first.gravity,
    )  # fmt: skip


def _rename_part(name: str, first: Robot, second: Robot, stem: str) -> str:
    """The name in the whole: counted on, or with the second robot's name before it where the first has it."""
    number = name.removeprefix(stem)
    if number.isdecimal() and name != number:
        return f"{stem}{len(first.joints) + int(number)}"
    taken = {j.name for j in first.joints} | {k.name for k in first.links}
    return f"{second.name}.{name}" if name in taken else name


def _pose(value: Any) -> Array:
    return np.array(value, dtype=np.float64)
