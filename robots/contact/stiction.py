"""Joints that stick and slide while the tool is guided: who sticks, and what friction and surface share.

With M qdd + f = b + A^T lam and A qdd = a, where f is what Coulomb friction takes of the torque,

    a joint that slides has f_i = +T+_i or -T-_i, against its motion;
    a joint that sticks has qdd_i = 0, and -T-_i <= f_i <= T+_i;
    a joint at rest starts in the direction in which friction cannot hold it.

qdd has exactly one solution, the minimum of a strictly convex function under linear equations (Gauss's
principle). f and lam have not, where joints that stick hold the tool by themselves: rigid bodies leave open
how they and the surface share. Of all lam the one with the least sum of squares is taken, the limit of a
surface that gives way by a part of lam that goes to zero: what friction can hold, it holds. Then a joint may
be at rest with its friction at the bound, pinned by the others and by the surface, which carries the rest.

`slide` of a joint is 1 or -1 where it slides, 0 where it sticks, 1/2 or -1/2 where it is pinned.
Pfeiffer, Glocker, Multibody Dynamics with Unilateral Contacts, 1996.
"""

from __future__ import annotations

from math import sqrt

from ..friction.stiction import PIVOTS, dry, excess
from ..mechanics.cholesky import forwards
from ..mechanics.constraints import constrained_dynamics, least_motion
from ..mechanics.work import GRAVITY, MATRIX, Array
from ..model.table import COULOMB_MINUS, COULOMB_PLUS, VISCOUS

LOCKED = 1e-7  # part of a joint's motion that the constraints must leave for it to count as free
PINNED = 0.5


def hold(slide: Array, A: Array, C: Array) -> None:
    """All equations C qd = 0: of joints that stick or are pinned (n rows, else 0), then of the surface."""
    n = A.shape[1]
    for i in range(n):
        for j in range(n):
            C[i, j] = 0.0
        if abs(slide[i]) < 1.0:
            C[i, i] = 1.0
    for k in range(A.shape[0]):
        for j in range(n):
            C[n + k, j] = A[k, j]


def share(
    arm: Array, position: Array, velocity: Array, tau: Array, wrench: Array, slide: Array, A: Array,
    target: Array, work: Array, C: Array, goal: Array, basis: Array, lower: Array, force: Array, load: Array,
    span: Array, lam: Array, friction: Array, qdd: Array,
) -> int:  # fmt: skip
    """qdd, lam and the friction of the joints that stick, where each slides or sticks as `slide` says.

    A (m, n) and target (m,) are the surface. Returns -1, or a joint that has no inertia. The factor of the
    mass matrix stays in work, the basis of C in basis.
    """
    n, m = A.shape[1], A.shape[0]
    hold(slide, A, C)
    for i in range(n):
        goal[i] = 0.0
        load[i] = tau[i] - arm[i, VISCOUS] * velocity[i]
        if slide[i] > 0.0:
            load[i] -= arm[i, COULOMB_PLUS]
        elif slide[i] < 0.0:
            load[i] += arm[i, COULOMB_MINUS]
    for k in range(m):
        goal[n + k] = target[k]
    status = constrained_dynamics(
        arm, position, velocity, load, wrench, GRAVITY, C, goal, work, basis, lower, force, qdd
    )
    if status < 0:
        return -1 - status
    for i in range(n):  # what the joints feel of all that holds them
        friction[i] = force[i]
        for k in range(m):
            friction[i] += A[k, i] * force[n + k]
    _least(slide, A, friction, span, lam)
    for i in range(n):
        if abs(slide[i]) < 1.0:
            qdd[i] = 0.0
        for k in range(m):
            friction[i] -= A[k, i] * lam[k]
        friction[i] = -friction[i]
    return -1


def _least(slide: Array, A: Array, felt: Array, span: Array, lam: Array) -> None:
    """The least lam with (A^T lam)_i = felt_i at the joints that do not stick; span (m, m) is room."""
    n, m = A.shape[1], A.shape[0]
    found, whole = 0, 0.0
    for k in range(m):
        lam[k] = 0.0
        for i in range(n):
            whole += A[k, i] * A[k, i]
    for i in range(n):
        if slide[i] == 0.0 or found == m:
            continue
        for k in range(m):
            span[found, k] = A[k, i]
        for _ in range(2):  # the second time removes what rounding left
            for r in range(found):
                along = 0.0
                for k in range(m):
                    along += span[found, k] * span[r, k]
                for k in range(m):
                    span[found, k] -= along * span[r, k]
        own, missing = 0.0, felt[i]
        for k in range(m):
            own += span[found, k] * span[found, k]
            missing -= A[k, i] * lam[k]
        if own > LOCKED * LOCKED * whole:
            own = sqrt(own)
            for k in range(m):
                span[found, k] /= own
                lam[k] += missing / own * span[found, k]
            found += 1


