"""A multirotor of any geometry moves under its rotors, the air and other loads."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

from ..mechanics.bodies import Array
from .ground import FLYING, Ground, held_by_ground
from .load import Load, laden
from .rigid_flight import Vector, angular_acceleration, attitude_rates
from .rotor_loads import Flow, Rotary, Wrench, rotor_loads

Rotation = tuple[float, float, float, float, float, float, float, float, float]  # by rows, from body to world


class Hull(NamedTuple):
    """The body of a vehicle."""

    J: Array  # (3, 3), kg m2, about the centre of mass
    J_inverse: Array  # (3, 3)
    mass: float  # kg
    gravity: float  # m/s2, along the world's z
    linear_drag: Array  # (3,), N s/m
    quadratic_drag: Array  # (3,), N s2/m2


class Surroundings(NamedTuple):
    """Surroundings of a vehicle."""

    wind: Array  # (3,), m/s, velocity of the air in the world
    force: Array  # (3,), N, on the centre of mass, in the world
    torque: Array  # (3,), N m, in body axes


class Craft(NamedTuple):
    """A vehicle in its surroundings."""

    hull: Hull
    rotary: Rotary
    around: Surroundings
    ground: Ground
    load: Load


class Motion(NamedTuple):
    """Pose and velocities of a vehicle."""

    p: Array  # (3,), m, in the world
    q: Array  # (4,), scalar first, from body to world, of any length
    v: Array  # (3,), m/s, in the world
    w: Array  # (3,), rad/s, in body axes


def attitude_matrix(q: Array) -> Rotation:
    """R(q/|q|) by rows."""
    s, x, y, z = q[0], q[1], q[2], q[3]
    n = 1.0 / (s * s + x * x + y * y + z * z)
    return (
        n * (s * s + x * x - y * y - z * z), n * 2.0 * (x * y - s * z), n * 2.0 * (x * z + s * y),
        n * 2.0 * (x * y + s * z), n * (s * s - x * x + y * y - z * z), n * 2.0 * (y * z - s * x),
        n * 2.0 * (x * z - s * y), n * 2.0 * (y * z + s * x), n * (s * s - x * x - y * y + z * z),
    )  # fmt: skip


def flow_of(craft: Craft, motion: Motion, R: Rotation) -> Flow:
    """The motion of the body through the air: R'(v - wind), in body axes."""
    wind, v, w = craft.around.wind, motion.v, motion.w
    ux, uy, uz = v[0] - wind[0], v[1] - wind[1], v[2] - wind[2]
    return (
        R[0] * ux + R[3] * uy + R[6] * uz, R[1] * ux + R[4] * uy + R[7] * uz,
        R[2] * ux + R[5] * uy + R[8] * uz,
        w[0], w[1], w[2], R[6], R[7], R[8], motion.p[2],
    )  # fmt: skip


def drag_of(hull: Hull, flow: Flow) -> Vector:
    """Drag of the body at its centre of mass, in body axes: -c1 v - c2 |v| v, separately for each axis."""
    vx, vy, vz, _, _, _, _, _, _, _ = flow
    size = sqrt(vx * vx + vy * vy + vz * vz)
    return (
        -(hull.linear_drag[0] + size * hull.quadratic_drag[0]) * vx,
        -(hull.linear_drag[1] + size * hull.quadratic_drag[1]) * vy,
        -(hull.linear_drag[2] + size * hull.quadratic_drag[2]) * vz,
    )


def loads(craft: Craft, motion: Motion, omega: Array, R: Rotation) -> Wrench:
    """Force without gravity, and moment about the centre of mass, in body axes."""
    flow = flow_of(craft, motion, R)
    fx, fy, fz, mx, my, mz = rotor_loads(craft.rotary, flow, omega)
    dx, dy, dz = drag_of(craft.hull, flow)
    f, torque = craft.around.force, craft.around.torque
    fx += dx + R[0] * f[0] + R[3] * f[1] + R[6] * f[2]
    fy += dy + R[1] * f[0] + R[4] * f[1] + R[7] * f[2]
    fz += dz + R[2] * f[0] + R[5] * f[1] + R[8] * f[2]
    return fx, fy, fz, mx + torque[0], my + torque[1], mz + torque[2]


