"""Forward dynamics computes joint accelerations by the mass matrix, or by articulated bodies in O(n)."""

from __future__ import annotations

from ..model.table import ARMATURE, PARENT, PRISMATIC
from .bodies import (
    DRIVE,
    FIRST,
    FORCE,
    FRICTION,
    GRAVITY,
    HALF,
    HEAVY,
    MATRIX,
    MOMENTUM,
    PIVOT,
    PUSH,
    REACH,
    ROTATION,
    SECOND,
    THRUST,
    TORQUE,
    TURN_RATE,
    UNSIGNED,
    Array,
    count,
    hand_on,
    inertias,
    positions,
)
from .inverse_dynamics import bias, drift, friction_of, touch_in_world
from .mass_matrix import factor, lower_mass_matrix, solve

# HALF holds, of the 6x6 articulated inertia [[A, H], [H^T, J]]:
A = HALF  # 6: xx yy zz xy xz yz, d force/d PUSH
H = HALF + 6  # 9: row by row, d force/d TURN_RATE
J = HALF + 15  # 6: d torque/d TURN_RATE
WHOLE = MOMENTUM  # trace of the inertia that the joint carries with all joints locked
TINY = 1e-14  # relative to WHOLE: smaller values are rounding, as SMALL of the Cholesky factor


def articulated_body_algorithm(
    arm: Array, q: Array, qd: Array, tau: Array, wrench: Array, terms: int, work: Array, qdd: Array
) -> int:
    """`forward_dynamics` by the articulated-body algorithm, for joints with separate coordinates.

    Featherstone, The Calculation of Robot Dynamics Using Articulated-Body Inertias, Int. J. Robotics Research
    2(1), 1983. Accelerations are relative to the motion with qdd = 0, so `drift` gives all velocity terms.
    Returns -1, or a joint without inertia along it.
    """
    n = arm.shape[0] - 1
    positions(arm, q, work)
    inertias(arm, work)
    drift(arm, qd, terms & GRAVITY, work)
    touch_in_world(arm, wrench, work)
    for i in range(n):
        _start(work, i)
    for i in range(n - 1, -1, -1):
        lost = 0.0
        if terms & FRICTION:
            lost = friction_of(arm, i, qd[i])
        if not _release(arm, work, i, tau[i] - lost):
            return i
        if arm[i, PARENT] >= 0.0:
            _load(work, i, int(arm[i, PARENT]))
    _respond(arm, work, qdd)
    return -1


def _start(work: Array, i: int) -> None:
    """Initialise the articulated inertia with the body's inertia."""
    m, x, y, z = work[i, HEAVY], work[i, FIRST], work[i, FIRST + 1], work[i, FIRST + 2]
    work[i, A], work[i, A + 1], work[i, A + 2] = m, m, m
    work[i, A + 3], work[i, A + 4], work[i, A + 5] = 0.0, 0.0, 0.0
    work[i, H], work[i, H + 1], work[i, H + 2] = 0.0, z, -y
    work[i, H + 3], work[i, H + 4], work[i, H + 5] = -z, 0.0, x
    work[i, H + 6], work[i, H + 7], work[i, H + 8] = y, -x, 0.0
    for k in range(6):
        work[i, J + k] = work[i, SECOND + k]
    work[i, WHOLE] = work[i, SECOND] + work[i, SECOND + 1] + work[i, SECOND + 2]


