"""Find the closed form of an arm from its joints as screws, or the reason for its absence."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ...base.checked import checked_numbers
from ..calls.kernel import as_robot
from ..errors import InvalidRobot
from ..lie.kernels.pose import invert
from ..mechanics.bodies import ORIGIN, ROTATION, work_shape
from ..mechanics.kinematics import tool_pose
from ..model.robot import Robot
from ..model.table import PARENT, PRISMATIC, TIP
from .arguments import NoClosedForm
from .closed import HOME, PARALLEL, ROWS, SLIDING, SPHERICAL

Array = NDArray[np.float64]
EXACT = 1e-8  # m or rad: tolerance for lines that meet or are parallel


@dataclass(frozen=True)
class Form:
    """The kind of closed form, with the names of `closed`, and the arguments of its kernel."""

    kind: int
    numbers: Array


@checked_numbers(InvalidRobot)
@lru_cache(maxsize=64)
def form_of(robot: Robot | str, of: str = "tool") -> Form:
    """The closed form of an arm for poses of its tool, or of another frame of its last link.

    It requires six joints in a chain with axes 2 and 3 parallel, 1 not parallel to them, and either axes 4,
    5, 6 that meet in a point, or 4 parallel to 2 and 3 with 5 and 6 that meet. All are revolute; in the first
    case joint 3 may instead slide, at right angles to axis 2. Raises NoClosedForm with the requirement
    that fails.
    """
    robot = as_robot(robot)
    arm = robot.table(of)
    if len(robot.shares) != robot.n:
        raise NoClosedForm(robot.name, "it has joints that mimic others")
    if robot.n != 6:
        raise NoClosedForm(robot.name, f"it has {robot.n} moving joints, not 6")
    for i in range(6):
        if arm[i, PRISMATIC] != 0.0 and i != 2:
            raise NoClosedForm(robot.name, f"joint {i + 1} is prismatic")
        if arm[i, PARENT] != i - 1:
            raise NoClosedForm(robot.name, f"joint {i + 1} does not follow joint {i}: it is not a chain")
    if arm[6, TIP] != 5:
        raise NoClosedForm(robot.name, f"the frame `{of}` is not carried by the last joint")
    work, home = np.zeros(work_shape(6)), np.zeros((4, 4))
    tool_pose(arm, np.zeros(6), work, home)
    h = np.array([[work[i, ROTATION + 2 + 3 * k] for k in range(3)] for i in range(6)])
    p = np.array([work[i, ORIGIN : ORIGIN + 3] for i in range(6)])
    kind = _move_points(robot.name, h, p, arm[2, PRISMATIC] != 0.0)
    numbers = np.zeros((ROWS, 6))
    numbers[:HOME, :3], numbers[:HOME, 3:] = h, p
    back = np.empty((4, 4))
    invert(home, back)
    numbers[HOME:, :4] = back[:3]
    numbers.flags.writeable = False
    return Form(kind, numbers)


def _move_points(name: str, h: Array, p: Array, slides: bool) -> int:
    """Move points along their axes to the positions that the kernel requires; returns the kind of form."""
    parallel_or_sliding(name, h, slides)
    if np.linalg.norm(np.cross(h[0], h[1])) < EXACT:
        raise NoClosedForm(name, "axes 1 and 2 are parallel")
    for i in (4, 5):
        if np.linalg.norm(np.cross(h[i - 1], h[i])) < EXACT:
            raise NoClosedForm(name, f"axes {i} and {i + 1} are parallel")
    centre = _meeting(name, h, p)
    off = float(np.linalg.norm(np.cross(h[3], centre - p[3])))
    if off < EXACT:
        kind, p[3] = SLIDING if slides else SPHERICAL, centre
    elif not slides and np.linalg.norm(np.cross(h[1], h[3])) < EXACT:
        kind = PARALLEL
    else:
        also = "" if slides else ", and is not parallel to axis 2"
        raise NoClosedForm(name, f"axis 4 passes the point where axes 5 and 6 meet at {off:.3g} m{also}")
    p[4] = p[5] = centre
    for i in (1, 2, 3):  # into one plane across axis 2, in which a triangle gives q2 and q3
        p[i] += h[1] * (h[1] @ (centre - p[i]))
    if slides:
        return kind
    if np.linalg.norm(p[2] - p[1]) < EXACT:
        raise NoClosedForm(name, "axes 2 and 3 are one line")
    if np.linalg.norm(p[3] - p[2] - h[1] * (h[1] @ (p[3] - p[2]))) < EXACT:
        raise NoClosedForm(name, "the wrist lies on axis 3")
    return kind


def parallel_or_sliding(name: str, h: Array, slides: bool) -> None:
    """Check joints 2 and 3: axes that are parallel, or a slide at right angles to axis 2."""
    angle = float(np.degrees(np.arctan2(np.linalg.norm(np.cross(h[1], h[2])), abs(h[1] @ h[2]))))
    if slides and abs(h[1] @ h[2]) >= EXACT:
        raise NoClosedForm(name, f"joint 3 slides at {angle:.3g} deg to axis 2, not at right angles")
    if not slides and np.radians(angle) >= EXACT:
        raise NoClosedForm(name, f"axes 2 and 3 are {angle:.3g} deg apart, not parallel")


def _meeting(name: str, h: Array, p: Array) -> Array:
    """The point where axes 5 and 6 meet."""
    across = np.cross(h[4], h[5])
    apart = float(abs(across @ (p[5] - p[4])) / np.linalg.norm(across))
    if apart >= EXACT:
        raise NoClosedForm(name, f"axes 5 and 6 do not meet: they pass each other at {apart:.3g} m")
    along = np.linalg.lstsq(np.stack([h[4], -h[5]], axis=1), p[5] - p[4], rcond=None)[0]
    return np.asarray(p[4] + along[0] * h[4])
