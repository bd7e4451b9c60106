"""Poses between frames of one robot, and of robots written as text."""

from __future__ import annotations

from typing import Any

from ...base.checked import guarded
from ..calls.kernel import Array, as_robot
from ..construct.elementary import from_elementary
from ..mechanics.errors import WrongSize
from ..model.poses import IDENTITY
from ..model.robot import Robot
from .kinematics import fkine


@guarded(WrongSize)
def relative_pose(robot: Robot | str, q: Any, *, of: str = "tool", to: str = "base") -> Array:
    """The pose of one frame of a robot in another one, (4, 4); (k, 4, 4) for q (k, n).

    Frames are `base`, the names of links, and `tool`. relative_pose(robot, q, of="link2", to="link1") is the
    transform of row 2 of a Denavit-Hartenberg table, A_2(q_2). Raises WrongSize, NotFinite, UnknownFrame.
    """
    robot = as_robot(robot)
    A, B = fkine(robot, q, of=to), fkine(robot, q, of=of)
    B[..., :3, 3] -= A[..., :3, 3]
    B[..., :3, :] = A[..., :3, :3].swapaxes(-1, -2) @ B[..., :3, :]
    return B


@guarded(WrongSize)
def trchain(text: str, q: Any = (), **values: float) -> Array:
    """The product of elementary transforms, "Rz(q1) Tx(a) Rx(-90deg)", at the coordinates q, (4, 4).

    values are the numbers named in the text, m and rad. The syntax is that of robots.from_elementary.
    Raises InvalidRobot, WrongSize, NotFinite.
    """
    robot = from_elementary(text, values, name="trchain", base=IDENTITY)
    return fkine(robot, q)
