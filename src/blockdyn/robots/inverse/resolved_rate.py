"""Resolved rates are the joint rates that move the tool with the given velocity."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ...base.checked import checked_numbers
from ..calls.kernel import as_robot
from ..functions import jacobian
from ..functions.measures import Part, rows_of
from ..lie import checks
from ..mechanics.errors import WrongSize, singular_pose
from ..model.robot import Robot
from .arguments import InvalidTask, mask_of

Array = NDArray[np.float64]
NEAR = 1e-6  # of the largest singular value: below it the pose counts as singular


@checked_numbers(WrongSize)
def resolved_rate(
    robot: Robot | str,
    q: Any,
    v: Any,
    *,
    mask: Any = None,
    frame: Literal["world", "body", "space"] = "world",
    part: Part = "all",
    damping: float = 0.0,
    of: str = "tool",
) -> Array:
    """The smallest joint rates with the tool velocity v, or the nearest possible one, (n,).

        qd = J^T (J J^T + damping^2 I)^-1 v

    v (6,), linear then angular, m/s and rad/s, in the frame as in `jacobian`; (3,) with the part
    trans or rot, which leaves the other free. The mask, of the shape of v, weights its elements; those with
    weight 0 are left free. Without damping a singular pose is an error; with it, qd
    is at most |v| / (2 damping).

    Whitney, IEEE Trans. Man-Machine Systems 10(2), 1969; damping: Wampler, IEEE Trans. Systems, Man, and
    Cybernetics 16(1), 1986. Raises WrongSize, InvalidTask, MechanicsError.
    """
    robot = as_robot(robot)
    first, last = rows_of(part)
    size = last - first
    weights = mask_of(mask, size)
    counted = weights > 0.0
    if not 0.0 <= damping < np.inf:
        raise InvalidTask("damping", f"found {damping}", "at least 0, in units of the Jacobian")
    twist = (weights * checks.array(v, (size,), "v"))[counted]
    full = jacobian(robot, checks.array(q, (robot.n,), "q"), frame=frame, of=of)
    J = (weights[:, None] * full[first:last])[counted]
    U, values, Vt = np.linalg.svd(J, full_matrices=False)
    if damping == 0.0 and values[-1] <= NEAR * values[0]:
        lost = np.zeros(6)
        lost[first:last][counted] = np.round(U[:, -1], 4) + 0.0
        raise singular_pose(robot.name, f"along {lost.tolist()}", "; or some damping, such as 0.01")
    return np.asarray(Vt.T @ (values / (values**2 + damping**2) * (U.T @ twist)))
