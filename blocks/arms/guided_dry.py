"""The functions of ConstrainedFDyn for robots with Coulomb friction: events change who slides."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ...robots.contact.stiction import creep, decide, hold, share
from ...robots.friction.stiction import dry, excess
from ...robots.mechanics.constraints import least_motion
from ..contract.parameter import Array
from .guided import aim, press
from .off_constraint import OffConstraint, along, broken


def output(
    mode: int, given: float, tau: Array, wrench: Array, position: Array, velocity: Array, slide: Array,
    Je: Array, Je_dot: Array, frame_code: float, project: float, plane: Array, point: Array, gain: float,
    arm: Array, work: Array, J: Array, E: Array, E_rate: Array, A: Array, drift: Array, violation: Array,
    target: Array, C: Array, goal: Array, basis: Array, lower: Array, force: Array, load: Array, span: Array,
    friction_now: Array, qdd: Array, lam: Array, F: Array,
) -> None:  # fmt: skip
    """Accelerations, multipliers and the wrench of the surface."""
    aim(
        position, velocity, Je, Je_dot, frame_code, project, plane, point, gain, arm, work, J, E, E_rate, A,
        drift, violation, target,
    )  # fmt: skip
    singular = share(
        arm, position, velocity, tau, wrench, slide, A, target, work, C, goal, basis, lower, force, load,
        span, lam, friction_now, qdd,
    )  # fmt: skip
    if singular >= 0:
        qdd[0] = math.nan
    row = broken(given, mode, A, velocity)
    if row >= 0:
        raise OffConstraint(float(row), along(A, row, velocity))
    press(E, lam, F)


def derivative(
    tau: Array, wrench: Array, position: Array, velocity: Array, slide: Array, Je: Array, Je_dot: Array,
    frame_code: float, project: float, plane: Array, point: Array, gain: float, arm: Array, work: Array,
    J: Array, E: Array, E_rate: Array, A: Array, drift: Array, violation: Array, target: Array, C: Array,
    goal: Array, basis: Array, lower: Array, force: Array, load: Array, span: Array, friction_now: Array,
    multipliers: Array, change: Array, d_position: Array, d_velocity: Array,
) -> None:  # fmt: skip
    """The rates, projected onto the constraint, and the accelerations."""
    aim(
        position, velocity, Je, Je_dot, frame_code, project, plane, point, gain, arm, work, J, E, E_rate, A,
        drift, violation, target,
    )  # fmt: skip
    singular = share(
        arm, position, velocity, tau, wrench, slide, A, target, work, C, goal, basis, lower, force, load,
        span, multipliers, friction_now, d_velocity,
    )  # fmt: skip
    if singular >= 0:
        d_velocity[0] = math.nan
    for k in range(target.shape[0]):
        target[k] = along(A, k, velocity) + gain * violation[k]
    correct(arm, position, slide, A, target, work, C, goal, basis, lower, change)
    for i in range(d_position.shape[0]):
        d_position[i] = velocity[i] - change[i]


def correct(
    arm: Array, position: Array, slide: Array, A: Array, target: Array, work: Array, C: Array, goal: Array,
    basis: Array, lower: Array, change: Array,
) -> None:  # fmt: skip
    """The least change with A change = target that leaves joints which stick where they are."""
    n = slide.shape[0]
    hold(slide, A, C)
    for i in range(n):
        goal[i] = 0.0
    for k in range(target.shape[0]):
        goal[n + k] = target[k]
    least_motion(arm, position, C, goal, work, basis, lower, change)
    for i in range(n):
        if abs(slide[i]) < 1.0:
            change[i] = 0.0


def projected_rates(
    position: Array, velocity: Array, slide: Array, Je: Array, Je_dot: Array, frame_code: float,
    project: float, plane: Array, point: Array, gain: float, arm: Array, work: Array, J: Array, E: Array,
    E_rate: Array, A: Array, drift: Array, violation: Array, target: Array, C: Array, goal: Array,
    basis: Array, lower: Array, change: Array, qd: Array,
) -> None:  # fmt: skip
    """The rates closest to the states that the constraint allows."""
    aim(
        position, velocity, Je, Je_dot, frame_code, project, plane, point, gain, arm, work, J, E, E_rate, A,
        drift, violation, target,
    )  # fmt: skip
    for k in range(target.shape[0]):
        target[k] = along(A, k, velocity)
    correct(arm, position, slide, A, target, work, C, goal, basis, lower, change)
    for i in range(qd.shape[0]):
        qd[i] = velocity[i] - change[i]


def crossing(
    tau: Array, wrench: Array, position: Array, velocity: Array, slide: Array, Je: Array, Je_dot: Array,
    frame_code: float, project: float, plane: Array, point: Array, gain: float, arm: Array, work: Array,
    J: Array, E: Array, E_rate: Array, A: Array, drift: Array, violation: Array, target: Array, C: Array,
    goal: Array, basis: Array, lower: Array, force: Array, load: Array, span: Array, friction_now: Array,
    multipliers: Array, change: Array, trial: Array, friction: Array,
) -> None:  # fmt: skip
    """Sliding: back through zero speed. Sticking: friction beyond its bound. Pinned: pushed back from it."""
    stuck, pinned = False, False
    for i in range(friction.shape[0]):
        friction[i] = -1.0
        if abs(slide[i]) < 1.0:
            stuck = True
            pinned = pinned or slide[i] != 0.0
        elif dry(arm, i):
            friction[i] = -slide[i] * velocity[i]
    if not stuck:
        return
    aim(
        position, velocity, Je, Je_dot, frame_code, project, plane, point, gain, arm, work, J, E, E_rate, A,
        drift, violation, target,
    )  # fmt: skip
    for k in range(target.shape[0]):
        target[k] = -drift[k]  # what corrects drift is no load; `jump` decides by the same numbers
    share(
        arm, position, velocity, tau, wrench, slide, A, target, work, C, goal, basis, lower, force, load,
        span, multipliers, friction_now, trial,
    )  # fmt: skip
    if pinned:
        creep(arm, position, slide, multipliers, A, work, C, goal, basis, lower, change)
    for i in range(friction.shape[0]):
        if slide[i] == 0.0:
            friction[i] = excess(arm, i, friction_now[i])
        elif abs(slide[i]) < 1.0:
            friction[i] = -slide[i] * change[i]


def jump(
    tau: Array, wrench: Array, position: Array, velocity: Array, slide: Array, Je: Array, Je_dot: Array,
    frame_code: float, project: float, plane: Array, point: Array, gain: float, arm: Array, work: Array,
    J: Array, E: Array, E_rate: Array, A: Array, drift: Array, violation: Array, target: Array, C: Array,
    goal: Array, basis: Array, lower: Array, force: Array, load: Array, span: Array, friction_now: Array,
    multipliers: Array, change: Array, trial: Array, column: Array, rest: Array,
    next_position: Array, next_velocity: Array, next_slide: Array,
) -> None:  # fmt: skip
    """Stick, turn back or break away; joints at rest have speed zero, the others none off the surface."""
    aim(
        position, velocity, Je, Je_dot, frame_code, project, plane, point, gain, arm, work, J, E, E_rate, A,
        drift, violation, target,
    )  # fmt: skip
    for k in range(target.shape[0]):
        target[k] = -drift[k]
    decide(
        arm, position, velocity, tau, wrench, slide, A, target, work, C, goal, basis, lower, force, load,
        span, multipliers, friction_now, trial, change, column, rest, next_slide,
    )  # fmt: skip
    settled = True
    for i in range(next_slide.shape[0]):
        next_position[i] = position[i]
        next_velocity[i] = 0.0 if rest[i] == 1.0 else velocity[i]
        settled = settled and next_slide[i] == slide[i] and next_velocity[i] == velocity[i]
        column[i] = 1.0 - rest[i]
    if settled:
        return
    for k in range(target.shape[0]):
        target[k] = along(A, k, next_velocity)
    correct(arm, position, column, A, target, work, C, goal, basis, lower, change)
    for i in range(next_slide.shape[0]):
        next_velocity[i] -= change[i]


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "output_qd": projected_rates,
    "output": output,
    "derivative": derivative,
    "crossing": crossing,
    "jump": jump,
}
