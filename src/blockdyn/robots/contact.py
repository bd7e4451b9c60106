"""A surface guides a tool while joints with friction stick or slide.

With M qdd + f = b + A^T lam and A qdd = a, where f is the torque of Coulomb friction,

    a joint that slides has f_i = +T+_i or -T-_i, against its motion;
    a joint that sticks has qdd_i = 0, and -T-_i <= f_i <= T+_i;
    a joint at rest starts in the direction in which friction cannot hold it.

qdd has exactly one solution, the minimum of a strictly convex function under linear equations (Gauss's
principle). f and lam are not unique if sticking joints alone hold the tool: for rigid bodies the
shares of the joints and the surface are indeterminate. The lam with the least sum of squares is used, the
limit of a surface with a compliance that goes to zero: friction carries as much as it can. Then a joint may
be at rest with its friction at the bound, pinned by the other joints and by the surface, which carries the
remainder.

`slide` of a joint is 1 or -1 if it slides, 0 if it sticks, 1/2 or -1/2 if it is pinned.
Pfeiffer, Glocker, Multibody Dynamics with Unilateral Contacts, 1996.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

from .friction import PIVOTS, dry, excess
from .mechanics.bodies import GRAVITY, MATRIX, Array, positions, velocities
from .mechanics.constraints import Equations, baumgarte, constrained_dynamics, least_motion, tool_constraint
from .mechanics.jacobian_rate import tool_velocity
from .mechanics.kinematics import BODY, tool_axis, tool_point
from .mechanics.mass_matrix import forwards
from .model.table import COULOMB_MINUS, COULOMB_PLUS, VISCOUS


class Guide(NamedTuple):
    """Je [v; w] = 0 on the velocity of the tool, in world or tool axes, and the correction of drift."""

    Je: Array  # (m, 6)
    Je_dot: Array  # (m, 6), its derivative in the same axes
    frame_code: float  # BODY or WORLD
    plane: Array  # (m,): 1 for rows that keep the tool on a plane through `point`
    point: Array  # (3,), m
    project: float  # not 0: rates are projected; 0: accelerations are corrected
    gain: float  # 1/s, the rate of correction


class Workspace(NamedTuple):
    """An arm's table, and workspace for its motion under a guide of m rows."""

    arm: Array
    work: Array
    J: Array  # (6, n)
    E: Array  # (m, 6): Je in world axes
    E_rate: Array  # (m, 6)
    drift: Array  # (m,) = dA/dt qd
    violation: Array  # (m,), m: distances from the planes
    equations: Equations  # A = E J
    change: Array  # (n,), of rates


def aim(room: Workspace, guide: Guide, position: Array, velocity: Array) -> None:
    """Compute the equations A qdd = target that guide the tool; also E, A = E J and violation."""
    A, target = room.equations.A, room.equations.target
    in_world(room, guide, position, velocity)
    compute_violation(room, guide)
    constrain(room, position, velocity)
    if guide.project != 0.0:
        for k in range(target.shape[0]):
            target[k] = -room.drift[k] - guide.gain * project_velocity(A, k, velocity)
    else:
        baumgarte(A, velocity, room.drift, room.violation, 1.0, guide.gain, target)


def constrain(room: Workspace, position: Array, velocity: Array) -> None:
    """A = E J and the drift; after `in_world`."""
    A = room.equations.A
    tool_constraint(room.arm, position, velocity, room.E, room.E_rate, room.work, room.J, A, room.drift)


def project_velocity(A: Array, k: int, velocity: Array) -> float:
    """The speed along row k of A, which the constraint makes zero."""
    total = 0.0
    for i in range(velocity.shape[0]):
        total += A[k, i] * velocity[i]
    return total


def in_world(room: Workspace, guide: Guide, position: Array, velocity: Array) -> None:
    """Je and its derivative in world axes, into E and E_rate; leaves `positions` in work.

    With R the tool's axes, a row (a, b) in them is (R a, R b) in the world; d(R a)/dt = R da/dt + w x R a.
    """
    arm, work, E, E_rate = room.arm, room.work, room.E, room.E_rate
    Je, Je_dot = guide.Je, guide.Je_dot
    positions(arm, position, work)
    velocities(arm, velocity, work)
    for k in range(Je.shape[0]):
        for r in range(6):
            E[k, r] = Je[k, r]
            E_rate[k, r] = Je_dot[k, r]
    if int(guide.frame_code) != BODY:
        return
    ax, ay, az = tool_axis(arm, work, 0)
    bx, by, bz = tool_axis(arm, work, 1)
    cx, cy, cz = tool_axis(arm, work, 2)
    _, _, _, wx, wy, wz = tool_velocity(arm, work)
    for k in range(Je.shape[0]):
        for at in range(0, 6, 3):
            x, y, z = Je[k, at], Je[k, at + 1], Je[k, at + 2]
            ux, uy, uz = Je_dot[k, at], Je_dot[k, at + 1], Je_dot[k, at + 2]
            x, y, z = ax * x + bx * y + cx * z, ay * x + by * y + cy * z, az * x + bz * y + cz * z
            E[k, at], E[k, at + 1], E[k, at + 2] = x, y, z
            E_rate[k, at] = ax * ux + bx * uy + cx * uz + wy * z - wz * y
            E_rate[k, at + 1] = ay * ux + by * uy + cy * uz + wz * x - wx * z
            E_rate[k, at + 2] = az * ux + bz * uy + cz * uz + wx * y - wy * x


