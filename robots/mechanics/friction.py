"""Joint friction: viscous and Coulomb, the latter with a level for each direction."""

from __future__ import annotations

from ..model.table import COULOMB_MINUS, COULOMB_PLUS, VISCOUS
from .work import Array


def friction_of(arm: Array, i: int, rate: float) -> float:
    """What joint i's motor must spend on friction at this rate, N m or N; none of Coulomb's at rest."""
    lost = float(arm[i, VISCOUS]) * rate
    if rate > 0.0:
        lost += arm[i, COULOMB_PLUS]
    elif rate < 0.0:
        lost -= arm[i, COULOMB_MINUS]
    return lost


def friction(arm: Array, qd: Array, tau: Array) -> None:
    """tau_i = b_i qd_i + (c+_i where qd_i > 0, -c-_i where qd_i < 0): the torque that friction takes."""
    for i in range(arm.shape[0] - 1):
        tau[i] = friction_of(arm, i, qd[i])


def friction_towards(arm: Array, qd: Array, direction: Array, tau: Array) -> None:
    """As `friction`, with the direction of sliding given: its sign counts, and 0 means none."""
    for i in range(arm.shape[0] - 1):
        lost = arm[i, VISCOUS] * qd[i]
        if direction[i] > 0.0:
            lost += arm[i, COULOMB_PLUS]
        elif direction[i] < 0.0:
            lost -= arm[i, COULOMB_MINUS]
        tau[i] = lost
