"""Differential flatness: from a flight and its yaw to attitude, rates, thrust and torque of a multirotor."""

from __future__ import annotations

from math import cos, sin
from typing import NamedTuple

from ..lie.kernels.quaternion import quaternion_of
from ..mechanics.work import Array
from .jets import Jet, Vector, dot, jet, jet_cross, jet_plus, jet_unit, part, plus, spin, spin_rate


class Flown(NamedTuple):
    """The body that is to fly: a rigid one with linear drag, in body axes, z down."""

    mass: float  # kg
    J: Array  # (3, 3), kg m2, about the centre of mass
    drag: Array  # (3,), N s/m, along the body's axes
    gravity: float  # m/s2, along the world's z


class Flight(NamedTuple):
    """Where it is to fly: what a trajectory puts out, in world axes, z down."""

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


def pull(flown: Flown, flight: Flight, axis: int) -> Jet:
    """a - g e_z + (d/m) v, d the drag along an axis of the body."""
    v, a = vector(flight.velocity), vector(flight.acceleration)
    j, s = vector(flight.jerk), vector(flight.snap)
    free = jet((a[0], a[1], a[2] - flown.gravity), j, s)
    return jet_plus(free, flown.drag[axis] / flown.mass, jet(v, a, j))


def flat_inputs(
    flown: Flown, flight: Flight, quaternion: Array, rates: Array, acceleration: Array, torque: Array,
    R: Array,
) -> float:  # fmt: skip
    """Attitude, rates, their acceleration (both in body axes) and torque of a flight; returns the thrust, N.

        m a = m g e_z - T z_B - R D R^T v        J dw/dt + w x J w = tau

    What thrust cannot do along x_B and y_B, gravity and drag have to: x_B is perpendicular to
    a - g e_z + (d_x/m) v, y_B to a - g e_z + (d_y/m) v, and x_B lies in the vertical plane of the yaw. So the
    axes are cross products of the flat outputs, and their rates follow by differentiation, without a system
    of equations. The yaw is that of R = Rz(yaw) Ry(pitch) Rx(roll), half a turn from it while the thrust
    points down. There is no attitude in free fall, nor where the thrust is level and across the heading;
    numbers there are finite and mean nothing.

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


def turned(J: Array, w: Vector) -> Vector:
    """J w."""
    return (
        J[0, 0] * w[0] + J[0, 1] * w[1] + J[0, 2] * w[2],
        J[1, 0] * w[0] + J[1, 1] * w[1] + J[1, 2] * w[2],
        J[2, 0] * w[0] + J[2, 1] * w[1] + J[2, 2] * w[2],
    )


def torque_of(J: Array, w: Vector, dw: Vector) -> Vector:
    """J dw/dt + w x J w (Euler's equations)."""
    h, a = turned(J, w), turned(J, dw)
    return (
        a[0] + w[1] * h[2] - w[2] * h[1],
        a[1] + w[2] * h[0] - w[0] * h[2],
        a[2] + w[0] * h[1] - w[1] * h[0],
    )
