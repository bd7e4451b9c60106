"""The Jacobian's time derivative, as a matrix and as its product with the joint rates."""

from __future__ import annotations

from ..model.table import COORDINATE, PARENT, PRISMATIC, RATIO, TIP
from .bodies import (
    ORIGIN,
    ROTATION,
    SPEED,
    TURN,
    UNSIGNED,
    Array,
    positions,
    put_column,
    unsigned,
    value,
    velocities,
)
from .kinematics import BODY, SPACE, columns, tool_axis, tool_point


def tool_velocity(arm: Array, work: Array) -> tuple[float, float, float, float, float, float]:
    """Velocity of the tool's origin and angular velocity, world axes; needs `positions`, `velocities`."""
    tip = int(arm[arm.shape[0] - 1, TIP])
    if tip < 0:
        return 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    x, y, z = tool_point(arm, work)
    x, y, z = x - work[tip, ORIGIN], y - work[tip, ORIGIN + 1], z - work[tip, ORIGIN + 2]
    wx, wy, wz = work[tip, TURN], work[tip, TURN + 1], work[tip, TURN + 2]
    vx = work[tip, SPEED] + wy * z - wz * y
    vy = work[tip, SPEED + 1] + wz * x - wx * z
    vz = work[tip, SPEED + 2] + wx * y - wy * x
    return vx, vy, vz, wx, wy, wz


def jacobian_rate(arm: Array, q: Array, qd: Array, frame: int, work: Array, Jd: Array) -> None:
    """dJ/dt at (q, qd), written into Jd (6, n); `frame` is WORLD, BODY or SPACE.

    Derivative of the columns in Siciliano et al., Robotics, 2009, section 3.1.3.
    """
    positions(arm, q, work)
    velocities(arm, qd, work)
    if frame == BODY:
        _rate_in_body(arm, work, Jd)
    else:
        column_rates(arm, work, Jd)
        if frame == SPACE:
            _to_space(arm, work, Jd)
    unsigned(Jd)


def column_rates(arm: Array, work: Array, Jd: Array) -> None:
    """The derivative in the world frame; needs `positions` and `velocities`."""
    n = arm.shape[0] - 1
    for i in range(Jd.shape[1]):
        for k in range(6):
            Jd[k, i] = 0.0
    x, y, z = tool_point(arm, work)
    vx, vy, vz, _, _, _ = tool_velocity(arm, work)
    i = int(arm[n, TIP])
    while i >= 0:
        ax, ay, az = work[i, ROTATION + 2], work[i, ROTATION + 5], work[i, ROTATION + 8]
        wx, wy, wz = work[i, TURN], work[i, TURN + 1], work[i, TURN + 2]
        sx, sy, sz = wy * az - wz * ay, wz * ax - wx * az, wx * ay - wy * ax
        if arm[i, PRISMATIC] != 0.0:
            put_column(arm, i, Jd, 0, sx, sy, sz)
        else:
            rx, ry, rz = x - work[i, ORIGIN], y - work[i, ORIGIN + 1], z - work[i, ORIGIN + 2]
            ux, uy, uz = vx - work[i, SPEED], vy - work[i, SPEED + 1], vz - work[i, SPEED + 2]
            tx = sy * rz - sz * ry + ay * uz - az * uy
            ty = sz * rx - sx * rz + az * ux - ax * uz
            tz = sx * ry - sy * rx + ax * uy - ay * ux
            put_column(arm, i, Jd, 0, tx, ty, tz)
            put_column(arm, i, Jd, 3, sx, sy, sz)
        i = int(arm[i, PARENT])


def _rate_in_body(arm: Array, work: Array, Jd: Array) -> None:
    """R^T (dJ/dt - w x J), with J in the world frame."""
    column_rates(arm, work, Jd)
    n = arm.shape[0] - 1
    a, d, g = tool_axis(arm, work, 0)
    b, e, h = tool_axis(arm, work, 1)
    c, f, k = tool_axis(arm, work, 2)
    px, py, pz = tool_point(arm, work)
    _, _, _, wx, wy, wz = tool_velocity(arm, work)
    i = int(arm[n, TIP])
    while i >= 0:
        column, ratio = int(arm[i, COORDINATE]), arm[i, RATIO]
        ax, ay, az = work[i, ROTATION + 2], work[i, ROTATION + 5], work[i, ROTATION + 8]
        lx, ly, lz = ax, ay, az
        if arm[i, PRISMATIC] == 0.0:
            rx, ry, rz = px - work[i, ORIGIN], py - work[i, ORIGIN + 1], pz - work[i, ORIGIN + 2]
            lx, ly, lz = ay * rz - az * ry, az * rx - ax * rz, ax * ry - ay * rx
            Jd[3, column] -= ratio * (wy * az - wz * ay)
            Jd[4, column] -= ratio * (wz * ax - wx * az)
            Jd[5, column] -= ratio * (wx * ay - wy * ax)
        Jd[0, column] -= ratio * (wy * lz - wz * ly)
        Jd[1, column] -= ratio * (wz * lx - wx * lz)
        Jd[2, column] -= ratio * (wx * ly - wy * lx)
        i = int(arm[i, PARENT])
    shared, mover = n > Jd.shape[1], int(arm[n, TIP])
    for i in range(Jd.shape[1] - 1, -1, -1):
        if i != mover and not shared:
            continue
        mover = int(arm[i, PARENT])
        for at in range(0, 6, 3):
            x, y, z = Jd[at, i], Jd[at + 1, i], Jd[at + 2, i]
            Jd[at, i] = a * x + d * y + g * z
            Jd[at + 1, i] = b * x + e * y + h * z
            Jd[at + 2, i] = c * x + f * y + k * z


