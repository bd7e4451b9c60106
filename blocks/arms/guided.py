"""The functions of ConstrainedFDyn: an arm whose tool is constrained by its surroundings."""

from __future__ import annotations

import math
from typing import NamedTuple

from ...robots.contact import Guide, Workspace, aim, constrain, in_world, project_velocity
from ...robots.mechanics.bodies import EVERYTHING
from ...robots.mechanics.constraints import constrained_dynamics, least_motion
from ..contract.parameter import Array
from .off_constraint import OffConstraint, broken_row


class Answer(NamedTuple):
    """The outputs: accelerations, multipliers and the wrench of the contact."""

    qdd: Array
    lam: Array
    F: Array


def move(
    room: Workspace, guide: Guide, tau: Array, wrench: Array, position: Array, velocity: Array, lam: Array,
    qdd: Array,
) -> None:  # fmt: skip
    """qdd and lam; E, A = E J and violation remain in the workspace."""
    aim(room, guide, position, velocity)
    status = constrained_dynamics(
        room.arm, position, velocity, tau, wrench, EVERYTHING, room.equations, room.work, lam, qdd
    )
    if status < 0:
        qdd[0] = math.nan


def output(
    mode: int, wired: float, tau: Array, wrench: Array, position: Array, velocity: Array, guide: Guide,
    room: Workspace, answer: Answer,
) -> None:  # fmt: skip
    """Accelerations, multipliers and the wrench of the contact."""
    move(room, guide, tau, wrench, position, velocity, answer.lam, answer.qdd)
    row = broken_row(wired, mode, room.equations.A, velocity)
    if row >= 0:
        raise OffConstraint(float(row), project_velocity(room.equations.A, row, velocity))
    press(room.E, answer.lam, answer.F)


def press(E: Array, lam: Array, F: Array) -> None:
    """F = E^T lam, the wrench of the surface on the tool."""
    for r in range(6):
        F[r] = 0.0
        for k in range(lam.shape[0]):
            F[r] += E[k, r] * lam[k]


def derivative(
    tau: Array, wrench: Array, position: Array, velocity: Array, guide: Guide, room: Workspace, force: Array,
    d_position: Array, d_velocity: Array,
) -> None:  # fmt: skip
    """The rates, projected onto the constraint if `project` is set, and the accelerations."""
    # Without `project`, Baumgarte's accelerations correct drift (in `aim`). With it, the rates are
    # projected on A velocity = 0, and the distance is corrected at the rate `gain`: e' + gain e = 0.
    move(room, guide, tau, wrench, position, velocity, force, d_velocity)
    for i in range(d_position.shape[0]):
        d_position[i] = velocity[i]
    if guide.project != 0.0:
        for k in range(room.equations.target.shape[0]):
            room.equations.target[k] = (
                project_velocity(room.equations.A, k, velocity) + guide.gain * room.violation[k]
            )
        least_motion(room.arm, position, room.equations, room.work, room.change)
        for i in range(d_position.shape[0]):
            d_position[i] -= room.change[i]


def projected_rates(position: Array, velocity: Array, guide: Guide, room: Workspace, qd: Array) -> None:
    """The allowed rates closest to the states."""
    # Closest in kinetic energy: an impulse of the guide would cause exactly this change.
    in_world(room, guide, position, velocity)
    constrain(room, position, velocity)
    for k in range(room.equations.target.shape[0]):
        room.equations.target[k] = project_velocity(room.equations.A, k, velocity)
    least_motion(room.arm, position, room.equations, room.work, room.change)
    for i in range(qd.shape[0]):
        qd[i] = velocity[i] - room.change[i]