def _release(arm: Array, work: Array, i: int, tau: float) -> bool:
    """Project out the motion of the joint: THRUST, DRIVE, PIVOT of body i. False without inertia along it."""
    ax, ay, az = work[i, ROTATION + 2], work[i, ROTATION + 5], work[i, ROTATION + 8]
    if arm[i, PRISMATIC] != 0.0:
        xy, xz, yz = work[i, A + 3], work[i, A + 4], work[i, A + 5]
        fx = work[i, A] * ax + xy * ay + xz * az
        fy = xy * ax + work[i, A + 1] * ay + yz * az
        fz = xz * ax + yz * ay + work[i, A + 2] * az
        tx = work[i, H] * ax + work[i, H + 3] * ay + work[i, H + 6] * az
        ty = work[i, H + 1] * ax + work[i, H + 4] * ay + work[i, H + 7] * az
        tz = work[i, H + 2] * ax + work[i, H + 5] * ay + work[i, H + 8] * az
        along = ax * fx + ay * fy + az * fz
        held = ax * work[i, FORCE] + ay * work[i, FORCE + 1] + az * work[i, FORCE + 2]
        scale = work[i, HEAVY]
    else:
        xy, xz, yz = work[i, J + 3], work[i, J + 4], work[i, J + 5]
        fx = work[i, H] * ax + work[i, H + 1] * ay + work[i, H + 2] * az
        fy = work[i, H + 3] * ax + work[i, H + 4] * ay + work[i, H + 5] * az
        fz = work[i, H + 6] * ax + work[i, H + 7] * ay + work[i, H + 8] * az
        tx = work[i, J] * ax + xy * ay + xz * az
        ty = xy * ax + work[i, J + 1] * ay + yz * az
        tz = xz * ax + yz * ay + work[i, J + 2] * az
        along = ax * tx + ay * ty + az * tz
        held = ax * work[i, TORQUE] + ay * work[i, TORQUE + 1] + az * work[i, TORQUE + 2]
        scale = work[i, WHOLE]
    along += arm[i, ARMATURE]
    work[i, THRUST], work[i, THRUST + 1], work[i, THRUST + 2] = fx, fy, fz
    work[i, THRUST + 3], work[i, THRUST + 4], work[i, THRUST + 5] = tx, ty, tz
    work[i, DRIVE] = tau - held
    if not along > TINY * scale:
        return False
    work[i, PIVOT] = 1.0 / along
    return True


def _load(work: Array, i: int, p: int) -> None:
    """Add the articulated inertia and force of body i to its parent body, about the parent's origin."""
    fx, fy, fz = work[i, THRUST], work[i, THRUST + 1], work[i, THRUST + 2]
    tx, ty, tz = work[i, THRUST + 3], work[i, THRUST + 4], work[i, THRUST + 5]
    x, y, z = work[i, REACH], work[i, REACH + 1], work[i, REACH + 2]
    work[p, HEAVY] += work[i, HEAVY]
    work[p, WHOLE] += work[i, WHOLE]
    s = work[i, PIVOT]
    u = s * work[i, DRIVE]
    px, py, pz = work[i, FORCE] + u * fx, work[i, FORCE + 1] + u * fy, work[i, FORCE + 2] + u * fz
    qx, qy, qz = work[i, TORQUE] + u * tx, work[i, TORQUE + 1] + u * ty, work[i, TORQUE + 2] + u * tz
    hand_on(work, p, (x, y, z), (px, py, pz), (qx, qy, qz))
    gx, gy, gz = s * fx, s * fy, s * fz
    axx, ayy, azz = work[i, A] - fx * gx, work[i, A + 1] - fy * gy, work[i, A + 2] - fz * gz
    axy, axz, ayz = work[i, A + 3] - fx * gy, work[i, A + 4] - fx * gz, work[i, A + 5] - fy * gz
    a, b, c = work[i, H] - gx * tx, work[i, H + 1] - gx * ty, work[i, H + 2] - gx * tz
    d, e, f = work[i, H + 3] - gy * tx, work[i, H + 4] - gy * ty, work[i, H + 5] - gy * tz
    g, h, k = work[i, H + 6] - gz * tx, work[i, H + 7] - gz * ty, work[i, H + 8] - gz * tz
    work[p, A] += axx
    work[p, A + 1] += ayy
    work[p, A + 2] += azz
    work[p, A + 3] += axy
    work[p, A + 4] += axz
    work[p, A + 5] += ayz
    # with D = [d x] and H' = H - A D: J + D H' + (D H)^T
    la, lb, lc = a - (axy * z - axz * y), b - (axz * x - axx * z), c - (axx * y - axy * x)
    ld, le, lf = d - (ayy * z - ayz * y), e - (ayz * x - axy * z), f - (axy * y - ayy * x)
    lg, lh, lk = g - (ayz * z - azz * y), h - (azz * x - axz * z), k - (axz * y - ayz * x)
    work[p, H] += la
    work[p, H + 1] += lb
    work[p, H + 2] += lc
    work[p, H + 3] += ld
    work[p, H + 4] += le
    work[p, H + 5] += lf
    work[p, H + 6] += lg
    work[p, H + 7] += lh
    work[p, H + 8] += lk
    tx2, ty2, tz2 = s * tx, s * ty, s * tz
    work[p, J] += work[i, J] - tx * tx2 + y * (g + lg) - z * (d + ld)
    work[p, J + 1] += work[i, J + 1] - ty * ty2 + z * (b + lb) - x * (h + lh)
    work[p, J + 2] += work[i, J + 2] - tz * tz2 + x * (f + lf) - y * (c + lc)
    work[p, J + 3] += work[i, J + 3] - tx * ty2 + y * lh - z * le + z * a - x * g
    work[p, J + 4] += work[i, J + 4] - tx * tz2 + y * lk - z * lf + x * d - y * a
    work[p, J + 5] += work[i, J + 5] - ty * tz2 + z * lc - x * lk + x * e - y * b


