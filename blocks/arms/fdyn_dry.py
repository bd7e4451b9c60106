"""The functions of FDyn for robots with Coulomb friction: sliding is a held state, which events change."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from ...robots.friction import accelerate, balance, decide, dry, excess, holding_torque
from ..contract.parameter import Array


class Workspace(NamedTuple):
    """The arm, and workspace for its motion."""

    arm: Array
    work: Array
    factors: Array  # (n, n): factors of the mass matrix of the sliding joints
    load: Array  # (n,): torques without Coulomb friction


def qdd(
    tau: Array, wrench: Array, position: Array, velocity: Array, slide: Array, room: Workspace, qdd: Array,
) -> None:  # fmt: skip
    balance(room.arm, position, velocity, tau, wrench, room.work, room.load)
    if accelerate(room.arm, slide, room.work, room.load, room.factors, qdd) >= 0:
        qdd[0] = math.nan


def derivative(
    tau: Array, wrench: Array, position: Array, velocity: Array, slide: Array, room: Workspace,
    d_position: Array, d_velocity: Array,
) -> None:  # fmt: skip
    for i in range(d_position.shape[0]):
        d_position[i] = velocity[i]
    balance(room.arm, position, velocity, tau, wrench, room.work, room.load)
    if accelerate(room.arm, slide, room.work, room.load, room.factors, d_velocity) >= 0:
        d_velocity[0] = math.nan


def crossing(
    tau: Array, wrench: Array, position: Array, velocity: Array, slide: Array, room: Workspace, trial: Array,
    friction: Array,
) -> None:  # fmt: skip
    """Sliding: the speed against its direction. Sticking: the excess of the holding torque over friction."""
    stuck = False
    for i in range(friction.shape[0]):
        friction[i] = -1.0  # a joint without Coulomb friction has no events
        if slide[i] == 0.0:
            stuck = True
        elif dry(room.arm, i):
            friction[i] = -slide[i] * velocity[i]
    if stuck:  # only sticking joints need the torques: while all slide, the speeds suffice
        balance(room.arm, position, velocity, tau, wrench, room.work, room.load)
        accelerate(room.arm, slide, room.work, room.load, room.factors, trial)
        for i in range(friction.shape[0]):
            if slide[i] == 0.0:
                friction[i] = excess(room.arm, i, holding_torque(i, room.work, room.load, trial))


def jump(
    tau: Array, wrench: Array, position: Array, velocity: Array, slide: Array, room: Workspace, trial: Array,
    next_position: Array, next_velocity: Array, next_slide: Array,
) -> None:  # fmt: skip
    """Stick, turn back or break away; a joint at rest has exactly zero speed."""
    balance(room.arm, position, velocity, tau, wrench, room.work, room.load)
    decide(room.arm, velocity, slide, room.work, room.load, room.factors, trial, next_slide)
    for i in range(next_slide.shape[0]):
        next_position[i] = position[i]
        next_velocity[i] = velocity[i]
        # The event is handled just beyond zero speed; this small error is always removed.
        if next_slide[i] == 0.0 or (dry(room.arm, i) and slide[i] * velocity[i] < 0.0):
            next_velocity[i] = 0.0


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "output_qdd": qdd,
    "derivative": derivative,
    "crossing": crossing,
    "jump": jump,
}