def _to_space(arm: Array, work: Array, Jd: Array) -> None:
    """Add d/dt of p x w, where p is the tool's origin."""
    n = arm.shape[0] - 1
    x, y, z = tool_point(arm, work)
    vx, vy, vz, _, _, _ = tool_velocity(arm, work)
    i = int(arm[n, TIP])
    while i >= 0:
        if arm[i, PRISMATIC] == 0.0:
            column, ratio = int(arm[i, COORDINATE]), arm[i, RATIO]
            ax, ay, az = work[i, ROTATION + 2], work[i, ROTATION + 5], work[i, ROTATION + 8]
            wx, wy, wz = work[i, TURN], work[i, TURN + 1], work[i, TURN + 2]
            sx, sy, sz = wy * az - wz * ay, wz * ax - wx * az, wx * ay - wy * ax
            Jd[0, column] += ratio * (y * sz - z * sy + vy * az - vz * ay)
            Jd[1, column] += ratio * (z * sx - x * sz + vz * ax - vx * az)
            Jd[2, column] += ratio * (x * sy - y * sx + vx * ay - vy * ax)
        i = int(arm[i, PARENT])


def rate_times_rates(arm: Array, q: Array, qd: Array, frame: int, work: Array, a: Array) -> None:
    """(dJ/dt) qd, written into a (6,): the acceleration of the tool with qdd = 0, in that frame.

    In the world frame it is the acceleration of the tool's origin and the angular acceleration. O(n).
    """
    positions(arm, q, work)
    velocities(arm, qd, work)
    a[0], a[1], a[2], a[3], a[4], a[5] = drift_of_tool(arm, qd, work)
    if frame == BODY:
        _acceleration_in_body(arm, work, a)
    elif frame == SPACE:
        x, y, z = tool_point(arm, work)
        vx, vy, vz, wx, wy, wz = tool_velocity(arm, work)
        a[0] += y * a[5] - z * a[4] + vy * wz - vz * wy
        a[1] += z * a[3] - x * a[5] + vz * wx - vx * wz
        a[2] += x * a[4] - y * a[3] + vx * wy - vy * wx
    for k in range(6):
        a[k] += UNSIGNED


def jacobian_and_drift(
    arm: Array, q: Array, qd: Array, work: Array, J: Array
) -> tuple[float, float, float, float, float, float]:
    """Write J (6, n) in the world frame, and return (dJ/dt) qd."""
    positions(arm, q, work)
    velocities(arm, qd, work)
    columns(arm, work, J)
    return drift_of_tool(arm, qd, work)


def drift_of_tool(arm: Array, qd: Array, work: Array) -> tuple[float, float, float, float, float, float]:
    """(dJ/dt) qd in the world frame; needs `positions` and `velocities`."""
    x, y, z = tool_point(arm, work)
    vx, vy, vz, _, _, _ = tool_velocity(arm, work)
    px, py, pz, rx, ry, rz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    i = int(arm[arm.shape[0] - 1, TIP])
    while i >= 0:
        rate = value(arm, i, qd)
        ax, ay, az = work[i, ROTATION + 2] * rate, work[i, ROTATION + 5] * rate, work[i, ROTATION + 8] * rate
        tx, ty, tz = work[i, TURN], work[i, TURN + 1], work[i, TURN + 2]
        sx, sy, sz = ty * az - tz * ay, tz * ax - tx * az, tx * ay - ty * ax
        if arm[i, PRISMATIC] != 0.0:
            px, py, pz = px + sx, py + sy, pz + sz
        else:
            dx, dy, dz = x - work[i, ORIGIN], y - work[i, ORIGIN + 1], z - work[i, ORIGIN + 2]
            ux, uy, uz = vx - work[i, SPEED], vy - work[i, SPEED + 1], vz - work[i, SPEED + 2]
            px += sy * dz - sz * dy + ay * uz - az * uy
            py += sz * dx - sx * dz + az * ux - ax * uz
            pz += sx * dy - sy * dx + ax * uy - ay * ux
            rx, ry, rz = rx + sx, ry + sy, rz + sz
        i = int(arm[i, PARENT])
    return px, py, pz, rx, ry, rz


def _acceleration_in_body(arm: Array, work: Array, a: Array) -> None:
    """R^T (a - w x v) and R^T of the angular part."""
    vx, vy, vz, wx, wy, wz = tool_velocity(arm, work)
    a[0] -= wy * vz - wz * vy
    a[1] -= wz * vx - wx * vz
    a[2] -= wx * vy - wy * vx
    ax, ay, az = tool_axis(arm, work, 0)
    bx, by, bz = tool_axis(arm, work, 1)
    cx, cy, cz = tool_axis(arm, work, 2)
    for at in range(0, 6, 3):
        x, y, z = a[at], a[at + 1], a[at + 2]
        a[at] = ax * x + ay * y + az * z
        a[at + 1] = bx * x + by * y + bz * z
        a[at + 2] = cx * x + cy * y + cz * z