def advance(
    craft: Craft, motion: Motion, R: Rotation, wrench: Wrench, d_p: Array, d_q: Array, d_v: Array, d_w: Array
) -> None:
    """The rates of position, attitude, velocity and of the body's angular velocity under a wrench.

    dp/dt = v                                     m dv/dt = m g e_z + R F + contact
    dq/dt = q (0, w) / 2 + (1 - |q|^2) q          J dw/dt = M - w x J w
    """
    v = motion.v
    ax, ay, az = held_by_ground(craft.ground, v, compute_acceleration(craft, R, motion.w, wrench))
    for i in range(3):
        d_p[i] = v[i]
    d_v[0], d_v[1], d_v[2] = ax, ay, az
    attitude_rates(motion.q, motion.w, d_q)
    turn(craft, motion.w, wrench, d_w)


def compute_acceleration(craft: Craft, R: Rotation, w: Array, wrench: Wrench) -> Vector:
    """The acceleration in the world without contact: g e_z + R F/m, or as in `laden`.

    On the ground the gear prevents rotation by a load. The vehicle takes off if its weight is
    carried and its rotation would not return it at once.
    """
    fx, fy, fz, _, _, _ = wrench
    m = craft.hull.mass
    g = craft.hull.gravity
    if craft.load.payload > 0.0:
        x, y, z, _, _, _ = laden(craft.hull.J, m, craft.load, w, wrench)
        free = R[6] * x + R[7] * y + R[8] * z + g
        if craft.ground.contact[0] == FLYING:
            return R[0] * x + R[1] * y + R[2] * z, R[3] * x + R[4] * y + R[5] * z, free
        m += craft.load.payload
        held = (R[6] * fx + R[7] * fy + R[8] * fz) / m + g
        return (
            (R[0] * fx + R[1] * fy + R[2] * fz) / m, (R[3] * fx + R[4] * fy + R[5] * fz) / m,
            max(held, free),
        )  # fmt: skip
    return (
        (R[0] * fx + R[1] * fy + R[2] * fz) / m,
        (R[3] * fx + R[4] * fy + R[5] * fz) / m,
        (R[6] * fx + R[7] * fy + R[8] * fz) / m + g,
    )


def accelerate(craft: Craft, R: Rotation, motion: Motion, wrench: Wrench, acceleration: Array) -> None:
    """dv/dt, m/s2, in the world."""
    ax, ay, az = held_by_ground(craft.ground, motion.v, compute_acceleration(craft, R, motion.w, wrench))
    acceleration[0], acceleration[1], acceleration[2] = ax, ay, az


def feel(craft: Craft, R: Rotation, motion: Motion, wrench: Wrench, specific_force: Array) -> None:
    """R'(dv/dt - g e_z), m/s2, in body axes."""
    ax, ay, az = held_by_ground(craft.ground, motion.v, compute_acceleration(craft, R, motion.w, wrench))
    az -= craft.hull.gravity
    for i in range(3):
        specific_force[i] = R[i] * ax + R[i + 3] * ay + R[i + 6] * az


def turn(craft: Craft, w: Array, wrench: Wrench, d_w: Array) -> None:
    """dw/dt under a wrench; 0 on the ground, where the gear prevents rotation."""
    _, _, _, mx, my, mz = wrench
    if craft.ground.contact[0] != FLYING:
        for i in range(3):
            d_w[i] = 0.0
    elif craft.load.payload > 0.0:
        _, _, _, d_w[0], d_w[1], d_w[2] = laden(craft.hull.J, craft.hull.mass, craft.load, w, wrench)
    else:
        angular_acceleration(craft.hull.J, craft.hull.J_inverse, w, (mx, my, mz), d_w)


def fly_anywhere(
    craft: Craft, motion: Motion, omega: Array, d_p: Array, d_q: Array, d_v: Array, d_w: Array
) -> None:
    """The rates of a vehicle whose rotors turn at the signed speeds omega (n,): `loads` and `advance`."""
    R = attitude_matrix(motion.q)
    advance(craft, motion, R, loads(craft, motion, omega, R), d_p, d_q, d_v, d_w)
