"""The Coriolis matrix that makes Mdot - 2 C skew-symmetric."""

from __future__ import annotations

from ..model.table import PARENT, PRISMATIC
from .bodies import (
    COLUMNS,
    FIRST,
    HEAVY,
    MATRIX,
    MOMENTUM,
    REACH,
    ROTATION,
    SECOND,
    SPEED,
    SWIRL,
    THRUST,
    TURN,
    Array,
    gather_both,
    hand_over,
    inertias,
    positions,
    unsigned,
    velocities,
)

AXIS_RATE = THRUST  # 6: the joint's screw differentiated with respect to time, linear and angular


def coriolis_matrix(arm: Array, q: Array, qd: Array, work: Array, C: Array) -> None:
    """C(q, qd) of the Christoffel symbols, written into C (n, n): c = C qd, and dM/dt = C + C^T.

    Echeandia, Wensing, Numerical Methods to Compute the Coriolis Matrix and Christoffel Symbols for
    Rigid-Body Systems, J. Comput. Nonlinear Dynam. 16(9), 2021: O(n d) for a tree of depth d. Their body
    factor, about a point of the body with velocity v, for angular velocity w, mass m, first
    moment c and inertia J, is

        B = [0, -[m v + w x c]; 0, (c.v) 1 - v c^T - [w] (tr(J)/2 1 - J)]        ([a] b = a x b)

    on (linear, angular) vectors; MOMENTUM and SWIRL hold its two blocks.
    """
    positions(arm, q, work)
    velocities(arm, qd, work)
    inertias(arm, work)
    n = C.shape[0]
    if n == arm.shape[0] - 1:
        _of_joints(arm, work, C, 0)
    else:
        _of_joints(arm, work, work, MATRIX + n + COLUMNS)
        gather_both(arm, work, C, 0)
    unsigned(C)


def _of_joints(arm: Array, work: Array, C: Array, at: int) -> None:
    """The matrix of the joints into C[:, at:]."""
    n = arm.shape[0] - 1
    for i in range(n):
        _body_factor(work, i)
        _axis_rate(arm, work, i)
        for j in range(n):
            C[i, at + j] = 0.0
    for i in range(n - 1, -1, -1):
        _fill(arm, work, i, C, at)
        hand_over(arm, work, i)
        _hand_factor_over(arm, work, i)


def _body_factor(work: Array, i: int) -> None:
    m, cx, cy, cz = work[i, HEAVY], work[i, FIRST], work[i, FIRST + 1], work[i, FIRST + 2]
    vx, vy, vz = work[i, SPEED], work[i, SPEED + 1], work[i, SPEED + 2]
    wx, wy, wz = work[i, TURN], work[i, TURN + 1], work[i, TURN + 2]
    work[i, MOMENTUM] = m * vx + wy * cz - wz * cy
    work[i, MOMENTUM + 1] = m * vy + wz * cx - wx * cz
    work[i, MOMENTUM + 2] = m * vz + wx * cy - wy * cx
    xx, yy, zz = work[i, SECOND], work[i, SECOND + 1], work[i, SECOND + 2]
    xy, xz, yz = -work[i, SECOND + 3], -work[i, SECOND + 4], -work[i, SECOND + 5]
    half, dot = 0.5 * (xx + yy + zz), cx * vx + cy * vy + cz * vz
    xx, yy, zz = half - xx, half - yy, half - zz
    work[i, SWIRL] = dot - vx * cx - (wy * xz - wz * xy)
    work[i, SWIRL + 1] = -vx * cy - (wy * yz - wz * yy)
    work[i, SWIRL + 2] = -vx * cz - (wy * zz - wz * yz)
    work[i, SWIRL + 3] = -vy * cx - (wz * xx - wx * xz)
    work[i, SWIRL + 4] = dot - vy * cy - (wz * xy - wx * yz)
    work[i, SWIRL + 5] = -vy * cz - (wz * xz - wx * zz)
    work[i, SWIRL + 6] = -vz * cx - (wx * xy - wy * xx)
    work[i, SWIRL + 7] = -vz * cy - (wx * yy - wy * xy)
    work[i, SWIRL + 8] = dot - vz * cz - (wx * yz - wy * xz)


def _axis_rate(arm: Array, work: Array, i: int) -> None:
    ax, ay, az = work[i, ROTATION + 2], work[i, ROTATION + 5], work[i, ROTATION + 8]
    vx, vy, vz = work[i, SPEED], work[i, SPEED + 1], work[i, SPEED + 2]
    wx, wy, wz = work[i, TURN], work[i, TURN + 1], work[i, TURN + 2]
    sx, sy, sz = wy * az - wz * ay, wz * ax - wx * az, wx * ay - wy * ax
    if arm[i, PRISMATIC] != 0.0:
        work[i, AXIS_RATE], work[i, AXIS_RATE + 1], work[i, AXIS_RATE + 2] = sx, sy, sz
        work[i, AXIS_RATE + 3], work[i, AXIS_RATE + 4], work[i, AXIS_RATE + 5] = 0.0, 0.0, 0.0
    else:
        work[i, AXIS_RATE] = vy * az - vz * ay
        work[i, AXIS_RATE + 1] = vz * ax - vx * az
        work[i, AXIS_RATE + 2] = vx * ay - vy * ax
        work[i, AXIS_RATE + 3], work[i, AXIS_RATE + 4], work[i, AXIS_RATE + 5] = sx, sy, sz


