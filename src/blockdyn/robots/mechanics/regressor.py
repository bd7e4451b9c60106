"""The regressor times the standard parameters of an arm gives the torques of inverse dynamics.

The standard parameters are in the table of `model/table.py`, as inverse dynamics reads them. For each moving
body: mass, first moment (3), inertia about the origin of the body frame (6). For each coordinate: armature,
viscous friction, Coulomb friction against positive and against negative velocity. They are ordered by
bodies, each followed by the drive of the coordinate with the same index; armature or friction can be
omitted. An arm whose joints share coordinates has more bodies than drives: the last bodies have no drive.
"""

from __future__ import annotations

from ..model.table import (
    ARMATURE as MOTOR,
    COORDINATE,
    COULOMB_PLUS,
    COUNT,
    MASS,
    PARENT,
    PRISMATIC,
    RATIO,
    VISCOUS,
)
from .bodies import ARMATURE, FRICTION, GRAVITY, PUSH, REACH, ROTATION, TURN, TURN_RATE, Array
from .inverse_dynamics import outwards

BODY = 10  # parameters of a body: mass, 3 first moments, 6 elements of the inertia
DRY = 2  # Coulomb friction against positive, and against negative velocity


def drive_width(terms: int) -> int:
    """The number of parameters of a drive: armature, viscous and Coulomb friction, if included."""
    width = 0
    if terms & ARMATURE:
        width += 1
    if terms & FRICTION:
        width += 1 + DRY
    return width


def parameter_count(arm: Array, terms: int) -> int:
    """The number of columns of the regressor."""
    return int(BODY * (arm.shape[0] - 1) + drive_width(terms) * arm[arm.shape[0] - 1, COUNT])


def standard_parameters(arm: Array, terms: int, theta: Array) -> None:
    """theta (p,): the parameters in the table, in the order of the regressor's columns."""
    at = 0
    for i in range(arm.shape[0] - 1):
        for k in range(BODY):
            theta[at + k] = arm[i, MASS + k]
        at += BODY
        if i < int(arm[arm.shape[0] - 1, COUNT]):
            if terms & ARMATURE:
                theta[at] = arm[i, MOTOR]
                at += 1
            if terms & FRICTION:
                theta[at] = arm[i, VISCOUS]
                for k in range(DRY):
                    theta[at + 1 + k] = arm[i, COULOMB_PLUS + k]
                at += 1 + DRY


def torque_regressor(arm: Array, q: Array, qd: Array, qdd: Array, terms: int, work: Array, Y: Array) -> None:
    """Y (n, p) of tau = Y(q, qd, qdd) theta, in O(n d), d the depth of the tree.

    q, qd, qdd: (n,). terms: the sum of the included effects, GRAVITY, FRICTION, ARMATURE. Coulomb columns are
    0 at rest. Atkeson, An, Hollerbach, Estimation of Inertial Parameters of Manipulator Loads and Links,
    Int. J. Robotics Research 5(3), 1986; row by row by virtual power: the twist that a unit rate of a joint
    gives to a body, times the wrench for a unit value of each parameter of the body.
    """
    outwards(arm, q, qd, qdd, terms & GRAVITY, work)
    n, width = int(arm[arm.shape[0] - 1, COUNT]), drive_width(terms)
    for r in range(Y.shape[0]):
        for c in range(Y.shape[1]):
            Y[r, c] = 0.0
    for j in range(arm.shape[0] - 1):
        _body_columns(arm, j, BODY * j + width * min(j, n), work, Y)
    for i in range(n):
        at = BODY * (i + 1) + width * i
        if terms & ARMATURE:
            Y[i, at] = qdd[i]
            at += 1
        if terms & FRICTION:
            Y[i, at] = qd[i]
            if qd[i] > 0.0:
                Y[i, at + 1] = 1.0
            elif qd[i] < 0.0:
                Y[i, at + 2] = -1.0


