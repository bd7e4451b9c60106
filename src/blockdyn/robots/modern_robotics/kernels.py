"""Dynamics of a chain in the book's terms, on the mechanics kernels: inputs in x, results in y.

    x   theta, dtheta, and ddtheta or tau, n numbers each; gravity, 3; the tip wrench (moment, force) that the
        end-effector applies, in its own frame, 6
    y   n numbers, or the mass matrix as n rows

The rows of the table may be more than the joints (see `chain`); `wide` arrays hold one number a row.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..mechanics.bias import bias
from ..mechanics.cholesky import factor, solve
from ..mechanics.forward_dynamics import forward_dynamics
from ..mechanics.frames import tool_pose
from ..mechanics.inertias import inertias
from ..mechanics.mass_matrix import lower_mass_matrix, mass_matrix
from ..mechanics.rnea import rnea
from ..mechanics.work import GRAVITY
from ..model.table import GRAVITY as FALL

Array = NDArray[np.float64]


class Rows(NamedTuple):
    """The rows of the table: the joint that each belongs to, and the part of its motion that it has."""

    source: Array
    scale: Array


def widen(rows: Rows, x: Array, at: int, wide: Array) -> None:
    """wide = a joint's quantity, from x[at] on, shared out to the rows."""
    for row in range(rows.source.shape[0]):
        wide[row] = rows.scale[row] * x[at + int(rows.source[row])]


def gather(rows: Rows, wide: Array, y: Array) -> None:
    """y = the rows' forces, summed up for each joint."""
    for i in range(y.shape[0]):
        y[i] = 0.0
    for row in range(rows.source.shape[0]):
        y[int(rows.source[row])] += rows.scale[row] * wide[row]


def take_gravity_and_tip(
    arm: Array, n: int, x: Array, q: Array, work: Array, pose: Array, wrench: Array
) -> None:
    """Gravity into the table; and the wrench on the tool, in world axes, that answers the tip's."""
    last = arm.shape[0] - 1
    for k in range(3):
        arm[last, FALL + k] = x[3 * n + k]
    at = 3 * n + 3
    tool_pose(arm, q, work, pose)
    for i in range(3):
        wrench[i] = -(pose[i, 0] * x[at + 3] + pose[i, 1] * x[at + 4] + pose[i, 2] * x[at + 5])
        wrench[3 + i] = -(pose[i, 0] * x[at] + pose[i, 1] * x[at + 1] + pose[i, 2] * x[at + 2])


def inverse_dynamics(
    arm: Array, rows: Rows, x: Array, y: Array,
    q: Array, qd: Array, qdd: Array, tau: Array, work: Array, pose: Array, wrench: Array,
) -> int:  # fmt: skip
    """y = M ddtheta + c + g + J^T Ftip."""
    n = y.shape[0]
    widen(rows, x, 0, q)
    widen(rows, x, n, qd)
    widen(rows, x, 2 * n, qdd)
    take_gravity_and_tip(arm, n, x, q, work, pose, wrench)
    rnea(arm, q, qd, qdd, wrench, GRAVITY, work, tau)
    gather(rows, tau, y)
    return -1


def mass(arm: Array, rows: Rows, x: Array, matrix: Array, q: Array, work: Array, wide: Array) -> int:
    """matrix (n, n) = M(theta)."""
    widen(rows, x, 0, q)
    mass_matrix(arm, q, work, wide)
    gather_both(rows, wide, matrix)
    return -1


def gather_both(rows: Rows, wide: Array, matrix: Array) -> None:
    """matrix = the rows' mass matrix (its lower triangle is read), summed up for each pair of joints."""
    n = matrix.shape[0]
    for i in range(n):
        for j in range(n):
            matrix[i, j] = 0.0
    for r in range(rows.source.shape[0]):
        i = int(rows.source[r])
        for s in range(r):
            share = rows.scale[r] * rows.scale[s] * wide[r, s]
            matrix[i, int(rows.source[s])] += share
            matrix[int(rows.source[s]), i] += share
        matrix[i, i] += rows.scale[r] * rows.scale[r] * wide[r, r]


def forward_dynamics_of_rows(
    arm: Array, rows: Rows, x: Array, y: Array,
    q: Array, qd: Array, qdd: Array, tau: Array, work: Array, pose: Array, wrench: Array,
) -> int:  # fmt: skip
    """y = M^-1 (tau - c - g - J^T Ftip) where each joint is one row; -1, or a joint where M is singular."""
    n = y.shape[0]
    widen(rows, x, 0, q)
    widen(rows, x, n, qd)
    for i in range(n):
        tau[i] = x[2 * n + i] / rows.scale[i]
    take_gravity_and_tip(arm, n, x, q, work, pose, wrench)
    singular = forward_dynamics(arm, q, qd, tau, wrench, GRAVITY, work, qdd)
    for i in range(n):
        y[i] = qdd[i] / rows.scale[i]
    return singular


def forward_dynamics_of_shares(
    arm: Array, rows: Rows, x: Array, y: Array, matrix: Array,
    q: Array, qd: Array, tau: Array, work: Array, wide: Array, pose: Array, wrench: Array,
) -> int:  # fmt: skip
    """The same where joints share rows: by the mass matrix of the rows, summed up for the joints."""
    n = y.shape[0]
    widen(rows, x, 0, q)
    widen(rows, x, n, qd)
    take_gravity_and_tip(arm, n, x, q, work, pose, wrench)
    inertias(arm, work)
    bias(arm, qd, wrench, GRAVITY, work, tau)
    lower_mass_matrix(arm, work, wide, 0)
    gather(rows, tau, y)
    gather_both(rows, wide, matrix)
    singular = factor(matrix, 0, n)
    if singular < 0:
        for i in range(n):
            y[i] = x[2 * n + i] - y[i]
        solve(matrix, 0, n, y)
    return singular
