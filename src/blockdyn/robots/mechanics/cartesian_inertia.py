"""Operational-space inertia: what the tool's acceleration costs in force."""

from __future__ import annotations

from .bodies import positions
from .cholesky import factor, forwards_row, invert
from .inertias import inertias
from .jacobian import columns, resolve
from .mass_matrix import lower_mass_matrix
from .work import MATRIX, Array


def cartesian_inertia(arm: Array, q: Array, frame: int, work: Array, J: Array, A: Array) -> int:
    """(J M^-1 J^T)^-1, written into A (6, 6), with the Jacobian in the given frame; J (6, n) is overwritten.

    Khatib, A Unified Approach for Motion and Force Control of Robot Manipulators, IEEE J. Robotics and
    Automation 3(1), 1987. Returns -1; or a joint along which the mass matrix is singular; or n plus the first
    row of the Jacobian that depends on those before it (n < 6, or a singular pose), with A undefined.
    """
    n = arm.shape[0] - 1
    positions(arm, q, work)
    columns(arm, work, J)
    resolve(arm, frame, work, J)
    inertias(arm, work)
    lower_mass_matrix(arm, work, work, MATRIX)
    singular = factor(work, MATRIX, n)
    if singular >= 0:
        return singular
    for r in range(6):
        forwards_row(work, MATRIX, n, J, r)
        for c in range(r + 1):
            total = 0.0
            for k in range(n):
                total += J[r, k] * J[c, k]
            A[r, c] = total
    singular = factor(A, 0, 6)
    if singular >= 0:
        return int(n + singular)
    invert(A, 6)
    return -1