def _body_columns(arm: Array, j: int, at: int, work: Array, Y: Array) -> None:
    """The columns of body j, in the rows of all joints that carry it."""
    # (a ... k) rotates axes of body i to axes of body j; (x, y, z) is the vector from origin i to origin j
    a, b, c, d, e, f, g, h, k = 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0
    x, y, z = 0.0, 0.0, 0.0
    i = j
    while i >= 0:
        # the axis of joint i is the third column: a unit rate rotates body j about it, or moves it along it
        if arm[i, PRISMATIC] != 0.0:
            twist = (c, f, k, 0.0, 0.0, 0.0)
        else:
            twist = (f * z - k * y, k * x - c * z, c * y - f * x, c, f, k)
        _add_power(twist, j, arm[i, RATIO], work, Y, int(arm[i, COORDINATE]), at)
        p = int(arm[i, PARENT])
        if p >= 0:
            a, b, c = _back(work, i, a, b, c)
            d, e, f = _back(work, i, d, e, f)
            g, h, k = _back(work, i, g, h, k)
            u, v, w = work[i, REACH], work[i, REACH + 1], work[i, REACH + 2]
            x += a * u + b * v + c * w
            y += d * u + e * v + f * w
            z += g * u + h * v + k * w
        i = p


def _back(work: Array, i: int, x: float, y: float, z: float) -> tuple[float, float, float]:
    """A row vector times the transpose of body i's rotation in its parent."""
    return (
        work[i, ROTATION] * x + work[i, ROTATION + 1] * y + work[i, ROTATION + 2] * z,
        work[i, ROTATION + 3] * x + work[i, ROTATION + 4] * y + work[i, ROTATION + 5] * z,
        work[i, ROTATION + 6] * x + work[i, ROTATION + 7] * y + work[i, ROTATION + 8] * z,
    )


def _add_power(
    twist: tuple[float, ...], j: int, ratio: float, work: Array, Y: Array, row: int, at: int
) -> None:
    """Add ratio times the power of the twist and the wrench of each unit parameter of body j.

    In the axes of body j, with w its angular velocity, u = dw/dt, a the acceleration of its origin minus
    gravity: mass requires the force a; the moment h the force u x h + w x (w x h) and the torque h x a;
    the inertia the torque I u + w x I w. By the triple product each is linear in the parameters: v.(u
    x h) = h.(v x u), v.(w x (w x h)) = h.((v x w) x w), s.(h x a) = h.(a x s), s.(w x I w) = (s x w).I w.
    """
    vx, vy, vz, sx, sy, sz = twist
    wx, wy, wz = work[j, TURN], work[j, TURN + 1], work[j, TURN + 2]
    ux, uy, uz = work[j, TURN_RATE], work[j, TURN_RATE + 1], work[j, TURN_RATE + 2]
    ax, ay, az = work[j, PUSH], work[j, PUSH + 1], work[j, PUSH + 2]
    lx, ly, lz = vy * wz - vz * wy, vz * wx - vx * wz, vx * wy - vy * wx
    tx, ty, tz = sy * wz - sz * wy, sz * wx - sx * wz, sx * wy - sy * wx
    Y[row, at] += ratio * (vx * ax + vy * ay + vz * az)
    Y[row, at + 1] += ratio * (vy * uz - vz * uy + ly * wz - lz * wy + ay * sz - az * sy)
    Y[row, at + 2] += ratio * (vz * ux - vx * uz + lz * wx - lx * wz + az * sx - ax * sz)
    Y[row, at + 3] += ratio * (vx * uy - vy * ux + lx * wy - ly * wx + ax * sy - ay * sx)
    Y[row, at + 4] += ratio * (sx * ux + tx * wx)
    Y[row, at + 5] += ratio * (sy * uy + ty * wy)
    Y[row, at + 6] += ratio * (sz * uz + tz * wz)
    Y[row, at + 7] += ratio * (sx * uy + sy * ux + tx * wy + ty * wx)
    Y[row, at + 8] += ratio * (sx * uz + sz * ux + tx * wz + tz * wx)
    Y[row, at + 9] += ratio * (sy * uz + sz * uy + ty * wz + tz * wy)


def directions(qd: Array) -> int:
    """The directions of all coordinates as digits to the base 3: 0 at rest, 1 forwards, 2 backwards."""
    code, place = 0, 1
    for i in range(qd.shape[0]):
        if qd[i] > 0.0:
            code += place
        elif qd[i] < 0.0:
            code += 2 * place
        place *= 3
    return code


def set_directions(code: int, terms: int, Y: Array) -> None:
    """The Coulomb columns for these directions, independent of the signs of qd within a step."""
    width = drive_width(terms)
    digits = code
    for i in range(Y.shape[0]):
        at = (BODY + width) * (i + 1) - DRY
        Y[i, at] = 1.0 if digits % 3 == 1 else 0.0
        Y[i, at + 1] = -1.0 if digits % 3 == 2 else 0.0
        digits //= 3