def creep(
    arm: Array, position: Array, slide: Array, lam: Array, A: Array, work: Array, C: Array, goal: Array,
    basis: Array, lower: Array, change: Array,
) -> None:  # fmt: skip
    """How joints that do not stick would give way with a surface that gives way by lam: A change = -lam."""
    n = A.shape[1]
    hold(slide, A, C)
    for i in range(n):
        goal[i] = 0.0
        if slide[i] != 0.0:
            C[i, i] = 0.0
    for k in range(lam.shape[0]):
        goal[n + k] = -lam[k]
    least_motion(arm, position, C, goal, work, basis, lower, change)


def locked(i: int, work: Array, basis: Array, column: Array) -> bool:
    """Whether the equations of which `basis` is the basis leave joint i no motion; after `share`."""
    n = column.shape[0]
    for j in range(n):
        column[j] = 0.0
    column[i] = 1.0
    forwards(work, MATRIX, n, column)
    whole = 0.0
    for j in range(n):
        whole += column[j] * column[j]
    for r in range(basis.shape[0]):
        along = 0.0
        for j in range(n):
            along += column[j] * basis[r, j]
        for j in range(n):
            column[j] -= along * basis[r, j]
    left = 0.0
    for j in range(n):
        left += column[j] * column[j]
    return left <= LOCKED * LOCKED * whole


def resting(arm: Array, i: int, rate: float, slide: float) -> bool:
    """Whether joint i is at rest, or has just come to it."""
    if not dry(arm, i):
        return False
    return abs(slide) < 1.0 or slide * rate <= 0.0


def decide(
    arm: Array, position: Array, velocity: Array, tau: Array, wrench: Array, slide: Array, A: Array,
    target: Array, work: Array, C: Array, goal: Array, basis: Array, lower: Array, force: Array, load: Array,
    span: Array, lam: Array, friction: Array, qdd: Array, change: Array, column: Array, rest: Array,
    new: Array,
) -> None:  # fmt: skip
    """Who sticks, slides and is pinned from here on, into new; who is at rest, into rest (1 or 0).

    Joints that move go on. With those at rest others are that cannot move without them. All these are decided
    together, as in `stiction.decide`, by Murty's rule.
    """
    n = slide.shape[0]
    for i in range(n):
        rest[i] = 1.0 if resting(arm, i, velocity[i], slide[i]) else 0.0
        new[i] = 1.0 if not dry(arm, i) else 1.0 if slide[i] > 0.0 else -1.0
        if rest[i] == 1.0:
            new[i] = 0.0
    share(
        arm, position, velocity, tau, wrench, new, A, target, work, C, goal, basis, lower, force, load, span,
        lam, friction, qdd,
    )  # fmt: skip
    for i in range(n):
        if rest[i] == 0.0 and dry(arm, i) and locked(i, work, basis, column):
            rest[i] = 1.0
            new[i] = 0.0
    for _ in range(PIVOTS * n):
        for i in range(n):
            if rest[i] == 1.0 and new[i] != 0.0:
                new[i] = 1.0 if new[i] > 0.0 else -1.0
        share(
            arm, position, velocity, tau, wrench, new, A, target, work, C, goal, basis, lower, force, load,
            span, lam, friction, qdd,
        )  # fmt: skip
        pinned = False
        for i in range(n):
            if rest[i] == 1.0 and new[i] != 0.0 and locked(i, work, basis, column):
                new[i] *= PINNED
                pinned = True
        if pinned:
            share(
                arm, position, velocity, tau, wrench, new, A, target, work, C, goal, basis, lower, force,
                load, span, lam, friction, qdd,
            )  # fmt: skip
            creep(arm, position, new, lam, A, work, C, goal, basis, lower, change)
        changed = -1
        for i in range(n):
            if changed < 0 and rest[i] == 1.0:
                if new[i] == 0.0:
                    if excess(arm, i, friction[i]) > 0.0:
                        changed = i
                        new[i] = 1.0 if friction[i] > 0.0 else -1.0
                else:
                    onward = change[i] if abs(new[i]) < 1.0 else qdd[i]
                    if new[i] * onward <= 0.0:
                        changed = i
                        new[i] = 0.0
        if changed < 0:
            return