def compute_violation(room: Workspace, guide: Guide) -> None:
    """Distance of the tool from the planes, into violation, 0 for other rows; needs `positions`."""
    x, y, z = tool_point(room.arm, room.work)
    E, plane, point = room.E, guide.plane, guide.point
    for k in range(E.shape[0]):
        room.violation[k] = plane[k] * (
            E[k, 0] * (x - point[0]) + E[k, 1] * (y - point[1]) + E[k, 2] * (z - point[2])
        )


# Fraction of a joint's motion that the constraints must leave for it to count as free. Rounding leaves about
# 1e-16 of it, times the condition of the rows; a fraction due to geometry is many orders larger.
LOCKED = 1e-7
PINNED = 0.5


class Joints(NamedTuple):
    """Workspace to determine the joints that stick and slide, n joints on a surface of m rows."""

    C: Array  # (n + m, n): all equations, of joints at rest and of the surface
    goal: Array  # (n + m,): the required C qdd or C qd
    force: Array  # (n + m,): multipliers of C
    load: Array  # (n,): torques, without friction of the joints that stick
    span: Array  # (m, m): orthonormal rows
    friction_now: Array  # (n,): torques of Coulomb friction
    multipliers: Array  # (m,): of the surface
    trial: Array  # (n,): accelerations
    column: Array  # (n,)
    at_rest: Array  # (n,): 1 for joints at rest


def hold(room: Workspace, joints: Joints, slide: Array) -> None:
    """All equations C qd = 0: for joints that stick or are pinned (n rows, else 0), then for the surface."""
    A, C = room.equations.A, joints.C
    m, n = A.shape
    for i in range(n):
        for j in range(n):
            C[i, j] = 0.0
        if abs(slide[i]) < 1.0:
            C[i, i] = 1.0
        joints.goal[i] = 0.0
    for k in range(m):
        for j in range(n):
            C[n + k, j] = A[k, j]


def share(
    room: Workspace, joints: Joints, position: Array, velocity: Array, tau: Array, wrench: Array,
    slide: Array, lam: Array, qdd: Array,
) -> int:  # fmt: skip
    """qdd, lam and friction_now of the joints that stick; `slide` is the state of each joint.

    The equations in room are the surface. Returns -1, or a joint without inertia. The factor of the mass
    matrix stays in work, the basis of C in basis.
    """
    arm, surface, A = room.arm, room.equations, room.equations.A
    load, friction, force = joints.load, joints.friction_now, joints.force
    m, n = A.shape
    hold(room, joints, slide)
    for i in range(n):
        load[i] = tau[i] - arm[i, VISCOUS] * velocity[i]
        if slide[i] > 0.0:
            load[i] -= arm[i, COULOMB_PLUS]
        elif slide[i] < 0.0:
            load[i] += arm[i, COULOMB_MINUS]
    for k in range(m):
        joints.goal[n + k] = surface.target[k]
    equations = Equations(joints.C, joints.goal, surface.basis, surface.lower)
    status = constrained_dynamics(
        arm, position, velocity, load, wrench, GRAVITY, equations, room.work, force, qdd
    )
    if status < 0:
        return -1 - status
    for i in range(n):  # the torques of all constraints at the joints
        friction[i] = force[i]
        for k in range(m):
            friction[i] += A[k, i] * force[n + k]
    _least(slide, A, friction, joints.span, lam)
    for i in range(n):
        if abs(slide[i]) < 1.0:
            qdd[i] = 0.0  # exactly: a rounding remainder would creep
        for k in range(m):
            friction[i] -= A[k, i] * lam[k]
        friction[i] = -friction[i]
    return -1


def _least(slide: Array, A: Array, felt: Array, span: Array, lam: Array) -> None:
    """The least lam with (A^T lam)_i = felt_i at the joints that do not stick; span (m, m) is workspace.

    The columns of A of these joints are made orthonormal one by one (Gram and Schmidt, twice), and lam grows
    along each new direction until the torque of its joint is felt_i: the solution within their span, which
    is the shortest.
    """
    m, n = A.shape
    rank, length = 0, 0.0
    for k in range(m):
        lam[k] = 0.0
        for i in range(n):
            length += A[k, i] * A[k, i]
    for i in range(n):
        if slide[i] == 0.0 or rank == m:
            continue
        for k in range(m):
            span[rank, k] = A[k, i]
        for _ in range(2):  # the second pass removes the remainder from rounding
            for r in range(rank):
                along = 0.0
                for k in range(m):
                    along += span[rank, k] * span[r, k]
                for k in range(m):
                    span[rank, k] -= along * span[r, k]
        remainder, missing = 0.0, felt[i]
        for k in range(m):
            remainder += span[rank, k] * span[rank, k]
            missing -= A[k, i] * lam[k]
        if remainder > LOCKED * LOCKED * length:
            remainder = sqrt(remainder)
            for k in range(m):
                span[rank, k] /= remainder
                lam[k] += missing / remainder * span[rank, k]
            rank += 1


