"""Energy, momentum and centre of mass of an arm are computed, and the torques that hold it."""

from __future__ import annotations

from ..model.table import ARMATURE, GRAVITY, PARENT, PRISMATIC
from .bodies import (
    ALONG,
    FIRST,
    HEAVY,
    ORIGIN,
    REACH,
    ROTATION,
    SECOND,
    SPEED,
    TURN,
    Array,
    gather,
    inertias,
    moments,
    positions,
    velocities,
)


def gravity_load(arm: Array, q: Array, work: Array, tau: Array) -> None:
    """g(q), written into tau (n,): the torques that hold the weight. O(n). Leaves `positions` in work."""
    n = arm.shape[0] - 1
    positions(arm, q, work)
    moments(arm, work)
    gx, gy, gz = arm[n, GRAVITY], arm[n, GRAVITY + 1], arm[n, GRAVITY + 2]
    for i in range(n - 1, -1, -1):
        ax, ay, az = work[i, ROTATION + 2], work[i, ROTATION + 5], work[i, ROTATION + 8]
        m, cx, cy, cz = work[i, HEAVY], work[i, FIRST], work[i, FIRST + 1], work[i, FIRST + 2]
        if arm[i, PRISMATIC] != 0.0:
            work[i, ALONG] = 0.0 - m * (ax * gx + ay * gy + az * gz)
        else:
            tx, ty, tz = cy * gz - cz * gy, cz * gx - cx * gz, cx * gy - cy * gx
            work[i, ALONG] = 0.0 - (ax * tx + ay * ty + az * tz)
        p = int(arm[i, PARENT])
        if p >= 0:
            work[p, HEAVY] += m
            work[p, FIRST] += cx + m * work[i, REACH]
            work[p, FIRST + 1] += cy + m * work[i, REACH + 1]
            work[p, FIRST + 2] += cz + m * work[i, REACH + 2]
    gather(arm, work, tau)


def kinetic_energy(arm: Array, q: Array, qd: Array, work: Array) -> float:
    """qd^T M(q) qd / 2, J: of the bodies and of the motors. O(n)."""
    positions(arm, q, work)
    velocities(arm, qd, work)
    inertias(arm, work)
    twice = 0.0
    for i in range(arm.shape[0] - 1):
        m, cx, cy, cz = work[i, HEAVY], work[i, FIRST], work[i, FIRST + 1], work[i, FIRST + 2]
        vx, vy, vz = work[i, SPEED], work[i, SPEED + 1], work[i, SPEED + 2]
        wx, wy, wz = work[i, TURN], work[i, TURN + 1], work[i, TURN + 2]
        twice += m * (vx * vx + vy * vy + vz * vz)
        twice += 2.0 * (vx * (wy * cz - wz * cy) + vy * (wz * cx - wx * cz) + vz * (wx * cy - wy * cx))
        twice += work[i, SECOND] * wx * wx + work[i, SECOND + 1] * wy * wy + work[i, SECOND + 2] * wz * wz
        off = work[i, SECOND + 3] * wx * wy + work[i, SECOND + 4] * wx * wz + work[i, SECOND + 5] * wy * wz
        motor = 0.0
        if i < qd.shape[0]:
            motor = arm[i, ARMATURE] * qd[i] * qd[i]
        twice += 2.0 * off + motor
    return 0.5 * twice


def potential_energy(arm: Array, q: Array, work: Array) -> float:
    """-sum m g . p, J, with p the bodies' centres of mass: 0 for a body at the world's origin. O(n)."""
    n = arm.shape[0] - 1
    positions(arm, q, work)
    moments(arm, work)
    total = 0.0
    for i in range(n):
        for k in range(3):
            total -= arm[n, GRAVITY + k] * (work[i, HEAVY] * work[i, ORIGIN + k] + work[i, FIRST + k])
    return total


def centre_of_mass(arm: Array, q: Array, work: Array, centre: Array) -> float:
    """The mass that the joints move, kg; its centre in the world, m, goes to centre (3,) if it is not 0."""
    positions(arm, q, work)
    moments(arm, work)
    mass, x, y, z = 0.0, 0.0, 0.0, 0.0
    for i in range(arm.shape[0] - 1):
        m = work[i, HEAVY]
        mass += m
        x += m * work[i, ORIGIN] + work[i, FIRST]
        y += m * work[i, ORIGIN + 1] + work[i, FIRST + 1]
        z += m * work[i, ORIGIN + 2] + work[i, FIRST + 2]
    if mass > 0.0:
        centre[0], centre[1], centre[2] = x / mass, y / mass, z / mass
    return mass


def momentum(arm: Array, q: Array, qd: Array, work: Array, centre: Array, h: Array) -> None:
    """Linear momentum, and angular momentum about the centre of mass, world axes, written into h (6,). O(n).

    The centre is written into centre (3,). Motors count as masses of their links, without spin.
    Orin, Goswami, Lee, Centroidal dynamics of a humanoid robot, Autonomous Robots 35, 2013.
    """
    for k in range(3):
        centre[k] = 0.0
    centre_of_mass(arm, q, work, centre)
    velocities(arm, qd, work)
    inertias(arm, work)
    for k in range(6):
        h[k] = 0.0
    for i in range(arm.shape[0] - 1):
        m, cx, cy, cz = work[i, HEAVY], work[i, FIRST], work[i, FIRST + 1], work[i, FIRST + 2]
        vx, vy, vz = work[i, SPEED], work[i, SPEED + 1], work[i, SPEED + 2]
        wx, wy, wz = work[i, TURN], work[i, TURN + 1], work[i, TURN + 2]
        px, py, pz = m * vx + wy * cz - wz * cy, m * vy + wz * cx - wx * cz, m * vz + wx * cy - wy * cx
        x, y, z = (
            work[i, ORIGIN] - centre[0],
            work[i, ORIGIN + 1] - centre[1],
            work[i, ORIGIN + 2] - centre[2],
        )
        xy, xz, yz = work[i, SECOND + 3], work[i, SECOND + 4], work[i, SECOND + 5]
        h[0] += px
        h[1] += py
        h[2] += pz
        h[3] += work[i, SECOND] * wx + xy * wy + xz * wz + cy * vz - cz * vy + y * pz - z * py
        h[4] += xy * wx + work[i, SECOND + 1] * wy + yz * wz + cz * vx - cx * vz + z * px - x * pz
        h[5] += xz * wx + yz * wy + work[i, SECOND + 2] * wz + cx * vy - cy * vx + x * py - y * px
