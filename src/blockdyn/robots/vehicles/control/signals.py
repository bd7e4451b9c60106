"""Controllers of multirotors have three inputs: the motion, the reference, and the model of the body."""

from __future__ import annotations

from math import cos, sin
from typing import NamedTuple

from ...lie.kernels.quaternion import rotation_of_quaternion
from ...mechanics.bodies import Array
from ..flatness import Jet, Vector, jet, jet_cross, jet_unit, part, plus, times


class Motion(NamedTuple):
    """The measured motion: position and velocity in the world, z down, rates in body axes."""

    position: Array
    velocity: Array
    quaternion: Array
    rates: Array


class Reference(NamedTuple):
    """The reference motion in the form of flights."""

    position_ref: Array
    velocity_ref: Array
    acceleration_ref: Array
    jerk_ref: Array
    snap_ref: Array
    yaw_ref: float
    yaw_rate_ref: float
    yaw_acceleration_ref: float


class Body(NamedTuple):
    """The controller's model of the body."""

    mass: float
    J: Array
    drag: Array
    gravity: float


def as_vector(a: Array) -> Vector:
    """An array (3,) as a tuple."""
    return a[0], a[1], a[2]


def minus(a: Array, b: Array) -> Vector:
    """a - b."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def rotation(quaternion: Array, R: Array) -> None:
    """R of a quaternion of any length, from body to world."""
    rotation_of_quaternion(quaternion[0], quaternion[1], quaternion[2], quaternion[3], R)


def column(R: Array, i: int) -> Vector:
    """An axis of the body in the world."""
    return R[0, i], R[1, i], R[2, i]


def to_world(R: Array, a: Vector) -> Vector:
    """R a."""
    return plus(plus(times(a[0], column(R, 0)), a[1], column(R, 1)), a[2], column(R, 2))


def to_body(R: Array, a: Vector) -> Vector:
    """R^T a."""
    return (
        R[0, 0] * a[0] + R[1, 0] * a[1] + R[2, 0] * a[2],
        R[0, 1] * a[0] + R[1, 1] * a[1] + R[2, 1] * a[2],
        R[0, 2] * a[0] + R[1, 2] * a[1] + R[2, 2] * a[2],
    )


def from_frame(R: Array, x: Jet, y: Jet, z: Jet, a: Vector) -> Vector:
    """A vector in another frame's axes, converted to the body's axes."""
    return to_body(R, plus(plus(times(a[0], part(x, 0)), a[1], part(y, 0)), a[2], part(z, 0)))


def drag_force(body: Body, R: Array, velocity: Vector) -> Vector:
    """R D R^T v, the force that balances linear drag, N."""
    v = to_body(R, velocity)
    return to_world(R, (body.drag[0] * v[0], body.drag[1] * v[1], body.drag[2] * v[2]))


def ahead(yaw: float, yaw_rate: float, yaw_acceleration: float) -> Jet:
    """The horizontal unit vector of the heading, with its rates."""
    c, s = cos(yaw), sin(yaw)
    square = yaw_rate * yaw_rate
    return jet(
        (c, s, 0.0),
        (-yaw_rate * s, yaw_rate * c, 0.0),
        (-yaw_acceleration * s - square * c, yaw_acceleration * c - square * s, 0.0),
    )


def wanted_axes(pull: Jet, reference: Reference) -> tuple[Jet, Jet, Jet]:
    """Body axes with z opposite to a pull and x in the vertical plane of the heading."""
    up = jet_unit(pull)
    z = jet(times(-1.0, part(up, 0)), times(-1.0, part(up, 1)), times(-1.0, part(up, 2)))
    y = jet_unit(
        jet_cross(z, ahead(reference.yaw_ref, reference.yaw_rate_ref, reference.yaw_acceleration_ref))
    )
    return jet_cross(y, z), y, z
