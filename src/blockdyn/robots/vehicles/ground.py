"""A vehicle rests on a flat floor, slides on it with friction, and takes off from it."""

from __future__ import annotations

from math import acos, sqrt
from typing import NamedTuple

from ..mechanics.bodies import Array
from .rigid_flight import Vector

FLYING, SLIDING, RESTING = 0.0, 1.0, 2.0
CREEP = 1e-9  # m/s: a lower speed is standstill; events are located far more accurately
SIZE = 6  # of the state of a contact
TOUCH, LIFT, STOP, SLIP = 0, 1, 2, 3  # the crossings, each an event when it rises through zero


class Ground(NamedTuple):
    """Contact of a vehicle with the ground."""

    contact: Array  # (6,): mode; speed and tilt at the last impact, m/s and rad; touch-downs; direction (2)
    friction: float  # coefficient of sliding and of sticking
    gear: float  # m, of the landing gear below the centre of mass
    ground_level: float  # m, z in the world


def held_by_ground(ground: Ground, v: Array, a: Vector) -> Vector:
    """The acceleration in the world, from a without contact: with the normal force N = m a_z,

        resting: 0        sliding: (a_xy - mu a_z v/|v|, 0)        flying: a

    If a trial step passes standstill, friction keeps the direction d of sliding until the event v . d = 0 is
    located. The gear keeps the attitude at touch-down; tipping over is not modelled.
    """
    mode = ground.contact[0]
    ax, ay, az = a
    if mode == FLYING:
        return a
    if mode == RESTING:
        return 0.0, 0.0, 0.0
    dx, dy = ground.contact[4], ground.contact[5]
    if v[0] * dx + v[1] * dy > CREEP:
        speed = sqrt(v[0] * v[0] + v[1] * v[1])
        dx, dy = v[0] / speed, v[1] / speed
    brake = ground.friction * max(az, 0.0)
    return ax - brake * dx, ay - brake * dy, 0.0


def meet(ground: Ground, p: Array, v: Array, a: Vector, meeting: Array) -> None:
    """The four crossings; -1 if the mode ignores one."""
    mode = ground.contact[0]
    ax, ay, az = a
    for i in range(4):
        meeting[i] = -1.0
    if mode == FLYING:
        meeting[TOUCH] = p[2] + ground.gear - ground.ground_level
        return
    meeting[LIFT] = -az
    if mode == SLIDING:
        meeting[STOP] = -(v[0] * ground.contact[4] + v[1] * ground.contact[5])
    else:
        meeting[SLIP] = sqrt(ax * ax + ay * ay) - ground.friction * az


def touch(
    ground: Ground, p: Array, v: Array, w: Array, a: Vector, upright: float, crossed: Array,
    next_p: Array, next_v: Array, next_w: Array, next_contact: Array,
) -> None:  # fmt: skip
    """Position, velocity, rates and contact just after an event, or at the start.

    The impact is plastic, with Coulomb friction: |v_xy| falls by at most mu v_z. `upright` is the cosine of
    the tilt.
    """
    for i in range(3):
        next_p[i], next_v[i], next_w[i] = p[i], v[i], w[i]
    for i in range(SIZE):
        next_contact[i] = ground.contact[i]
    mode = ground.contact[0]
    depth = p[2] + ground.gear - ground.ground_level
    ax, ay, az = a
    if mode == FLYING:
        sinks = v[2] > 0.0 or (v[2] == 0.0 and az >= 0.0)
        if not (sinks and (crossed[TOUCH] == 1 or depth >= 0.0)):
            return  # while rising, rounding of a height near 0 may cross the ground
        speed = sqrt(v[0] * v[0] + v[1] * v[1])
        left = max(speed - ground.friction * max(v[2], 0.0), 0.0)
        next_v[0] = v[0] * left / speed if speed > 0.0 else 0.0
        next_v[1] = v[1] * left / speed if speed > 0.0 else 0.0
        next_p[2] = ground.ground_level - ground.gear
        if v[2] > 0.0:
            next_contact[1] = v[2]
            next_contact[2] = _tilt(upright)
            next_contact[3] = ground.contact[3] + 1.0
        mode = SLIDING
    next_v[2] = 0.0
    for i in range(3):
        next_w[i] = 0.0
    if az < 0.0:
        next_contact[0] = FLYING
        return
    speed = sqrt(next_v[0] * next_v[0] + next_v[1] * next_v[1])
    next_contact[0] = SLIDING
    if mode == SLIDING and speed > CREEP:
        next_contact[4], next_contact[5] = next_v[0] / speed, next_v[1] / speed
        return
    next_v[0] = next_v[1] = 0.0
    pull = sqrt(ax * ax + ay * ay)
    if pull > ground.friction * az:  # it slides in the direction of the force
        next_contact[4], next_contact[5] = ax / pull, ay / pull
    else:
        next_contact[0] = RESTING


def _tilt(upright: float) -> float:
    """The angle with this cosine, rad."""
    return acos(min(max(upright, -1.0), 1.0))
