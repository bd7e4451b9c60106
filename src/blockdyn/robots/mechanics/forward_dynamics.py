"""Forward dynamics: joint accelerations from torques, by the mass matrix or by articulated bodies."""

from __future__ import annotations

from .articulated import articulated
from .bias import bias
from .bodies import positions
from .cholesky import factor, solve
from .inertias import inertias
from .mass_matrix import lower_mass_matrix
from .work import MATRIX, Array

MOST = 7  # joints up to which factoring the mass matrix is quicker than articulated bodies


def forward_dynamics(
    arm: Array, q: Array, qd: Array, tau: Array, wrench: Array, terms: int, work: Array, qdd: Array
) -> int:
    """M(q) qdd = tau + J^T wrench - c(q, qd) - g(q) - f(qd), written into qdd (n,), by the quicker method.

    wrench (6,): force and moment that the environment applies to the tool, world axes, at the tool's origin.
    terms: the sum of those of GRAVITY, FRICTION, ARMATURE that count; ARMATURE always does.
    Returns -1, or a joint along which the mass matrix is singular, with qdd undefined.
    """
    if arm.shape[0] - 1 <= MOST:
        return composite(arm, q, qd, tau, wrench, terms, work, qdd)
    return articulated(arm, q, qd, tau, wrench, terms, work, qdd)


def composite(
    arm: Array, q: Array, qd: Array, tau: Array, wrench: Array, terms: int, work: Array, qdd: Array
) -> int:
    """As `forward_dynamics`, by composite inertias and the Cholesky factor, which is left in work at MATRIX.

    O(n^3), with small constants; Featherstone, Rigid Body Dynamics Algorithms, 2008, chapter 6.
    """
    singular = factored(arm, q, qd, tau, wrench, terms, work, qdd)
    if singular < 0:
        solve(work, MATRIX, arm.shape[0] - 1, qdd)
    return singular


def factored(
    arm: Array, q: Array, qd: Array, tau: Array, wrench: Array, terms: int, work: Array, forces: Array
) -> int:
    """The Cholesky factor of M(q), in work at MATRIX, and forces = tau + J^T wrench - c - g - f, (n,).

    Returns -1, or a joint along which the mass matrix is singular, with forces undefined.
    """
    n = arm.shape[0] - 1
    positions(arm, q, work)
    inertias(arm, work)
    bias(arm, qd, wrench, terms, work, forces)
    lower_mass_matrix(arm, work, work, MATRIX)
    singular = factor(work, MATRIX, n)
    if singular >= 0:
        return singular
    for i in range(n):
        forces[i] = tau[i] - forces[i]
    return -1
