"""The functions of ConstrainedFDyn: an arm whose tool is guided by its surroundings."""

from __future__ import annotations

import math

from ...robots.mechanics.bodies import positions, velocities
from ...robots.mechanics.constraints import baumgarte, constrained_dynamics, least_motion, tool_constraint
from ...robots.mechanics.frames import tool_axis, tool_point
from ...robots.mechanics.jacobian import BODY
from ...robots.mechanics.jacobian_rate import tool_velocity
from ...robots.mechanics.work import EVERYTHING
from ..contract.parameter import Array
from .off_constraint import OffConstraint, along, broken


def in_world(
    arm: Array, position: Array, velocity: Array, Je: Array, Je_dot: Array, frame_code: int, work: Array,
    E: Array, E_rate: Array,
) -> None:  # fmt: skip
    """Je and its derivative in world axes, (m, 6) each; leaves `positions` in work."""
    positions(arm, position, work)
    velocities(arm, velocity, work)
    for k in range(Je.shape[0]):
        for r in range(6):
            E[k, r] = Je[k, r]
            E_rate[k, r] = Je_dot[k, r]
    if frame_code != BODY:
        return
    ax, ay, az = tool_axis(arm, work, 0)
    bx, by, bz = tool_axis(arm, work, 1)
    cx, cy, cz = tool_axis(arm, work, 2)
    _, _, _, wx, wy, wz = tool_velocity(arm, work)
    for k in range(Je.shape[0]):
        for at in range(0, 6, 3):
            x, y, z = Je[k, at], Je[k, at + 1], Je[k, at + 2]
            ux, uy, uz = Je_dot[k, at], Je_dot[k, at + 1], Je_dot[k, at + 2]
            x, y, z = ax * x + bx * y + cx * z, ay * x + by * y + cy * z, az * x + bz * y + cz * z
            E[k, at], E[k, at + 1], E[k, at + 2] = x, y, z
            E_rate[k, at] = ax * ux + bx * uy + cx * uz + wy * z - wz * y
            E_rate[k, at + 1] = ay * ux + by * uy + cy * uz + wz * x - wx * z
            E_rate[k, at + 2] = az * ux + bz * uy + cz * uz + wx * y - wy * x


def off(arm: Array, work: Array, E: Array, plane: Array, point: Array, violation: Array) -> None:
    """How far the tool is from the planes, 0 for other A; needs `positions`."""
    x, y, z = tool_point(arm, work)
    for k in range(E.shape[0]):
        violation[k] = plane[k] * (
            E[k, 0] * (x - point[0]) + E[k, 1] * (y - point[1]) + E[k, 2] * (z - point[2])
        )


def aim(
    position: Array, velocity: Array, Je: Array, Je_dot: Array, frame_code: float, project: float,
    plane: Array, point: Array, gain: float, arm: Array, work: Array, J: Array, E: Array, E_rate: Array,
    A: Array, drift: Array, violation: Array, target: Array,
) -> None:  # fmt: skip
    """The equations A qdd = target that keep the tool where it belongs; E, A = E J and violation too."""
    in_world(arm, position, velocity, Je, Je_dot, int(frame_code), work, E, E_rate)
    off(arm, work, E, plane, point, violation)
    tool_constraint(arm, position, velocity, E, E_rate, work, J, A, drift)
    if project != 0.0:
        for k in range(target.shape[0]):
            target[k] = -drift[k] - gain * along(A, k, velocity)
    else:
        baumgarte(A, velocity, drift, violation, 1.0, gain, target)


def move(
    tau: Array, wrench: Array, position: Array, velocity: Array, Je: Array, Je_dot: Array, frame_code: float,
    project: float, plane: Array, point: Array, gain: float, arm: Array, work: Array, J: Array, E: Array,
    E_rate: Array, A: Array, basis: Array, lower: Array, drift: Array, violation: Array, target: Array,
    lam: Array, qdd: Array,
) -> None:  # fmt: skip
    """qdd and lam; E, A = E J and violation remain."""
    aim(
        position, velocity, Je, Je_dot, frame_code, project, plane, point, gain, arm, work, J, E, E_rate, A,
        drift, violation, target,
    )  # fmt: skip
    status = constrained_dynamics(
        arm, position, velocity, tau, wrench, EVERYTHING, A, target, work, basis, lower, lam, qdd
    )
    if status < 0:
        qdd[0] = math.nan


def output(
    mode: int, given: float, tau: Array, wrench: Array, position: Array, velocity: Array, Je: Array,
    Je_dot: Array, frame_code: float, project: float, plane: Array, point: Array, gain: float, arm: Array,
    work: Array, J: Array, E: Array, E_rate: Array, A: Array, basis: Array, lower: Array, drift: Array,
    violation: Array, target: Array, qdd: Array, lam: Array, F: Array,
) -> None:  # fmt: skip
    """Accelerations, multipliers and the wrench of the contact."""
    move(
        tau, wrench, position, velocity, Je, Je_dot, frame_code, project, plane, point, gain, arm, work, J, E,
        E_rate, A, basis, lower, drift, violation, target, lam, qdd,
    )  # fmt: skip
    row = broken(given, mode, A, velocity)
    if row >= 0:
        raise OffConstraint(float(row), along(A, row, velocity))
    press(E, lam, F)


def press(E: Array, lam: Array, F: Array) -> None:
    """F = E^T lam, the wrench of the surface on the tool."""
    for r in range(6):
        F[r] = 0.0
        for k in range(lam.shape[0]):
            F[r] += E[k, r] * lam[k]


def derivative(
    tau: Array, wrench: Array, position: Array, velocity: Array, Je: Array, Je_dot: Array, frame_code: float,
    project: float, plane: Array, point: Array, gain: float, arm: Array, work: Array, J: Array, E: Array,
    E_rate: Array, A: Array, basis: Array, lower: Array, drift: Array, violation: Array, target: Array,
    force: Array, change: Array, d_position: Array, d_velocity: Array,
) -> None:  # fmt: skip
    """The rates, projected onto the constraint where that is asked for, and the accelerations."""
    move(
        tau, wrench, position, velocity, Je, Je_dot, frame_code, project, plane, point, gain, arm, work, J, E,
        E_rate, A, basis, lower, drift, violation, target, force, d_velocity,
    )  # fmt: skip
    for i in range(d_position.shape[0]):
        d_position[i] = velocity[i]
    if project != 0.0:
        for k in range(target.shape[0]):
            target[k] = along(A, k, velocity) + gain * violation[k]
        least_motion(arm, position, A, target, work, basis, lower, change)
        for i in range(d_position.shape[0]):
            d_position[i] -= change[i]


def projected_rates(
    position: Array, velocity: Array, Je: Array, Je_dot: Array, frame_code: float, arm: Array, work: Array,
    J: Array, E: Array, E_rate: Array, A: Array, basis: Array, lower: Array, drift: Array, target: Array,
    change: Array, qd: Array,
) -> None:  # fmt: skip
    """The rates closest to the states that the constraint allows."""
    in_world(arm, position, velocity, Je, Je_dot, int(frame_code), work, E, E_rate)
    tool_constraint(arm, position, velocity, E, E_rate, work, J, A, drift)
    for k in range(target.shape[0]):
        target[k] = along(A, k, velocity)
    least_motion(arm, position, A, target, work, basis, lower, change)
    for i in range(qd.shape[0]):
        qd[i] = velocity[i] - change[i]
