"""Mixed dynamics: the torques of controllers that take the Coriolis matrix at one speed and times another."""

from __future__ import annotations

from ...robots.friction.sliding import add_friction
from ...robots.mechanics.coriolis_matrix import coriolis_matrix
from ...robots.mechanics.rnea import rnea
from ...robots.mechanics.work import ARMATURE, GRAVITY
from ..contract.parameter import Array
from .gains import add_product


def mixed_dynamics(
    arm: Array, q: Array, qd: Array, v: Array, a: Array, mode: int, rest: Array, free: Array,
    work: Array, C: Array, tau: Array,
) -> None:  # fmt: skip
    """tau = M(q) a + C(q, qd) v + g(q) + f(v), Coulomb's in the directions of the mode.

    rest and free are zeros, of n and of 6.
    """
    rnea(arm, q, rest, a, free, GRAVITY + ARMATURE, work, tau)
    coriolis_matrix(arm, q, qd, work, C)
    add_product(C, v, tau)
    add_friction(arm, v, mode, tau)
