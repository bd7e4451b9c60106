"""Constrained forward dynamics of a robot whose tool is held by its surroundings."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...base.annotations import real_numbers
from ...base.checked import checked_numbers
from ..calls.kernel import FLAG, WORK, Array, Input, Kernel, Output, Scratch, as_robot, bound
from ..mechanics import constraints
from ..mechanics.bodies import ARMATURE, FRICTION, GRAVITY
from ..mechanics.errors import WrongSize, singular_mass_matrix
from ..model.robot import Robot
from .dynamics import NONE

ROWS = Kernel(
    constraints.tool_constraint,
    (
        Input("q"), Input("qd"), Input("Je", ("m", 6)), Input("Je_dot", ("m", 6)), WORK, Scratch((6, "n")),
        Output(("m", "n")), Output(("m",)),
    ),
)  # fmt: skip
CONSTRAINED = Kernel(
    constraints.constrained_dynamics,
    (
        Input("q"), Input("qd"), Input("tau"), Input("wrench", (6,)), FLAG, Input("rows", ("m", "n")),
        Input("target", ("m",)), Scratch(("m", "n")), Scratch(("m", "m")), WORK, Output(("m",)), Output(),
    ),
)  # fmt: skip


class ConstrainedMotion(NamedTuple):
    """Motion and constraint forces of a constrained arm."""

    qdd: Array  # (n,), rad/s2 or m/s2
    lam: Array  # (m,), force along each row of Je; 0 for a redundant one
    F: Array  # (6,) = Je^T lam: wrench of the constraint on the tool, world axes
    redundant: int  # number of rows of Je that depend on others


@checked_numbers(WrongSize)
def constrained_accel(
    robot: Robot | str,
    q: Any,
    qd: Any,
    tau: Any,
    Je: Any,
    *,
    Je_dot: Any = None,
    wrench: Any = None,
    violation: Any = None,
    gain: float = 0.0,
    damping: float = 1.0,
    gravity: bool = True,
    friction: bool = True,
) -> ConstrainedMotion:
    """Forward dynamics with the tool held by Je [v; w] = 0 (world axes, Je (m, 6)):

        M qdd + C qd + g + f = tau + J^T (wrench + Je^T lam)
        Je J qdd + (Je_dot J + Je Jdot) qd = -2 damping gain Je J qd - gain^2 violation

    The right-hand side is Baumgarte's: with gain > 0 (1/s) velocity errors decay, and also position errors
    in `violation` (m,). Je_dot is the derivative of Je, 0 by default. Murray, Li, Sastry, A
    Mathematical Introduction to Robotic Manipulation, 1994, section 6.1; Baumgarte, Comp. Meth. Appl. Mech.
    Eng. 1(1), 1972. Raises WrongSize, MechanicsError.
    """
    robot = as_robot(robot)
    Je = np.atleast_2d(real_numbers(Je))
    m = Je.shape[0]
    sizes = (("m", m),)
    geometry = bound(ROWS, robot, sizes=sizes)
    geometry.run(q, qd, Je, np.zeros((m, 6)) if Je_dot is None else np.atleast_2d(Je_dot))
    rows, drift = geometry.outputs
    off = np.zeros(m) if violation is None else real_numbers(violation)
    if off.shape != (m,):
        raise WrongSize(
            f"{robot.name}, violation", f"found shape {off.shape}", f"({m},), a number for each row"
        )
    target = np.empty(m)
    constraints.baumgarte(rows, geometry.inputs[1], drift, off, damping, gain, target)
    terms = (GRAVITY if gravity else 0) | (FRICTION if friction else 0) | ARMATURE
    ready = bound(CONSTRAINED, robot, "tool", (terms,), sizes)
    status = ready.run(q, qd, tau, NONE if wrench is None else wrench, rows, target)
    if status < 0:
        raise singular_mass_matrix(robot.name, robot.moving[-1 - status].name)
    lam, qdd = (output.copy() for output in ready.outputs)
    return ConstrainedMotion(qdd, lam, Je.T @ lam, status)
