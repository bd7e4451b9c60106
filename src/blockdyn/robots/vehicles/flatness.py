"""Differential flatness gives attitude, rates, thrust and torque of a multirotor from its flight and yaw."""

from __future__ import annotations

from math import cos, sin, sqrt
from typing import NamedTuple

from ..lie.kernels.quaternion import quaternion_of
from ..mechanics.bodies import Array

Vector = tuple[float, float, float]
Jet = tuple[float, float, float, float, float, float, float, float, float]
"""A vector with its first and second derivative, as a flat tuple for compiled functions."""

SHORTEST = (
    1e-12  # length below which the direction of a vector is undefined: rates are then finite but meaningless
)


def cross(a: Vector, b: Vector) -> Vector:
    """a x b."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def dot(a: Vector, b: Vector) -> float:
    """a . b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def plus(a: Vector, s: float, b: Vector) -> Vector:
    """a + s b."""
    return a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]


def times(s: float, a: Vector) -> Vector:
    """s a."""
    return s * a[0], s * a[1], s * a[2]


def jet(a: Vector, a1: Vector, a2: Vector) -> Jet:
    """A vector with its first and second derivative."""
    return a[0], a[1], a[2], a1[0], a1[1], a1[2], a2[0], a2[1], a2[2]


def part(a: Jet, order: int) -> Vector:
    """The vector (0), its first (1) or second (2) derivative."""
    return a[3 * order], a[3 * order + 1], a[3 * order + 2]


def jet_plus(a: Jet, s: float, b: Jet) -> Jet:
    """a + s b."""
    return jet(
        plus(part(a, 0), s, part(b, 0)), plus(part(a, 1), s, part(b, 1)), plus(part(a, 2), s, part(b, 2))
    )


def jet_cross(a: Jet, b: Jet) -> Jet:
    """a x b."""
    a0, a1, b0, b1 = part(a, 0), part(a, 1), part(b, 0), part(b, 1)
    second = plus(cross(part(a, 2), b0), 1.0, cross(a0, part(b, 2)))
    return jet(cross(a0, b0), plus(cross(a1, b0), 1.0, cross(a0, b1)), plus(second, 2.0, cross(a1, b1)))


def jet_unit(a: Jet) -> Jet:
    """u = a / |a|.

    With r = u . a', the rate of |a|: |a| u' = a' - r u, |a| u'' = a'' - 2 r u' - r' u.
    """
    a0, a1, a2 = part(a, 0), part(a, 1), part(a, 2)
    scale = 1.0 / max(sqrt(dot(a0, a0)), SHORTEST)
    u = times(scale, a0)
    r = dot(u, a1)
    u1 = times(scale, plus(a1, -r, u))
    r1 = dot(u1, a1) + dot(u, a2)
    return jet(u, u1, times(scale, plus(plus(a2, -2.0 * r, u1), -r1, u)))


def spin(x: Jet, y: Jet, z: Jet) -> Vector:
    """The angular velocity of a frame of unit vectors, in its own axes."""
    return dot(part(y, 1), part(z, 0)), dot(part(z, 1), part(x, 0)), dot(part(x, 1), part(y, 0))


def spin_rate(x: Jet, y: Jet, z: Jet) -> Vector:
    """The angular acceleration of a frame of unit vectors."""
    return (
        dot(part(y, 2), part(z, 0)) + dot(part(y, 1), part(z, 1)),
        dot(part(z, 2), part(x, 0)) + dot(part(z, 1), part(x, 1)),
        dot(part(x, 2), part(y, 0)) + dot(part(x, 1), part(y, 1)),
    )


class FlatBody(NamedTuple):
    """The rigid body of the vehicle with linear drag, in body axes, z down."""

    mass: float  # kg
    J: Array  # (3, 3), kg m2, about the centre of mass
    drag: Array  # (3,), N s/m, along the body's axes
    gravity: float  # m/s2, along the world's z


class Flight(NamedTuple):
    """The reference: outputs of a trajectory, in world axes, z down."""

    velocity: Array
    acceleration: Array
    jerk: Array
    snap: Array
    yaw: float
    yaw_rate: float
    yaw_acceleration: float


