"""Robots are written as tables for people, and as files from which equal robots are made."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from os import PathLike
from typing import Any, Literal

import numpy as np

from ...base.checked import checked_numbers
from ...base.files import replacing
from ...base.text_table import Table, in_lines, plain
from ..construct.dh import JOINT, LINK, Convention
from ..errors import InvalidRobot
from ..model.joint import BASE, Joint
from ..model.link import Link
from ..model.poses import IDENTITY, Matrix
from ..model.robot import EARTH, Robot
from .dh import dh_rows, to_dh, to_mdh


def format_robot(robot: Robot) -> str:
    """The robot as plain text: print(robot) shows it."""
    return in_lines(describe_robot(robot))


def describe_robot(robot: Robot) -> list[str | Table]:
    """Title, source, parameters, inertial data, motors, named poses."""
    head = f"{robot.name}: {robot.title or 'robot'}, {robot.structure or 'no moving joint'}"
    parts: list[str | Table] = [head]
    parts += [
        f"{label}: {text}" for label, text in (("source", robot.source), ("notes", robot.notes)) if text
    ]
    for table in (_geometry(robot), _bodies(robot), _drives(robot), _poses(robot)):
        if table.rows:
            parts += ["", table]
    if not robot.has_dynamics and not robot.notes:
        parts += ["", "kinematics only: no masses"]
    return parts


def _geometry(robot: Robot) -> Table:
    """DH rows if the frames follow them, otherwise parents, places and axes."""
    table_rows = dh_rows(robot)
    limits = [_limits(joint) for joint in robot.joints]
    if table_rows is None:
        columns = ("joint", "kind", "parent", "position (m)", "axis", "limits")
        places = [_vector(np.array(joint.place)[:3, 3]) for joint in robot.joints]
        cells = [
            (joint.name, _kind(joint), joint.parent, place, _axis(joint), limit)
            for joint, place, limit in zip(robot.joints, places, limits)
        ]
        return Table("Joints, in their parent frames", columns, cells)
    return dh_text(robot, *table_rows)


def dh_text(robot: Robot, convention: str, dh: Sequence[Mapping[str, float]]) -> Table:
    """Denavit-Hartenberg rows of a robot as a table, with coordinates, offsets and limits."""
    limits = [_limits(joint) for joint in robot.joints]
    rows = [(*_row(joint, row), limit) for joint, row, limit in zip(robot.joints, dh, limits)]
    names = ("joint", "kind", "theta (deg)", "d (m)", "a (m)", "alpha (deg)", "limits")
    return Table(f"Denavit-Hartenberg parameters, {convention}", names, rows)


def _row(joint: Joint, row: Mapping[str, float]) -> tuple[str, ...]:
    """Name, kind, theta, d, a, alpha; with the coordinate as theta or d."""
    flipped = joint.axis[2] < 0
    offset = -joint.offset if flipped else joint.offset
    theta, d = _degrees(row["theta"]), _number(row["d"])
    if joint.kind == "revolute":
        theta = _coordinate("-" if flipped else "", joint.name, math.degrees(row["theta"] + offset))
    else:
        d = _coordinate("-" if flipped else "", joint.name, row["d"] + offset)
    return joint.name, joint.kind, theta, d, _number(row["a"]), _degrees(row["alpha"])


def _bodies(robot: Robot) -> Table:
    rows = []
    for link in robot.links:
        if link.mass or np.any(link.inertia):
            tensor = np.array(link.inertia)
            products = tensor[[0, 0, 1], [1, 2, 2]]
            coupled = _vector(products) if np.abs(products).max() > 1e-12 else ""
            cells = (_number(link.mass), _vector(link.com), _vector(np.diag(tensor)), coupled)
            rows.append((link.name, *cells))
    columns = ("link", "mass (kg)", "centre of mass (m)", "Ixx, Iyy, Izz (kg m2)", "Ixy, Ixz, Iyz")
    return Table("Inertial data, about the centre of mass, in the link frame", columns, rows)


def _drives(robot: Robot) -> Table:
    rows = []
    for joint in robot.joints:
        if joint.motor_inertia or joint.viscous or any(joint.coulomb) or abs(joint.gear) != 1.0:
            coulomb = f"+{joint.coulomb[0]:g}, -{joint.coulomb[1]:g}" if any(joint.coulomb) else ""
            cells = (joint.gear, joint.motor_inertia, joint.viscous)
            rows.append((joint.name, *(f"{value:g}" for value in cells), coulomb))
    columns = ("joint", "gear ratio", "inertia (kg m2)", "viscous (N m s/rad)", "Coulomb (N m)")
    return Table("Motor inertia and friction, on the motor side", columns, rows)


def _poses(robot: Robot) -> Table:
    rows = []
    for name, q in robot.poses:
        cells = [_degrees(x) if j.kind == "revolute" else f"{_number(x)} m" for x, j in zip(q, robot.moving)]
        if len(cells) > 12:
            cells = [*cells[:6], "...", *cells[-2:]]
        rows.append((name, ", ".join(cells)))
    return Table("Named poses (deg)", ("", ""), rows)


def _limits(joint: Joint) -> str:
    if not joint.moves or (math.isinf(joint.lower) and math.isinf(joint.upper)):
        return ""
    turns = joint.kind == "revolute"
    ends = [_degrees(x) if turns else _number(x) for x in (joint.lower, joint.upper)]
    return f"{ends[0]} .. {ends[1]}{' deg' if turns else ' m'}"


def _kind(joint: Joint) -> str:
    """The kind of a joint, and the coordinate that moves it if it is a mimic."""
    return f"{joint.kind}, {joint.multiplier:g} x {joint.mimic}" if joint.mimic else joint.kind


def _axis(joint: Joint) -> str:
    return _vector(np.array(joint.place)[:3, :3] @ np.array(joint.axis)) if joint.moves else ""


def _coordinate(sign: str, joint: str, offset: float) -> str:
    name = f"{sign}q{joint.removeprefix('joint')}"
    return name if abs(offset) < 1e-12 else f"{name} {'+' if offset > 0 else '-'} {_number(abs(offset))}"


def _degrees(angle: float) -> str:
    return _number(math.degrees(angle))


def _number(value: float) -> str:
    return f"{0.0 if abs(value) < 1e-12 else value:.6g}"


def _vector(values: Sequence[float] | Any) -> str:
    return ", ".join(map(_number, values))


FORMS: Mapping[Convention, Callable[[Robot], Robot]] = {"standard": to_dh, "modified": to_mdh}


@dataclass(frozen=True)
class DHTable:
    """Denavit-Hartenberg rows, with their base and tool.

    `from_dh(t.rows, convention=t.convention, base=t.base, tool=t.tool)` returns the arm without masses. A
    row holds theta, d, a, alpha, kind, offset and flip as `from_dh` takes them, rad and m. str() is the
    table as text.
    """

    convention: Convention
    rows: tuple[Mapping[str, Any], ...]
    base: Matrix
    tool: Matrix
    text: str

    def __str__(self) -> str:
        return self.text


@checked_numbers(InvalidRobot)
def dh_table(robot: Robot, convention: Literal["standard", "modified"] | None = None) -> DHTable:
    """The Denavit-Hartenberg rows of a robot, for print() and for `from_dh`.

    They are the rows by which its frames are placed, in the convention of the argument, if any.

    A robot whose frames are not placed by rows, or by rows of the other convention, is converted first,
    as `to_dh` and `to_mdh` do (to standard rows by default): base and tool then hold the transforms that
    rows cannot express. Raises InvalidRobot for an unknown convention, ConversionError for a robot with
    branches.
    """
    if convention not in (None, *FORMS):
        raise InvalidRobot(robot.name, f"the convention {convention!r}", "standard or modified")
    table_rows = dh_rows(robot, convention)
    if table_rows is None:
        robot = FORMS[convention or "standard"](robot)
        table_rows = dh_rows(robot, convention)
        assert table_rows is not None  # the conversion sets them
    kind, rows = table_rows
    printed = tuple(_complete_row(joint, row) for joint, row in zip(robot.joints, rows))
    return DHTable(kind, printed, robot.base, robot.tool, plain(dh_text(robot, kind, rows)))


def _complete_row(joint: Joint, row: Mapping[str, float]) -> Mapping[str, Any]:
    flip = joint.axis[2] < 0
    return {**row, "kind": joint.kind, "offset": -joint.offset if flip else joint.offset, "flip": flip}


ABOUT = ("title", "source", "notes")


def save(robot: Robot, file: str | PathLike[str]) -> None:
    """Write a YAML file, for `from_file` and diagrams, from which an exactly equal robot is made; an
    error leaves no partial file.

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
