"""Friction by the direction of motion, which is frozen in the mode: joints that turn back are events.

The mode holds a digit to the base 3 for each joint with Coulomb friction: 0 at rest, 1 forwards, 2 backwards.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...robots.model.table import COULOMB_MINUS, COULOMB_PLUS, VISCOUS
from ..contract.errors import ParameterError
from ..contract.parameter import Array
from ..contract.port import Crossing
from .stiction import dry

MOST = 39  # digits that a mode of 64 bits holds


def turns(block: str, robot: object, arm: Array) -> tuple[Crossing, ...]:
    """The crossing `turn`, one value a joint; none where no joint has Coulomb friction.

    Raises ParameterError for too many such joints.
    """
    count = sum(dry(arm, i) for i in range(len(arm) - 1))
    if count > MOST:
        expected = f"at most {MOST} joints with Coulomb friction: {count} have it"
        raise ParameterError(block, "robot", robot, expected)
    return (Crossing("turn", 0, count=len(arm) - 1),) if count else ()


def turning(arm: Array, speed: Array, turn: Array) -> None:
    """What crosses zero where a joint with Coulomb friction turns back."""
    for i in range(turn.shape[0]):
        turn[i] = speed[i] if dry(arm, i) else -1.0


def directions(arm: Array, speed: Array) -> int:
    """The mode at these speeds."""
    code, place = 0, 1
    for i in range(speed.shape[0]):
        if dry(arm, i):
            if speed[i] > 0.0:
                code += place
            elif speed[i] < 0.0:
                code += 2 * place
            place *= 3
    return code


def add_friction(arm: Array, speed: Array, mode: int, tau: Array) -> None:
    """tau += viscous friction at these speeds, and Coulomb friction in the directions of the mode."""
    code = mode
    for i in range(tau.shape[0]):
        tau[i] += arm[i, VISCOUS] * speed[i]
        if dry(arm, i):
            if code % 3 == 1:
                tau[i] += arm[i, COULOMB_PLUS]
            elif code % 3 == 2:
                tau[i] -= arm[i, COULOMB_MINUS]
            code //= 3


def turn_of_qd(qd: Array, arm: Array, turn: Array) -> None:
    """The crossing of blocks whose friction is at the measured speed."""
    turning(arm, qd, turn)


def directions_of_qd(qd: Array, arm: Array) -> int:
    """Their mode."""
    return directions(arm, qd)


def turn_of_qd_ref(qd_ref: Array, arm: Array, turn: Array) -> None:
    """The crossing of blocks whose friction is at the wanted speed."""
    turning(arm, qd_ref, turn)


def directions_of_qd_ref(qd_ref: Array, arm: Array) -> int:
    """Their mode."""
    return directions(arm, qd_ref)


def at_qd(located: bool) -> dict[str, Callable[..., Any]]:
    """The roles of blocks whose friction is at the measured speed."""
    return {"mode": directions_of_qd, **({"crossing": turn_of_qd} if located else {})}


def at_qd_ref(located: bool) -> dict[str, Callable[..., Any]]:
    """The roles of blocks whose friction is at the wanted speed."""
    return {"mode": directions_of_qd_ref, **({"crossing": turn_of_qd_ref} if located else {})}
