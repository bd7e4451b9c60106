"""A guide: what the surroundings impose on the velocity of a tool, and what that asks of the joints."""

from __future__ import annotations

from typing import NamedTuple

from ..mechanics.bodies import positions, velocities
from ..mechanics.constraints import Equations, baumgarte, tool_constraint
from ..mechanics.frames import tool_axis, tool_point
from ..mechanics.jacobian import BODY
from ..mechanics.jacobian_rate import tool_velocity
from ..mechanics.work import Array


class Guide(NamedTuple):
    """Je [v; w] = 0 on the velocity of the tool, in world axes or its own, and how drift is corrected."""

    Je: Array  # (m, 6)
    Je_dot: Array  # (m, 6), its derivative in the same axes
    frame_code: float  # BODY or WORLD
    plane: Array  # (m,): 1 for rows that keep the tool on a plane through `point`
    point: Array  # (3,), m
    project: float  # not 0: rates are projected; 0: accelerations are corrected
    gain: float  # 1/s, the rate of correction


class Room(NamedTuple):
    """An arm's table, and room for its motion under a guide of m rows."""

    arm: Array
    work: Array
    J: Array  # (6, n)
    E: Array  # (m, 6): Je in world axes
    E_rate: Array  # (m, 6)
    drift: Array  # (m,) = dA/dt qd
    violation: Array  # (m,), m: distances from the planes
    equations: Equations  # A = E J
    change: Array  # (n,), of rates


def aim(room: Room, guide: Guide, position: Array, velocity: Array) -> None:
    """The equations A qdd = target that keep the tool where it belongs; E, A = E J and violation too."""
    A, target = room.equations.A, room.equations.target
    in_world(room, guide, position, velocity)
    off(room, guide)
    constrain(room, position, velocity)
    if guide.project != 0.0:
        for k in range(target.shape[0]):
            target[k] = -room.drift[k] - guide.gain * along(A, k, velocity)
    else:
        baumgarte(A, velocity, room.drift, room.violation, 1.0, guide.gain, target)


def constrain(room: Room, position: Array, velocity: Array) -> None:
    """A = E J and the drift; after `in_world`."""
    A = room.equations.A
    tool_constraint(room.arm, position, velocity, room.E, room.E_rate, room.work, room.J, A, room.drift)


def along(A: Array, k: int, velocity: Array) -> float:
    """The speed along row k of A, which is to be zero."""
    total = 0.0
    for i in range(velocity.shape[0]):
        total += A[k, i] * velocity[i]
    return total


def in_world(room: Room, guide: Guide, position: Array, velocity: Array) -> None:
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


def off(room: Room, guide: Guide) -> None:
    """How far the tool is from the planes, into violation, 0 for other rows; needs `positions`."""
    x, y, z = tool_point(room.arm, room.work)
    E, plane, point = room.E, guide.plane, guide.point
    for k in range(E.shape[0]):
        room.violation[k] = plane[k] * (
            E[k, 0] * (x - point[0]) + E[k, 1] * (y - point[1]) + E[k, 2] * (z - point[2])
        )