def correct(room: Workspace, joints: Joints, position: Array, slide: Array) -> None:
    """The least change with A change = target that does not move sticking joints."""
    surface = room.equations
    m, n = surface.A.shape
    hold(room, joints, slide)
    for k in range(m):
        joints.goal[n + k] = surface.target[k]
    equations = Equations(joints.C, joints.goal, surface.basis, surface.lower)
    least_motion(room.arm, position, equations, room.work, room.change)
    for i in range(n):
        if abs(slide[i]) < 1.0:
            room.change[i] = 0.0


def creep(room: Workspace, joints: Joints, position: Array, slide: Array, lam: Array) -> None:
    """Motion of the joints that do not stick if the surface yields by lam: A change = -lam."""
    surface = room.equations
    m, n = surface.A.shape
    hold(room, joints, slide)
    for i in range(n):
        if slide[i] != 0.0:
            joints.C[i, i] = 0.0
    for k in range(m):
        joints.goal[n + k] = -lam[k]
    equations = Equations(joints.C, joints.goal, surface.basis, surface.lower)
    least_motion(room.arm, position, equations, room.work, room.change)


def leaves_no_motion(room: Workspace, joints: Joints, i: int) -> bool:
    """True if the equations C do not allow joint i to move; after `share`.

    The joint's direction in the metric of M^-1 minus its components along the basis of C is then 0.
    """
    basis, column = room.equations.basis, joints.column
    n = column.shape[0]
    for j in range(n):
        column[j] = 0.0
    column[i] = 1.0
    forwards(room.work, MATRIX, n, column)
    length = 0.0
    for j in range(n):
        length += column[j] * column[j]
    for r in range(basis.shape[0]):
        along = 0.0
        for j in range(n):
            along += column[j] * basis[r, j]
        for j in range(n):
            column[j] -= along * basis[r, j]
    remainder = 0.0
    for j in range(n):
        remainder += column[j] * column[j]
    return remainder <= LOCKED * LOCKED * length


def resting(arm: Array, i: int, rate: float, slide: float) -> bool:
    """True if joint i is at rest, or has just stopped."""
    if not dry(arm, i):
        return False
    return abs(slide) < 1.0 or slide * rate <= 0.0


def decide(
    room: Workspace, joints: Joints, position: Array, velocity: Array, tau: Array, wrench: Array,
    slide: Array, new: Array,
) -> None:  # fmt: skip
    """Write which joints now stick, slide or are pinned into new, and which are at rest into at_rest.

    Moving joints keep sliding, unless they cannot move without a joint at rest: then they count as at rest
    (1, else 0). The joints at rest are decided together, as in `friction.decide`, by Murty's rule.
    """
    arm, lam, qdd, friction = room.arm, joints.multipliers, joints.trial, joints.friction_now
    at_rest, change = joints.at_rest, room.change
    n = slide.shape[0]
    for i in range(n):
        at_rest[i] = 1.0 if resting(arm, i, velocity[i], slide[i]) else 0.0
        new[i] = 1.0 if not dry(arm, i) else 1.0 if slide[i] > 0.0 else -1.0
        if at_rest[i] == 1.0:
            new[i] = 0.0
    share(room, joints, position, velocity, tau, wrench, new, lam, qdd)
    for i in range(n):
        if at_rest[i] == 0.0 and dry(arm, i) and leaves_no_motion(room, joints, i):
            at_rest[i] = 1.0
            new[i] = 0.0
    for _ in range(PIVOTS * n):
        for i in range(n):
            # pinned joints are determined again for each set of joints that stick
            if at_rest[i] == 1.0 and new[i] != 0.0:
                new[i] = 1.0 if new[i] > 0.0 else -1.0
        share(room, joints, position, velocity, tau, wrench, new, lam, qdd)
        pinned = False
        for i in range(n):
            if at_rest[i] == 1.0 and new[i] != 0.0 and leaves_no_motion(room, joints, i):
                new[i] *= PINNED
                pinned = True
        if pinned:
            share(room, joints, position, velocity, tau, wrench, new, lam, qdd)
            creep(room, joints, position, new, lam)
        changed = -1  # only the first joint, by Murty's rule: changing all together may cycle
        for i in range(n):
            if changed < 0 and at_rest[i] == 1.0:
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
