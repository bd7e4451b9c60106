"""Mixed dynamics: torques with the Coriolis matrix at one velocity, multiplied by another velocity."""

from __future__ import annotations

from typing import NamedTuple

from ...robots.friction import add_friction
from ...robots.mechanics.bodies import ARMATURE, GRAVITY
from ...robots.mechanics.coriolis_matrix import coriolis_matrix
from ...robots.mechanics.inverse_dynamics import rnea
from ..contract.parameter import Array
from .gains import add_product


class Model(NamedTuple):
    """The controller's model of the arm, and workspace."""

    arm: Array
    still: Array  # (n,), zeros: no rates
    free: Array  # (6,), zeros: nothing touches the tool
    work: Array
    C: Array  # (n, n)


def mixed_dynamics(model: Model, q: Array, qd: Array, v: Array, a: Array, mode: int, tau: Array) -> None:
    """tau = M(q) a + C(q, qd) v + g(q) + f(v), with Coulomb friction in the directions of the mode."""
    # Recursive Newton-Euler does not give C(q, qd) v for a v other than qd. It therefore computes M a + g at
    # rest, and C v is added, with C from the Christoffel symbols, because stability proofs need dM/dt - 2 C
    # to be skew.
    rnea(model.arm, q, model.still, a, model.free, GRAVITY + ARMATURE, model.work, tau)
    coriolis_matrix(model.arm, q, qd, model.work, model.C)
    add_product(model.C, v, tau)
    add_friction(model.arm, v, mode, tau)
