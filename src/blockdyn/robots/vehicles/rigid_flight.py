"""A rigid body carried by any number of rotors, z down."""

from __future__ import annotations

from typing import NamedTuple

from ..mechanics.work import Array
from .rigid_body import angular_acceleration, attitude_rates


class Airframe(NamedTuple):
    """What flies, in body axes: x forward, y right, z down."""

    hubs: Array  # (N, 3), m, from the centre of mass
    J: Array  # (3, 3), kg m2, about the centre of mass
    J_inverse: Array  # (3, 3)
    mass: float  # kg
    b: float  # N s2, thrust coefficient
    k: float  # N m s2, drag coefficient
    gravity: float  # m/s2, along the world's z


def rotor_wrench(frame: Airframe, omega: Array) -> tuple[float, float, float, float]:
    """Total thrust against z, and the torques about the body's axes, of rotors at signed speeds omega (N,).

        T = sum_i b w_i^2      tau = sum_i (D_i x (0, 0, -b w_i^2) - k w_i |w_i| e_z)

    Smooth at zero speed. Source: Pounds, Mahony, Corke, Modelling and control of a large quadrotor robot,
    Control Engineering Practice 18(7), 2010, with rigid rotors.
    """
    thrust = roll = pitch = yaw = 0.0
    for i in range(frame.hubs.shape[0]):
        force = frame.b * omega[i] * omega[i]
        thrust += force
        roll -= frame.hubs[i, 1] * force
        pitch += frame.hubs[i, 0] * force
        yaw -= frame.k * omega[i] * abs(omega[i])
    return thrust, roll, pitch, yaw


def fly(
    frame: Airframe, q: Array, v: Array, w: Array, omega: Array,
    d_p: Array, d_q: Array, d_v: Array, d_w: Array,
) -> None:  # fmt: skip
    """The rates of position, attitude, velocity (both in the world) and of the body's angular velocity.

        dp/dt = v                     m dv/dt = m g e_z - R(q) e_z T
        dq/dt = q (0, w) / 2 + (1 - |q|^2) q          J dw/dt = -w x J w + tau

    with R(q) = R(q/|q|), and T and tau of `rotor_wrench`.
    """
    thrust, roll, pitch, yaw = rotor_wrench(frame, omega)
    s, x, y, z = q[0], q[1], q[2], q[3]
    pull = thrust / (frame.mass * (s * s + x * x + y * y + z * z))
    for i in range(3):
        d_p[i] = v[i]
    d_v[0] = -pull * 2.0 * (x * z + s * y)
    d_v[1] = -pull * 2.0 * (y * z - s * x)
    d_v[2] = frame.gravity - pull * (s * s - x * x - y * y + z * z)
    attitude_rates(q, w, d_q)
    angular_acceleration(frame.J, frame.J_inverse, w, (roll, pitch, yaw), d_w)
