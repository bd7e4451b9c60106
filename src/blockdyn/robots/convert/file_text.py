"""A robot is written as the text of a file, from which `from_file` makes an equal one."""

from __future__ import annotations

import json
import math
from dataclasses import MISSING, fields
from os import PathLike
from typing import Any

from ...base.files import replacing
from ..construct.rows import JOINT, LINK
from ..model.joint import BASE, Joint
from ..model.link import Link
from ..model.poses import IDENTITY
from ..model.robot import EARTH, Robot

ABOUT = ("title", "source", "notes")


def save(robot: Robot, file: str | PathLike[str]) -> None:
    """Write a YAML file, for `from_file` and diagrams, from which an equal robot is made, to the last
    digit; whole or not at all.

    Raises FileError.
    """
    with replacing(file) as out:
        out.write(file_text(robot).encode())


def file_text(robot: Robot) -> str:
    """The robot in YAML, joint by joint, in radians, metres and kilograms, with all digits."""
    lines = [f"robot: {json.dumps(robot.name)}"]
    lines += [f"{key}: {json.dumps(text)}" for key in ABOUT if (text := getattr(robot, key))]
    lines.append("tree:")
    before = BASE
    for joint, link in zip(robot.joints, robot.links, strict=True):
        row = {"name": link.name, "joint": joint.name, "kind": joint.kind}
        if joint.parent != before:
            row["parent"] = joint.parent
        before = link.name
        row |= _list_changes(joint, ("place", "axis", *JOINT)) | _list_changes(link, (*LINK[1:], "frame"))
        lines.append(f"  - {_flow(row)}")
    if robot.tip != robot.links[-1].name:
        lines.append(f"tip: {json.dumps(robot.tip)}")
    lines += [
        f"{key}: {_flow(_plain(pose))}"
        for key in ("base", "tool")
        if (pose := getattr(robot, key)) != IDENTITY
    ]
    if robot.gravity != EARTH:
        lines.append(f"gravity: {_flow(_plain(robot.gravity))}")
    if robot.poses:
        lines += [
            "poses:",
            *(f"  {json.dumps(name)}: {_flow(_plain(values))}" for name, values in robot.poses),
        ]
    return "\n".join(lines) + "\n"


def _list_changes(part: Joint | Link, names: tuple[str, ...]) -> dict[str, Any]:
    """The values of a joint or link that differ from the defaults."""
    usual = {field.name: field.default for field in fields(part) if field.default is not MISSING}
    return {name: _plain(value) for name in names if (value := getattr(part, name)) != usual[name]}


def _plain(value: object) -> Any:
    return [_plain(item) for item in value] if isinstance(value, (list, tuple)) else value


def _flow(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_flow, value)) + "]"
    if isinstance(value, float) and math.isinf(value):
        return ".inf" if value > 0 else "-.inf"
    return json.dumps(value) if isinstance(value, (str, bool)) else repr(value)
