"""A table of Denavit-Hartenberg rows: a robot's geometry in either convention, as numbers and as text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ...base.text_table import plain
from ..construct.dh import Convention
from ..errors import InvalidRobot
from ..model.joint import Joint
from ..model.poses import Matrix
from ..model.robot import Robot
from .dh import dh_rows, to_dh, to_mdh
from .text import dh_text

FORMS: Mapping[Convention, Callable[[Robot], Robot]] = {"standard": to_dh, "modified": to_mdh}


@dataclass(frozen=True)
class DHTable:
    """Denavit-Hartenberg rows, with their base and tool.

    `from_dh(t.rows, convention=t.convention, base=t.base, tool=t.tool)` is the arm again, without masses. A
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


def dh_table(robot: Robot, convention: Convention | None = None) -> DHTable:
    """The work of `Robot.dh`."""
    if convention not in (None, *FORMS):
        raise InvalidRobot(robot.name, f"the convention {convention!r}", "standard or modified")
    table_rows = dh_rows(robot, convention)
    if table_rows is None:
        robot = FORMS[convention or "standard"](robot)
        table_rows = dh_rows(robot, convention)
        assert table_rows is not None  # that is what the conversion makes
    kind, rows = table_rows
    printed = tuple(_row(joint, row) for joint, row in zip(robot.joints, rows))
    return DHTable(kind, printed, robot.base, robot.tool, plain(dh_text(robot, kind, rows)))


def _row(joint: Joint, row: Mapping[str, float]) -> Mapping[str, Any]:
    flip = joint.axis[2] < 0
    return {**row, "kind": joint.kind, "offset": -joint.offset if flip else joint.offset, "flip": flip}