def _fill(arm: Array, work: Array, i: int, C: Array, at: int) -> None:
    """Row and column i up to the diagonal, with I the inertia beyond joint i, B its factor, S its screw."""
    ax, ay, az = work[i, ROTATION + 2], work[i, ROTATION + 5], work[i, ROTATION + 8]
    m, cx, cy, cz = work[i, HEAVY], work[i, FIRST], work[i, FIRST + 1], work[i, FIRST + 2]
    mx, my, mz = work[i, MOMENTUM], work[i, MOMENTUM + 1], work[i, MOMENTUM + 2]
    sx, sy, sz = work[i, AXIS_RATE], work[i, AXIS_RATE + 1], work[i, AXIS_RATE + 2]
    rx, ry, rz = work[i, AXIS_RATE + 3], work[i, AXIS_RATE + 4], work[i, AXIS_RATE + 5]
    xx, yy, zz = work[i, SECOND], work[i, SECOND + 1], work[i, SECOND + 2]
    xy, xz, yz = work[i, SECOND + 3], work[i, SECOND + 4], work[i, SECOND + 5]
    # f, t = I dS/dt + B S
    fx, fy, fz = m * sx + ry * cz - rz * cy, m * sy + rz * cx - rx * cz, m * sz + rx * cy - ry * cx
    tx = cy * sz - cz * sy + xx * rx + xy * ry + xz * rz
    ty = cz * sx - cx * sz + xy * rx + yy * ry + yz * rz
    tz = cx * sy - cy * sx + xz * rx + yz * ry + zz * rz
    # g, u = I S and w = the angular part of B^T S, whose linear part is 0
    if arm[i, PRISMATIC] != 0.0:
        gx, gy, gz = m * ax, m * ay, m * az
        ux, uy, uz = cy * az - cz * ay, cz * ax - cx * az, cx * ay - cy * ax
        wx, wy, wz = my * az - mz * ay, mz * ax - mx * az, mx * ay - my * ax
        C[i, at + i] = ax * fx + ay * fy + az * fz
    else:
        fx, fy, fz = fx - my * az + mz * ay, fy - mz * ax + mx * az, fz - mx * ay + my * ax
        a, b, c = work[i, SWIRL], work[i, SWIRL + 1], work[i, SWIRL + 2]
        d, e, f = work[i, SWIRL + 3], work[i, SWIRL + 4], work[i, SWIRL + 5]
        g, h, k = work[i, SWIRL + 6], work[i, SWIRL + 7], work[i, SWIRL + 8]
        tx, ty, tz = (
            tx + a * ax + b * ay + c * az,
            ty + d * ax + e * ay + f * az,
            tz + g * ax + h * ay + k * az,
        )
        gx, gy, gz = ay * cz - az * cy, az * cx - ax * cz, ax * cy - ay * cx
        ux, uy, uz = xx * ax + xy * ay + xz * az, xy * ax + yy * ay + yz * az, xz * ax + yz * ay + zz * az
        wx, wy, wz = a * ax + d * ay + g * az, b * ax + e * ay + h * az, c * ax + f * ay + k * az
        C[i, at + i] = ax * tx + ay * ty + az * tz
    j, child = int(arm[i, PARENT]), i
    while j >= 0:
        x, y, z = work[child, REACH], work[child, REACH + 1], work[child, REACH + 2]
        tx, ty, tz = tx + y * fz - z * fy, ty + z * fx - x * fz, tz + x * fy - y * fx
        ux, uy, uz = ux + y * gz - z * gy, uy + z * gx - x * gz, uz + x * gy - y * gx
        ax, ay, az = work[j, ROTATION + 2], work[j, ROTATION + 5], work[j, ROTATION + 8]
        total = work[j, AXIS_RATE] * gx + work[j, AXIS_RATE + 1] * gy + work[j, AXIS_RATE + 2] * gz
        total += work[j, AXIS_RATE + 3] * ux + work[j, AXIS_RATE + 4] * uy + work[j, AXIS_RATE + 5] * uz
        if arm[j, PRISMATIC] != 0.0:
            C[j, at + i] = ax * fx + ay * fy + az * fz
        else:
            C[j, at + i] = ax * tx + ay * ty + az * tz
            total += ax * wx + ay * wy + az * wz
        C[i, at + j] = total
        j, child = int(arm[j, PARENT]), j


def _hand_factor_over(arm: Array, work: Array, i: int) -> None:
    """Add the factor of body i and its load to its parent's factor, about the parent's origin."""
    p = int(arm[i, PARENT])
    if p < 0:
        return
    x, y, z = work[i, REACH], work[i, REACH + 1], work[i, REACH + 2]
    mx, my, mz = work[i, MOMENTUM], work[i, MOMENTUM + 1], work[i, MOMENTUM + 2]
    dot = x * mx + y * my + z * mz
    work[p, MOMENTUM] += mx
    work[p, MOMENTUM + 1] += my
    work[p, MOMENTUM + 2] += mz
    work[p, SWIRL] += work[i, SWIRL] + dot - mx * x
    work[p, SWIRL + 1] += work[i, SWIRL + 1] - mx * y
    work[p, SWIRL + 2] += work[i, SWIRL + 2] - mx * z
    work[p, SWIRL + 3] += work[i, SWIRL + 3] - my * x
    work[p, SWIRL + 4] += work[i, SWIRL + 4] + dot - my * y
    work[p, SWIRL + 5] += work[i, SWIRL + 5] - my * z
    work[p, SWIRL + 6] += work[i, SWIRL + 6] - mz * x
    work[p, SWIRL + 7] += work[i, SWIRL + 7] - mz * y
    work[p, SWIRL + 8] += work[i, SWIRL + 8] + dot - mz * z
