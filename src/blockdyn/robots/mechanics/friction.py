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
