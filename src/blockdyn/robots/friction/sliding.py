"""Friction by the direction of motion, which is frozen in the mode: joints that turn back are events.

The mode holds a digit to the base 3 for each joint with Coulomb friction: 0 at rest, 1 forwards, 2 backwards.
"""

from __future__ import annotations

from ..mechanics.work import Array
from ..model.table import COULOMB_MINUS, COULOMB_PLUS, VISCOUS
from .stiction import dry


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
