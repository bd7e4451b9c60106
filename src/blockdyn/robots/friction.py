"""Joints with Coulomb friction stick or slide; reversals of their motion are events.

The mode holds a digit to the base 3 for each joint with Coulomb friction: 0 at rest, 1 forwards, 2 backwards.

With M qdd + f = b, where b is all torque except Coulomb friction and f is the torque of Coulomb friction,

    a joint that slides has f_i = +T+_i or -T-_i, against its motion;
    a joint that sticks has qdd_i = 0, and -T-_i <= f_i <= T+_i;
    a joint at rest starts in the direction in which friction cannot hold it.

Since M is positive definite, this has exactly one solution: the minimum of a strictly convex function of qdd,
by Gauss's principle of least constraint. Pfeiffer, Glocker, Multibody Dynamics with Unilateral Contacts,
1996; Baraff, Fast Contact Force Computation for Nonpenetrating Rigid Bodies, SIGGRAPH 1994,
doi:10.1145/192161.192168.
"""

from __future__ import annotations

from .mechanics.bodies import GRAVITY, MATRIX, UNSIGNED, Array, inertias, positions
from .mechanics.inverse_dynamics import bias
from .mechanics.mass_matrix import factor, lower_mass_matrix, solve
from .model.table import COULOMB_MINUS, COULOMB_PLUS, VISCOUS


def turning(arm: Array, speed: Array, turn: Array) -> None:
    """Signals that cross zero when a joint with Coulomb friction reverses."""
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


SLACK = 1e-12  # fraction of friction by which the torque on a joint must exceed it, to exclude rounding
PIVOTS = 20  # per joint; Murty's rule needs a few in practice


def balance(arm: Array, q: Array, qd: Array, tau: Array, wrench: Array, work: Array, load: Array) -> None:
    """The mass matrix, lower triangle, into work at MATRIX; b, torque without Coulomb friction, into load."""
    positions(arm, q, work)
    inertias(arm, work)
    bias(arm, qd, wrench, GRAVITY, work, load)
    lower_mass_matrix(arm, work, work, MATRIX)
    for i in range(load.shape[0]):
        load[i] = tau[i] - load[i] - arm[i, VISCOUS] * qd[i] + UNSIGNED


def accelerate(arm: Array, slide: Array, work: Array, load: Array, factors: Array, qdd: Array) -> int:
    """qdd for joints that slide in the direction `slide` (+1, -1) or stick (0); after `balance`.

    Returns -1, or a joint without inertia.
    """
    n = load.shape[0]
    # Row and column of a joint that sticks become rows of the identity: the matrix stays positive definite,
    # and one factorisation of one size suffices for any set of joints that stick.
    for i in range(n):
        for j in range(i + 1):
            factors[i, j] = work[i, MATRIX + j]
        qdd[i] = load[i]
        if slide[i] > 0.0:
            qdd[i] -= arm[i, COULOMB_PLUS]
        elif slide[i] < 0.0:
            qdd[i] += arm[i, COULOMB_MINUS]
        else:
            qdd[i] = 0.0
            for j in range(i):
                factors[i, j] = 0.0
            factors[i, i] = 1.0
    for j in range(n):
        if slide[j] == 0.0:
            for i in range(j + 1, n):
                factors[i, j] = 0.0
    singular = factor(factors, 0, n)
    if singular < 0:
        solve(factors, 0, n, qdd)
        for i in range(n):
            if slide[i] == 0.0:
                qdd[i] = 0.0
    return singular


def holding_torque(i: int, work: Array, load: Array, qdd: Array) -> float:
    """The friction torque that keeps joint i at rest while the others accelerate by qdd; after `balance`."""
    total: float = load[i]
    for j in range(load.shape[0]):
        if j <= i:
            total -= work[i, MATRIX + j] * qdd[j]
        else:
            total -= work[j, MATRIX + i] * qdd[j]
    return total


def excess(arm: Array, i: int, torque: float) -> float:
    """Excess of a friction torque over the limit of joint i: negative while it sticks."""
    plus: float = arm[i, COULOMB_PLUS]
    minus: float = arm[i, COULOMB_MINUS]
    return max(torque - plus, -minus - torque) - SLACK * (plus + minus)


def dry(arm: Array, i: int) -> bool:
    """True if joint i has Coulomb friction."""
    return bool(arm[i, COULOMB_PLUS] > 0.0 or arm[i, COULOMB_MINUS] > 0.0)


def at_rest(arm: Array, i: int, rate: float, slide: float) -> bool:
    """True if joint i sticks, or has just stopped: it no longer moves in the direction in which it slid."""
    if not dry(arm, i):
        return False
    return slide * rate < 0.0 or rate == 0.0


def decide(
    arm: Array, qd: Array, slide: Array, work: Array, load: Array, factors: Array, qdd: Array, new: Array
) -> int:
    """Write which joints now stick and slide into new: 0, +1 or -1; after `balance`.

    Moving joints keep sliding. Joints at rest are decided together: the first that contradicts the conditions
    above changes its state, until none does. It terminates by Murty's theorem for matrices with positive
    principal minors: Note on a Bard-type Scheme for Solving the Complementarity Problem, Opsearch 11,
    1974. It stops after PIVOTS changes per joint. Returns -1, or a joint without inertia.
    """
    n = load.shape[0]
    for i in range(n):
        new[i] = slide[i]
        if not dry(arm, i):
            new[i] = 1.0
        elif slide[i] * qd[i] < 0.0:
            new[i] = 0.0
        elif slide[i] == 0.0 and qd[i] != 0.0:
            new[i] = 1.0 if qd[i] > 0.0 else -1.0
    for _ in range(PIVOTS * n):
        singular = accelerate(arm, new, work, load, factors, qdd)
        if singular >= 0:
            return singular
        changed = -1  # only the first joint, by Murty's rule: changing all together may cycle
        for i in range(n):
            if changed < 0 and at_rest(arm, i, qd[i], slide[i]):
                if new[i] == 0.0:
                    torque = holding_torque(i, work, load, qdd)
                    if excess(arm, i, torque) > 0.0:
                        changed = i
                        new[i] = 1.0 if torque > 0.0 else -1.0
                elif new[i] * qdd[i] <= 0.0:
                    changed = i
                    new[i] = 0.0
        if changed < 0:
            return -1
    return -1