def _respond(arm: Array, work: Array, qdd: Array) -> None:
    """The accelerations, from the base outwards; PUSH and TURN_RATE are then relative to the drift."""
    for i in range(arm.shape[0] - 1):
        p = int(arm[i, PARENT])
        ux, uy, uz, px, py, pz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        if p >= 0:
            x, y, z = work[i, REACH], work[i, REACH + 1], work[i, REACH + 2]
            ux, uy, uz = work[p, TURN_RATE], work[p, TURN_RATE + 1], work[p, TURN_RATE + 2]
            px = work[p, PUSH] + uy * z - uz * y
            py = work[p, PUSH + 1] + uz * x - ux * z
            pz = work[p, PUSH + 2] + ux * y - uy * x
        due = work[i, DRIVE]
        due -= work[i, THRUST] * px + work[i, THRUST + 1] * py + work[i, THRUST + 2] * pz
        due -= work[i, THRUST + 3] * ux + work[i, THRUST + 4] * uy + work[i, THRUST + 5] * uz
        rate = due * work[i, PIVOT]
        qdd[i] = rate + UNSIGNED
        ax, ay, az = work[i, ROTATION + 2] * rate, work[i, ROTATION + 5] * rate, work[i, ROTATION + 8] * rate
        if arm[i, PRISMATIC] != 0.0:
            px, py, pz = px + ax, py + ay, pz + az
        else:
            ux, uy, uz = ux + ax, uy + ay, uz + az
        work[i, TURN_RATE], work[i, TURN_RATE + 1], work[i, TURN_RATE + 2] = ux, uy, uz
        work[i, PUSH], work[i, PUSH + 1], work[i, PUSH + 2] = px, py, pz


MOST = 7  # joints up to which the mass matrix is faster than articulated bodies


def forward_dynamics(
    arm: Array, q: Array, qd: Array, tau: Array, wrench: Array, terms: int, work: Array, qdd: Array
) -> int:
    """M(q) qdd = tau + J^T wrench - c(q, qd) - g(q) - f(qd), written into qdd (n,), by the faster method.

    wrench (6,): force and moment that the environment applies to the tool, world axes, at the tool's origin.
    terms: the sum of the included effects, GRAVITY and FRICTION; ARMATURE is always included.
    Returns -1, or a joint along which the mass matrix is singular, with qdd undefined.
    """
    joints = arm.shape[0] - 1
    if joints <= MOST or count(arm) < joints:  # joints that share a coordinate are dependent
        return composite(arm, q, qd, tau, wrench, terms, work, qdd)
    return articulated_body_algorithm(arm, q, qd, tau, wrench, terms, work, qdd)


def composite(
    arm: Array, q: Array, qd: Array, tau: Array, wrench: Array, terms: int, work: Array, qdd: Array
) -> int:
    """`forward_dynamics` by composite inertias and the Cholesky factor, which remains in work at MATRIX.

    O(n^3), with small constants; Featherstone, Rigid Body Dynamics Algorithms, 2008, chapter 6.
    """
    singular = factor_mass_matrix(arm, q, qd, tau, wrench, terms, work, qdd)
    if singular < 0:
        solve(work, MATRIX, qdd.shape[0], qdd)
        for i in range(qdd.shape[0]):
            qdd[i] += UNSIGNED
    return singular


def factor_mass_matrix(
    arm: Array, q: Array, qd: Array, tau: Array, wrench: Array, terms: int, work: Array, forces: Array
) -> int:
    """The Cholesky factor of M(q), in work at MATRIX, and forces = tau + J^T wrench - c - g - f, (n,).

    Returns -1, or a joint along which the mass matrix is singular, with forces undefined.
    """
    n = forces.shape[0]
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
