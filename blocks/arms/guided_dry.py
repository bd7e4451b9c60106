"""The functions of ConstrainedFDyn for robots with Coulomb friction: events change which joints slide."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ...robots.contact import Guide, Joints, Workspace, aim, correct, creep, decide, project_velocity, share
from ...robots.friction import dry, excess
from ..contract.parameter import Array
from .guided import Answer, press
from .off_constraint import OffConstraint, broken_row


def output(
    mode: int, wired: float, tau: Array, wrench: Array, position: Array, velocity: Array, slide: Array,
    guide: Guide, room: Workspace, joints: Joints, answer: Answer,
) -> None:  # fmt: skip
    """Accelerations, multipliers and the wrench of the surface."""
    aim(room, guide, position, velocity)
    if share(room, joints, position, velocity, tau, wrench, slide, answer.lam, answer.qdd) >= 0:
        answer.qdd[0] = math.nan
    row = broken_row(wired, mode, room.equations.A, velocity)
    if row >= 0:
        raise OffConstraint(float(row), project_velocity(room.equations.A, row, velocity))
    press(room.E, answer.lam, answer.F)


def derivative(
    tau: Array, wrench: Array, position: Array, velocity: Array, slide: Array, guide: Guide, room: Workspace,
    joints: Joints, d_position: Array, d_velocity: Array,
) -> None:  # fmt: skip
    """The rates, projected onto the constraint, and the accelerations."""
    aim(room, guide, position, velocity)
    if share(room, joints, position, velocity, tau, wrench, slide, joints.multipliers, d_velocity) >= 0:
        d_velocity[0] = math.nan
    for k in range(room.equations.target.shape[0]):
        room.equations.target[k] = (
            project_velocity(room.equations.A, k, velocity) + guide.gain * room.violation[k]
        )
    correct(room, joints, position, slide)
    for i in range(d_position.shape[0]):
        d_position[i] = velocity[i] - room.change[i]


def projected_rates(
    position: Array, velocity: Array, slide: Array, guide: Guide, room: Workspace, joints: Joints, qd: Array
) -> None:
    """The allowed rates closest to the states."""
    aim(room, guide, position, velocity)
    for k in range(room.equations.target.shape[0]):
        room.equations.target[k] = project_velocity(room.equations.A, k, velocity)
    correct(room, joints, position, slide)
    for i in range(qd.shape[0]):
        qd[i] = velocity[i] - room.change[i]


def crossing(
    tau: Array, wrench: Array, position: Array, velocity: Array, slide: Array, guide: Guide, room: Workspace,
    joints: Joints, friction: Array,
) -> None:  # fmt: skip
    """Sliding: back through zero speed. Sticking: friction beyond its bound. Pinned: pushed back from it."""
    stuck, pinned = False, False
    for i in range(friction.shape[0]):
        friction[i] = -1.0
        if abs(slide[i]) < 1.0:  # 0 sticks; 1/2 and -1/2 are pinned: at rest, with friction at its bound
            stuck = True
            pinned = pinned or slide[i] != 0.0
        elif dry(room.arm, i):
            friction[i] = -slide[i] * velocity[i]
    if not stuck:
        return
    aim(room, guide, position, velocity)
    for k in range(room.equations.target.shape[0]):
        # Without the terms that correct drift, which do not load the friction. `jump` uses the same values.
        room.equations.target[k] = -room.drift[k]
    share(room, joints, position, velocity, tau, wrench, slide, joints.multipliers, joints.trial)
    if pinned:
        creep(room, joints, position, slide, joints.multipliers)
    for i in range(friction.shape[0]):
        if slide[i] == 0.0:
            friction[i] = excess(room.arm, i, joints.friction_now[i])
        elif abs(slide[i]) < 1.0:
            friction[i] = -slide[i] * room.change[i]


def jump(
    tau: Array, wrench: Array, position: Array, velocity: Array, slide: Array, guide: Guide, room: Workspace,
    joints: Joints, next_position: Array, next_velocity: Array, next_slide: Array,
) -> None:  # fmt: skip
    """Stick, turn back or break away; joints at rest get zero speed, the others no speed off the surface."""
    aim(room, guide, position, velocity)
    for k in range(room.equations.target.shape[0]):
        room.equations.target[k] = -room.drift[k]
    decide(room, joints, position, velocity, tau, wrench, slide, next_slide)
    settled = True
    for i in range(next_slide.shape[0]):
        next_position[i] = position[i]
        next_velocity[i] = 0.0 if joints.at_rest[i] == 1.0 else velocity[i]
        settled = settled and next_slide[i] == slide[i] and next_velocity[i] == velocity[i]
        joints.column[i] = 1.0 - joints.at_rest[i]
    # Joints brought to rest slow down the tool, so the surface slows down the other joints too.
    if settled:
        return
    for k in range(room.equations.target.shape[0]):
        room.equations.target[k] = project_velocity(room.equations.A, k, next_velocity)
    correct(room, joints, position, joints.column)
    for i in range(next_slide.shape[0]):
        next_velocity[i] -= room.change[i]


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "output_qd": projected_rates,
    "output": output,
    "derivative": derivative,
    "crossing": crossing,
    "jump": jump,
}
