"""What a robot is, as tables for people and as plain data for tools."""

from __future__ import annotations

from typing import Any

from ..base.text_table import Table
from ..robots.convert import text
from ..robots.inverse.workspace import Workspace, workspace
from ..robots.model.joint import Joint
from ..robots.model.robot import Robot


def described(robot: Robot) -> list[str | Table]:
    """Title, source, parameters, inertial data, motors, named poses, workspace."""
    parts = text.described(robot)
    return [*parts, "", _reach(workspace(robot))] if robot.n else parts


def facts(robot: Robot) -> dict[str, Any]:
    """The same as plain data; angles in rad."""
    space = workspace(robot) if robot.n else None
    return {
        "name": robot.name,
        "title": robot.title,
        "structure": robot.structure,
        "source": robot.source,
        "notes": robot.notes,
        "joints": [_joint_facts(joint) for joint in robot.joints],
        "links": [
            {"name": k.name, "mass": k.mass, "com": k.com, "inertia": k.inertia, "frame": k.frame}
            for k in robot.links
        ],
        "base": robot.base,
        "tool": robot.tool,
        "gravity": robot.gravity,
        "poses": dict(robot.poses),
        "workspace": None if space is None else {"reach": space.reach, "low": space.low, "high": space.high},
    }


def _joint_facts(joint: Joint) -> dict[str, Any]:
    return {name: getattr(joint, name) for name in joint.__dataclass_fields__}


def _reach(space: Workspace) -> str:
    ranges = ", ".join(f"{axis} {a:.2f} to {b:.2f}" for axis, a, b in zip("xyz", space.low, space.high))
    text = f"workspace of the tool: reach {space.reach:.3f} m from the first joint; {ranges} m"
    text += f" ({space.samples} random poses within the limits)"
    return text + (f"; {space.assumed}" if space.assumed else "")