def vector(a: Array) -> Vector:
    """An array (3,) as a tuple."""
    return a[0], a[1], a[2]


def side(yaw: float, yaw_rate: float, yaw_acceleration: float) -> Jet:
    """The horizontal unit vector to the right of the heading."""
    c, s = cos(yaw), sin(yaw)
    square = yaw_rate * yaw_rate
    return jet(
        (-s, c, 0.0),
        (-yaw_rate * c, -yaw_rate * s, 0.0),
        (-yaw_acceleration * c + square * s, -yaw_acceleration * s - square * c, 0.0),
    )


def pull(flown: FlatBody, flight: Flight, axis: int) -> Jet:
    """a - g e_z + (d/m) v, d the drag coefficient along a body axis."""
    v, a = vector(flight.velocity), vector(flight.acceleration)
    j, s = vector(flight.jerk), vector(flight.snap)
    free = jet((a[0], a[1], a[2] - flown.gravity), j, s)
    return jet_plus(free, flown.drag[axis] / flown.mass, jet(v, a, j))


def flat_inputs(
    flown: FlatBody, flight: Flight, quaternion: Array, rates: Array, acceleration: Array, torque: Array,
    R: Array,
) -> float:  # fmt: skip
    """Attitude, rates, their acceleration (both in body axes) and torque of a flight; returns the thrust, N.

        m a = m g e_z - T z_B - R D R^T v        J dw/dt + w x J w = tau

    Thrust does not act along x_B and y_B, where only gravity and drag accelerate: x_B is perpendicular to
    a - g e_z + (d_x/m) v, y_B to a - g e_z + (d_y/m) v, and x_B lies in the vertical plane of the yaw. So the
    axes are cross products of the flat outputs, and their rates follow by differentiation, without a system
    of equations. The yaw is defined by R = Rz(yaw) Ry(pitch) Rx(roll), half a turn from it while the thrust
    points down. The attitude is undefined in free fall, and for a horizontal thrust across the heading;
    values are then finite and meaningless.

    Source: Faessler, Franchi, Scaramuzza, Differential Flatness of Quadrotor Dynamics Subject to Rotor Drag,
    IEEE Robotics and Automation Letters 3(2), 2018, section III; Mellinger, Kumar, ICRA 2011.
    """
    right = side(flight.yaw, flight.yaw_rate, flight.yaw_acceleration)
    x = jet_unit(jet_cross(pull(flown, flight, 0), right))
    y = jet_unit(jet_cross(x, pull(flown, flight, 1)))
    z = jet_cross(x, y)
    for i in range(3):
        R[i, 0], R[i, 1], R[i, 2] = x[i], y[i], z[i]
    quaternion_of(R, quaternion)
    w, dw = spin(x, y, z), spin_rate(x, y, z)
    moment = torque_of(flown.J, w, dw)
    for i in range(3):
        rates[i], acceleration[i], torque[i] = w[i], dw[i], moment[i]
    v = vector(flight.velocity)
    needed = plus((0.0, 0.0, flown.gravity), -1.0, vector(flight.acceleration))
    return flown.mass * dot(part(z, 0), needed) - flown.drag[2] * dot(part(z, 0), v)  # type: ignore[no-any-return]


def apply_inertia(J: Array, w: Vector) -> Vector:
    """J w."""
    return (
        J[0, 0] * w[0] + J[0, 1] * w[1] + J[0, 2] * w[2],
        J[1, 0] * w[0] + J[1, 1] * w[1] + J[1, 2] * w[2],
        J[2, 0] * w[0] + J[2, 1] * w[1] + J[2, 2] * w[2],
    )


def torque_of(J: Array, w: Vector, dw: Vector) -> Vector:
    """J dw/dt + w x J w (Euler's equations)."""
    h, a = apply_inertia(J, w), apply_inertia(J, dw)
    return (
        a[0] + w[1] * h[2] - w[2] * h[1],
        a[1] + w[2] * h[0] - w[0] * h[2],
        a[2] + w[0] * h[1] - w[1] * h[0],
    )
